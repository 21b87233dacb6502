import { toCsv } from "../../lib/csv.ts"
import type { SheetChecks } from "./sheet-checks.ts"
import { rowIds, type SheetData } from "./sheet-data.ts"

/** Rows that would not be sent, as they stand, with their number and why; a CSV file that computes nothing. */
export function leftOutCsv(data: SheetData, checks: SheetChecks): string {
  return toCsv({
    columns: ["Row", ...data.columns.map((column) => column.name), "Why"],
    rows: leftOut(data, checks),
  })
}

function* leftOut(data: SheetData, checks: SheetChecks) {
  for (const id of rowIds(data)) {
    const standing = checks.standingOf(id)
    if (standing === "blank" || checks.isIncluded(id)) continue
    const why = checks.problemsOf(id).map((problem) => problem.text)
    if (standing === "out") why.push("Excluded by hand")
    yield [data.numbers[id], ...(data.table[id] ?? []), why.join("; ")]
  }
}
