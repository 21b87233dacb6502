import { z } from "../../../lib/z.ts"

/** `made`: the job that creates the member, once it was sent. */
export const createSearch = z.object({ made: z.catch(z.optional(z.string()), undefined) })
