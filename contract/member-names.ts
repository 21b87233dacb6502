import * as z from "zod/mini"
import { limits } from "./limits.ts"

/** Body of `POST /api/members/names`. */
export const memberNamesBody = z.strictObject({
  ids: z
    .array(z.string().check(z.minLength(1), z.maxLength(limits.shortText)))
    .check(z.minLength(1), z.maxLength(limits.perPage.max)),
})

/** Names of members as far as they are known now. The event `names` says that more of them are. */
export const memberNames = z.object({
  names: z.array(z.object({ id: z.string(), name: z.string() })),
  /** There are no members of these ids. */
  missing: z.array(z.string()),
  /** On their way, from requests that nobody else needs. */
  coming: z.array(z.string()),
})
/** Names of members as far as they are known now. */
export type MemberNames = z.output<typeof memberNames>
