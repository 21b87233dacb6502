import { textProblem } from "../check/text-problems.ts"
import { fieldsOf } from "../recipes/metadata.ts"
import type { Field, ReadingContext } from "../recipes/recipe.ts"
import { columnOf, type SheetData } from "./sheet-data.ts"

/** Where a field's value comes from. */
interface FieldPlan {
  readonly field: Field
  readonly column: number | null
  /** The value for all rows; null when there is none. */
  readonly constant: string | number | null
}

/** How each row is read, worked out once for all of them. */
export interface ReadingPlan {
  readonly fields: readonly FieldPlan[]
  readonly context: ReadingContext
  readonly constantProblems: Readonly<Record<string, string>>
  /** What every row needs and nothing holds. */
  readonly missing: readonly { readonly label: string; readonly fields: readonly string[] }[]
}

/** Works out where each field's value comes from: a column, else the value for all rows. */
export function planReading(data: SheetData): ReadingPlan {
  const context = { style: data.origin.style, ...data.facts }
  const constantProblems: Record<string, string> = {}
  const fields = fieldsOf(data.recipe, data.columns).map((field): FieldPlan => {
    const column = columnOf(data, field.key)
    const text = data.constants[field.key]?.trim() ?? ""
    if (column !== null || text === "") return { field, column, constant: null }
    const reading = field.read(text, context)
    if (!("problem" in reading)) return { field, column, constant: reading.value }
    constantProblems[field.key] = textProblem(text) ?? reading.problem
    return { field, column, constant: null }
  })
  const lacking = new Set(
    fields
      .filter(({ column, constant }) => column === null && constant === null)
      .map(({ field }) => field.key),
  )
  const missing = fields
    .filter(({ field }) => field.required && lacking.has(field.key))
    .map(({ field }) => ({ label: field.label, fields: [field.key] }))
  const { oneOf } = data.recipe
  if (oneOf?.keys.every((key) => lacking.has(key)) === true) {
    missing.unshift({ label: oneOf.label, fields: [...oneOf.keys] })
  }
  return { fields, context, constantProblems, missing }
}
