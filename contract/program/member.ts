import * as z from "zod/mini"
import { emailPattern, newEmail } from "../email-address.ts"
import { ExactNumber, isUnrounded } from "../exact-json.ts"
import { limits } from "../limits.ts"
import {
  jsonObject,
  isNestedStorable,
  isStorable,
  paging,
  exactField,
  plainText,
  requiredText,
  searchText,
} from "./common.ts"
import {
  forNames,
  memberDetailNames,
  type MemberDetailName,
  memberDetails,
  type MemberFieldName,
} from "./member-fields.ts"
import { listReader, type ReadRecord, recordReader } from "../reading.ts"

/** States of a member. `pending` is only ever read (docs/api/program.md, States). */
export const memberStatuses = ["active", "inactive", "pending"] as const
/** States a member can be set to (docs/api/program.md, Update member). */
export const settableMemberStatuses = ["active", "inactive"] as const

const keys = { id: z.string().check(z.minLength(1)) }
const rest = {
  email: z.email({ pattern: emailPattern }),
  first_name: z.string(),
  last_name: z.string(),
  ...forNames(memberDetailNames, () => z.optional(z.string())),
  points_balance: z.int(),
  tier: z.optional(z.string()),
  status: z.enum(memberStatuses),
  metadata: z.optional(jsonObject),
  created_at: z.iso.datetime({ offset: true }),
  updated_at: z.iso.datetime({ offset: true }),
} satisfies Readonly<Record<Exclude<MemberFieldName, "id">, z.ZodMiniType>>

/** Reads one member (docs/api/program.md, Member). `points_balance` is in points. */
export const memberReader = recordReader(keys, rest)
export const memberListReader = listReader(memberReader)
export type Member = ReadRecord<typeof keys, typeof rest>

const metadataValue = z.union([
  z
    .string()
    .check(
      z.maxLength(limits.metadata.value, `At most ${limits.metadata.value} characters.`),
      z.refine<string>(isStorable, "This value has a character that cannot be stored."),
    ),
  z.number(),
  z.boolean(),
  z.null(),
  z.instanceof(ExactNumber),
  z.array(z.unknown()),
  jsonObject,
])

/** A key stays as it is, byte for byte: `a` and `a ` are two keys. */
const metadataKey = z
  .string()
  .check(
    z.maxLength(limits.metadata.key, `At most ${limits.metadata.key} characters.`),
    z.refine<string>(isStorable, "This key has a character that cannot be stored."),
  )

/** Free-form data of a member: at most 50 keys, at most 20 levels deep; nested values are kept as they came. */
export const memberMetadata = z.record(metadataKey, metadataValue).check(
  z.refine(
    (data) => Object.keys(data).length <= limits.metadata.keys,
    `At most ${limits.metadata.keys} keys.`,
  ),
  z.refine(
    (data) => Object.values(data).every((value) => isNestedStorable(value, limits.metadata.depth)),
    `A value is nested deeper than ${limits.metadata.depth} levels, or a text in it has a character that cannot be stored.`,
  ),
)

/** Free-form data not saved before: without a saved original, a rounded number cannot be detected. */
export const newMetadata = memberMetadata.check(
  z.refine(hasOnlyExactNumbers, "A number in it has too many digits to be kept exactly. Send it as text."),
)

function hasOnlyExactNumbers(value: unknown): boolean {
  if (typeof value === "number") return isUnrounded(value)
  if (value instanceof ExactNumber) return false
  return typeof value !== "object" || value === null || Object.values(value).every(hasOnlyExactNumbers)
}

/** The text of a detail as a person writes it. */
export function memberDetailText(name: MemberDetailName) {
  const { max, exact } = memberDetails[name]
  return exact ? exactField(max) : plainText(max)
}

const writtenDetails = forNames(memberDetailNames, (name) => z.optional(memberDetailText(name)))

/** What creates a member (docs/api/program.md, Create member). Strict: nothing else is sent. */
export const createMemberBody = z.strictObject({
  email: newEmail,
  first_name: requiredText("a first name"),
  last_name: requiredText("a last name"),
  ...writtenDetails,
  metadata: z.optional(newMetadata),
})
export type CreateMemberBody = z.output<typeof createMemberBody>

/** What changes a member; e-mail cannot be changed (docs/api/program.md, Update member). Strict, at least one field. */
export const updateMemberBody = z
  .strictObject({
    first_name: z.optional(requiredText("a first name")),
    last_name: z.optional(requiredText("a last name")),
    ...writtenDetails,
    status: z.optional(z.enum(settableMemberStatuses)),
    metadata: z.optional(memberMetadata),
  })
  .check(z.refine((body) => Object.keys(body).length > 0, "Change at least one field."))
export type UpdateMemberBody = z.output<typeof updateMemberBody>

/** Query of the member list (docs/api/program.md, Members). */
export const memberListQuery = z.strictObject({
  ...paging,
  status: z.optional(z.enum(memberStatuses)),
  search: z.optional(searchText()),
  tier: z.optional(z.string().check(z.maxLength(limits.shortText))),
})

export const memberNamesBody = z.strictObject({
  ids: z
    .array(z.string().check(z.minLength(1), z.maxLength(limits.shortText)))
    .check(z.minLength(1), z.maxLength(limits.perPage.max)),
})

/** Names of members as far as they are known now. The event `names` says that more of them are. */
export const memberNames = z.object({
  names: z.array(z.object({ id: z.string(), name: z.string() })),
  missing: z.array(z.string()),
  coming: z.array(z.string()),
})
export type MemberNames = z.output<typeof memberNames>
