import { formatPoints } from "../../lib/format.ts"
import type { SheetChecks } from "./sheet-checks.ts"
import type { SheetData } from "./sheet-data.ts"
import type { RowView } from "./sheet-view.ts"

/** Characters of a long text that are drawn; editing shows all of it. */
const drawn = 300

/** One row as the page draws it. */
export function rowView(data: SheetData, checks: SheetChecks, id: number): RowView {
  const texts = [...(data.table[id] ?? [])]
  const problems = checks.problemsOf(id)
  const numeric = new Set(data.recipe.fields.filter((field) => field.end).map((field) => field.key))
  const values = checks.valuesOf(id)
  return {
    id,
    number: data.numbers[id] ?? 0,
    standing: checks.standingOf(id),
    kept: checks.isKept(id),
    texts,
    shown: texts.map((text, at) => {
      const field = data.columns[at]?.field ?? null
      const value = field !== null && numeric.has(field) && text !== "" ? values?.[field] : undefined
      return typeof value === "number" ? formatPoints(value) : text.slice(0, drawn)
    }),
    problems,
  }
}
