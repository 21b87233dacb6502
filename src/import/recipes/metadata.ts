import { limits } from "../../../contract/limits.ts"
import { readText } from "./fields.ts"
import type { Field, Recipe, RowValues } from "./recipe.ts"

const prefix = "metadata."

/** The field that a column such as `metadata.region` holds; null for any other name, and for a key that is too long. */
export function metadataKey(name: string): string | null {
  const key = /^metadata\.(.*)$/is.exec(name.trim())?.[1]?.trim() ?? ""
  return key === "" || key.length > limits.metadata.key ? null : prefix + key
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
    label: `Metadata: ${key.slice(prefix.length)}`,
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
