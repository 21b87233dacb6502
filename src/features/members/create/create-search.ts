import * as z from "zod/mini"

/** `made`: the job that creates the member, once it was sent. */
export const createSearch = z.object({ made: z.catch(z.optional(z.string()), undefined) })
