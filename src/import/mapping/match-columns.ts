import type { Field } from "../recipes/recipe.ts"
import { plainName } from "./plain-name.ts"

/** For each column the key of the field it holds; null for a column that is not used. */
export type Mapping = readonly (string | null)[]

/** Whether a text is a name of one of the fields. */
export function nameTest(fields: readonly Field[]): (text: string) => boolean {
  const names = new Set(fields.flatMap(namesOf))
  return (text) => names.has(plainName(text))
}

/**
 * Columns by their names: a field's own key or label first, then its other names. Only whole names count: "points
 * balance" is not points. Each field is held by one column at most.
 */
export function matchColumns(names: readonly string[], fields: readonly Field[]): Mapping {
  const mapping: (string | null)[] = names.map(() => null)
  for (const namesFor of [(field: Field) => [field.key, field.label].map(plainName), namesOf]) {
    for (const field of fields) {
      if (mapping.includes(field.key)) continue
      const known = new Set(namesFor(field))
      const at = names.findIndex((name, index) => mapping[index] === null && known.has(plainName(name)))
      if (at >= 0) mapping[at] = field.key
    }
  }
  return mapping
}

function namesOf(field: Field): string[] {
  return [field.key, field.label, ...field.names].map(plainName)
}
