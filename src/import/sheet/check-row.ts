import type { RowValues } from "../recipes/recipe.ts"
import type { ReadingPlan } from "./reading-plan.ts"
import { cellOf, columnOf, type SheetData } from "./sheet-data.ts"
import type { CellProblem } from "./sheet-view.ts"

/** What a row holds, and what is wrong with it by itself. */
export interface CheckedRow {
  /** Null when something is wrong, so the row cannot be compared or sent. */
  readonly values: RowValues | null
  readonly problems: readonly CellProblem[]
}

/** Reads one row by itself. */
export function checkRow(data: SheetData, plan: ReadingPlan, id: number): CheckedRow {
  const values: Record<string, string | number> = {}
  const problems: CellProblem[] = []
  const cells = data.table[id] ?? []
  const { oneOf } = data.recipe
  let named = false
  for (const { field, column, constant } of plan.fields) {
    const isName = oneOf?.keys.includes(field.key) === true
    if (isName && named) continue
    const text = column === null ? "" : (cells[column] ?? "")
    if (text === "") {
      if (constant !== null) values[field.key] = constant
      else if (field.required && column !== null) problems.push(wrong(field.key, column, field.empty))
      continue
    }
    named = named || isName
    const reading = field.read(text, plan.context)
    const fix = reading.fix === undefined ? {} : { fix: reading.fix }
    if ("problem" in reading) {
      problems.push({ ...wrong(field.key, column, reading.problem), ...fix })
      continue
    }
    if (reading.value !== null) values[reading.as ?? field.key] = reading.value
    if (reading.check !== undefined) {
      const found = wrong(field.key, column, reading.check)
      problems.push({ ...found, ...fix, severity: "check", code: "check" })
    }
  }
  const nameColumn = oneOf === undefined || named ? undefined : firstColumn(plan, oneOf.keys)
  if (nameColumn !== undefined && oneOf !== undefined) {
    problems.push(wrong(nameColumn.field, nameColumn.column, oneOf.empty))
  }
  problems.push(...noted(data, plan, id))
  return { values: problems.some(isProblem) ? null : values, problems }
}

/** Whether it leaves the row out whatever a person says. */
export function isProblem(problem: CellProblem): boolean {
  return problem.severity === "problem"
}

function wrong(field: string, column: number | null, text: string): CellProblem {
  return { field, column, severity: "problem", code: "cell", text }
}

function firstColumn(plan: ReadingPlan, keys: readonly string[]) {
  const first = plan.fields.find(({ field, column }) => column !== null && keys.includes(field.key))
  return first === undefined ? undefined : { field: first.field.key, column: first.column }
}

/** What was noted while the file was read, and what the page marked. */
function noted(data: SheetData, plan: ReadingPlan, id: number): CellProblem[] {
  const doubt = data.doubts.get(id)
  const found = (data.marks.get(id) ?? [])
    .filter((mark) => cellOf(data, id, columnOf(data, mark.field)) === mark.cell)
    .map(({ field, severity, text }): CellProblem => ({
      field,
      column: columnOf(data, field),
      severity,
      code: severity === "check" ? "check" : "mark",
      text,
    }))
  const repeat = data.repeats.get(id)
  if (repeat !== undefined) {
    const named = data.recipe.oneOf?.keys ?? [data.recipe.fields[0]?.key ?? ""]
    const field = named.find((key) => cellOf(data, id, columnOf(data, key)) !== "") ?? named[0] ?? ""
    found.push({ field, column: columnOf(data, field), severity: "check", code: "repeat", text: repeat })
  }
  if (doubt === undefined) return found
  const place = plan.fields.find(({ column }) => column !== null)
  const code = doubt.severity === "check" ? "check" : "cell"
  return [...found, { field: place?.field.key ?? "", column: place?.column ?? 0, ...doubt, code }]
}
