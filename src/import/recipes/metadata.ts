import { limits } from "../../../contract/limits.ts"
import { readText } from "./fields.ts"
import type { Field, Recipe, RowValues } from "./recipe.ts"

const prefix = "metadata."

/**
 * The field that a column such as `metadata.region` holds; null for any other name, and for a key that is blank or too
 * long. A key stays as it is, byte for byte: `a` and `a ` are two keys (contract/program/member.ts).
 */
export function metadataKey(name: string): string | null {
  const key = /^\s*metadata\.(.*)$/is.exec(name)?.[1] ?? ""
  return key.trim() === "" || key.length > limits.metadata.key ? null : prefix + key
}

/** A metadata field as people read it; blanks at an end of its key are made visible by quotes. */
export function metadataLabel(field: string): string {
  const key = field.slice(prefix.length)
  return `Metadata: ${key === key.trim() ? key : `"${key}"`}`
}

/** The fields of a kind of file, with those that its columns of metadata make. */
export function fieldsOf(
  recipe: Pick<Recipe, "fields" | "metadata">,
  columns: readonly { readonly field: string | null }[],
): readonly Field[] {
  if (recipe.metadata !== true) return recipe.fields
  const own = columns.flatMap(({ field }) =>
    field?.startsWith(prefix) === true ? [metadataField(field)] : [],
  )
  return [...recipe.fields, ...own]
}

/** Metadata is free-form: what a file says of it is text (docs/api/program.md, Award, Create member). */
function metadataField(key: string): Field {
  return {
    key,
    label: metadataLabel(key),
    required: false,
    names: [],
    read: readText(limits.metadata.value),
    empty: "A value is required",
  }
}

/** A row's values with those of its metadata in one field, as the server takes them. */
export function withMetadata(values: RowValues): Readonly<Record<string, unknown>> {
  const entries = Object.entries(values)
  const held = entries.filter(([key]) => key.startsWith(prefix))
  if (held.length === 0) return values
  return {
    ...Object.fromEntries(entries.filter(([key]) => !key.startsWith(prefix))),
    metadata: Object.fromEntries(held.map(([key, value]) => [key.slice(prefix.length), value])),
  }
}
