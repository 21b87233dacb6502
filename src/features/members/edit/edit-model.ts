import { forNames, memberDetailNames, memberFields } from "../../../../contract/program/member-fields.ts"
import { type Member, memberDetailText, type UpdateMemberBody } from "../../../../contract/program/member.ts"
import { plainText, requiredText } from "../../../../contract/program/common.ts"
import { checkMetadataRows, metadataOf, metadataRow, rowsOf } from "../../../forms/metadata-editor.tsx"
import { listed } from "../../../lib/format.ts"
import { sameValue } from "../../../lib/same-value.ts"
import * as z from "zod/mini"
import { settableStatus } from "../page/member-state.ts"

const textFields = ["first_name", "last_name", ...memberDetailNames] as const

/** Values of the edit form. `status` is empty if the member's own cannot be set (`pending`). */
export const editValues = z.object({
  ...forNames(textFields, () => z.string()),
  status: z.enum(["", "active", "inactive"]),
  metadata: z.array(metadataRow),
})
export type EditValues = z.output<typeof editValues>

export function toFormValues(member: Member): EditValues {
  return {
    ...forNames(textFields, (field) => member[field] ?? ""),
    status: settableStatus(member) ?? "",
    metadata: rowsOf(member.metadata),
  }
}

/**
 * The form's schema. Existing values are never refused: a missing name may stay missing, and metadata is checked only
 * once touched.
 */
export function editSchema(base: EditValues): z.ZodMiniType<EditValues, EditValues> {
  return z.object({
    first_name: base.first_name.trim() === "" ? plainText() : requiredText("a first name"),
    last_name: base.last_name.trim() === "" ? plainText() : requiredText("a last name"),
    ...forNames(memberDetailNames, memberDetailText),
    status: z.enum(["", "active", "inactive"]),
    metadata: z.array(metadataRow).check((ctx) => {
      if (!sameValue(ctx.value, base.metadata)) checkMetadataRows(ctx, base.metadata)
    }),
  })
}

/** The changed fields as sent; metadata always in full (docs/api/program.md). */
export function getChanges(base: EditValues, typed: EditValues): UpdateMemberBody {
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
 * The body that restores the changed fields; undefined without changes, for a value that cannot be set (a read-only
 * status), and for a record without a version, where later changes would be overwritten.
 */
export function undoChanges(
  before: Member,
  saved: Member,
  changes: UpdateMemberBody,
): UpdateMemberBody | undefined {
  const [was, is] = [toFormValues(before), toFormValues(saved)]
  if (!saved.updated_at || (changes.status !== undefined && was.status === "")) return undefined
  const changed = fields.filter((field) => changes[field] !== undefined)
  const back = getChanges(is, { ...is, ...Object.fromEntries(changed.map((field) => [field, was[field]])) })
  return Object.keys(back).length === 0 ? undefined : back
}

/** The form's fields in order. */
const fields = [...textFields, "status", "metadata"] as const
export const fieldLabels = forNames(fields, (field) => memberFields[field].label)

/** Labels of the changed fields: `company and custom fields`. Empty without changes. */
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

/** The fields that both users changed to different values; metadata counts as one. */
export function findConflicts({ before, theirs, yours }: Versions): (keyof EditValues)[] {
  const differ = (field: keyof EditValues, one: EditValues, other: EditValues) =>
    !sameValue(one[field], other[field])
  return fields.filter(
    (field) => differ(field, before, theirs) && differ(field, before, yours) && differ(field, theirs, yours),
  )
}

/** The typed changes applied to the current record; a field that both changed gets the chosen value. */
export function withChoices({ before, theirs, yours }: Versions, choices: Choices): EditValues {
  const ownFields = fields.filter(
    (field) => !sameValue(before[field], yours[field]) && choices[field] !== "theirs",
  )
  return { ...theirs, ...Object.fromEntries(ownFields.map((field) => [field, yours[field]])) }
}
