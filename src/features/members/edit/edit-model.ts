import { limits } from "../../../../contract/limits.ts"
import type { Member, UpdateMemberBody } from "../../../../contract/program/member.ts"
import { plainText, requiredText } from "../../../../contract/program/common.ts"
import { checkMetadataRows, metadataOf, metadataRow, rowsOf } from "../../../forms/metadata.ts"
import { listed } from "../../../lib/format.ts"
import { sameValue } from "../../../lib/same-value.ts"
import * as z from "zod/mini"
import { settableStatusOf } from "../page/member-state.ts"

/** What the edit form's fields hold. `status` is empty where the member's own cannot be set (`pending`). */
export const editValues = z.object({
  first_name: z.string(),
  last_name: z.string(),
  company: z.string(),
  phone: z.string(),
  status: z.enum(["", "active", "inactive"]),
  metadata: z.array(metadataRow),
})
export type EditValues = z.output<typeof editValues>

export function valuesOf(member: Member): EditValues {
  return {
    first_name: member.first_name ?? "",
    last_name: member.last_name ?? "",
    company: member.company ?? "",
    phone: member.phone ?? "",
    status: settableStatusOf(member) ?? "",
    metadata: rowsOf(member.metadata),
  }
}

/**
 * The form's rules. What the service already has is never refused here: a name that is missing may stay missing, and
 * metadata is checked only once it was touched.
 */
export function editSchema(base: EditValues): z.ZodMiniType<EditValues, EditValues> {
  return z.object({
    first_name: base.first_name.trim() === "" ? plainText() : requiredText("a first name"),
    last_name: base.last_name.trim() === "" ? plainText() : requiredText("a last name"),
    company: plainText(),
    phone: plainText(limits.phone),
    status: z.enum(["", "active", "inactive"]),
    metadata: z.array(metadataRow).check((ctx) => {
      if (!sameValue(ctx.value, base.metadata)) checkMetadataRows(ctx, base.metadata)
    }),
  })
}

/** Fields that are one plain text. */
export const textFields = ["first_name", "last_name", "company", "phone"] as const

/** The fields that say something else than before, as they are sent; metadata always whole (docs/api/program.md). */
export function changesOf(base: EditValues, typed: EditValues): UpdateMemberBody {
  const changes: UpdateMemberBody = {}
  for (const field of textFields) {
    const value = typed[field].trim()
    if (value !== base[field].trim()) changes[field] = value
  }
  if (typed.status !== "" && typed.status !== base.status) changes.status = typed.status
  if (!sameValue(typed.metadata, base.metadata)) {
    const metadata = metadataOf(typed.metadata)
    if (!sameValue(metadata, metadataOf(base.metadata))) changes.metadata = metadata
  }
  return changes
}

/**
 * What sets the changed fields back to what they held; undefined where there is nothing to set, where it cannot be set
 * (a status that only the service gives), and for a record without a version, whose later changes would be overwritten.
 */
export function undoOf(
  before: Member,
  saved: Member,
  changes: UpdateMemberBody,
): UpdateMemberBody | undefined {
  const [was, is] = [valuesOf(before), valuesOf(saved)]
  if (!saved.updated_at || (changes.status !== undefined && was.status === "")) return undefined
  const changed = fields.filter((field) => changes[field] !== undefined)
  const back = changesOf(is, { ...is, ...Object.fromEntries(changed.map((field) => [field, was[field]])) })
  return Object.keys(back).length === 0 ? undefined : back
}

/** The labels of the fields, in the form's order. */
export const fieldLabels = {
  first_name: "First name",
  last_name: "Last name",
  company: "Company",
  phone: "Phone",
  status: "Status",
  metadata: "Custom fields",
} as const satisfies Readonly<Record<keyof EditValues, string>>

const fields = Object.keys(fieldLabels) as (keyof EditValues)[]

/** Changed fields by name: `company and custom fields`. Empty when nothing is changed. */
export function changedFieldsText(changes: UpdateMemberBody): string {
  const names = fields
    .filter((field) => changes[field] !== undefined)
    .map((field) => fieldLabels[field].toLowerCase())
  return listed(names)
}

/** Whose value a field gets. */
export type Choices = Readonly<Partial<Record<keyof EditValues, "theirs" | "yours">>>

interface Versions {
  readonly before: EditValues
  readonly theirs: EditValues
  readonly yours: EditValues
}

/** The fields that two people changed to different values; metadata counts as one. */
export function conflictsOf({ before, theirs, yours }: Versions): (keyof EditValues)[] {
  const differ = (field: keyof EditValues, one: EditValues, other: EditValues) =>
    !sameValue(one[field], other[field])
  return fields.filter(
    (field) => differ(field, before, theirs) && differ(field, before, yours) && differ(field, theirs, yours),
  )
}

/** What was typed on top of the record as it is now; a field that both changed gets what was chosen for it. */
export function withChoices({ before, theirs, yours }: Versions, choices: Choices): EditValues {
  const kept = fields.filter(
    (field) => !sameValue(before[field], yours[field]) && choices[field] !== "theirs",
  )
  return { ...theirs, ...Object.fromEntries(kept.map((field) => [field, yours[field]])) }
}
