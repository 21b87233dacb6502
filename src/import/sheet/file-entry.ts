import type { ExclusionCode } from "../../../contract/job.ts"
import { limits } from "../../../contract/limits.ts"
import type { SheetChecks } from "./sheet-checks.ts"
import type { FileEntry } from "./sheet-command.ts"
import type { SheetData } from "./sheet-data.ts"
import { kindOf } from "./sheet-summary.ts"

const codes: Readonly<Record<ReturnType<typeof kindOf>, ExclusionCode>> = {
  repeats: "repeated_row",
  duplicates: "duplicate_in_file",
  outliers: "outlier_in_file",
  others: "check_in_file",
}

/** A row as its job keeps it: to be carried out, or excluded with the reason and what could be read of it. */
export function fileEntry(data: SheetData, checks: SheetChecks, id: number): FileEntry {
  const line = data.numbers[id] ?? 0
  const values = checks.valuesOf(id)
  if (values !== null && checks.isIncluded(id)) return { line, row: data.recipe.build(values) }
  const standing = checks.standingOf(id)
  const problems = checks.problemsOf(id)
  const byHand = standing !== "problem" && data.left.has(id)
  const code =
    standing === "problem" ? "problem_in_file" : byHand ? "excluded_by_person" : codes[kindOf(problems)]
  const texts = problems.map(({ text }) => text)
  const message = byHand || texts.length === 0 ? "Excluded by hand" : texts.join("; ")
  return {
    line,
    excluded: {
      code,
      message: message.slice(0, limits.reason),
      input: values === null ? textsOf(data, id) : data.recipe.build(values),
    },
  }
}

/** The texts of a row that could not be read, by field. */
function textsOf({ columns, table, constants }: SheetData, id: number): Readonly<Record<string, string>> {
  const cells = columns.flatMap(({ field }, at) =>
    field === null ? [] : [[field, table[id]?.[at] ?? ""] as const],
  )
  return { ...constants, ...Object.fromEntries(cells.filter(([, text]) => text !== "")) }
}
