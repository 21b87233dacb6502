import { spreadOf } from "../check/spread.ts"
import { formatCount } from "../../lib/format.ts"
import { delimiterLabels } from "../read/delimiter.ts"
import { encodingLabels } from "../read/encoding.ts"
import { isProblem } from "./check-row.ts"
import type { SheetChecks } from "./sheet-checks.ts"
import { rowIds, type SheetData } from "./sheet-data.ts"
import type { CellProblem, SheetView } from "./sheet-view.ts"

type RowFigures = Pick<SheetView, "counts" | "included" | "amounts" | "people" | "kept" | "leftOut">

/** Counts and sums a whole sheet up. */
export function summarise(data: SheetData, checks: SheetChecks): RowFigures {
  const counts = { all: 0, problems: 0, checks: 0, ready: 0, out: 0 }
  const kept = { repeats: 0, duplicates: 0, outliers: 0, others: 0 }
  const leftOut = { problems: 0, repeats: 0, duplicates: 0, outliers: 0, others: 0, byHand: 0, total: 0 }
  const included: number[] = []
  const blocked = checks.plan().missing.length > 0
  for (const id of rowIds(data)) {
    counts.all += 1
    const standing = checks.standingOf(id)
    if (standing === "blank") continue
    if (checks.isIncluded(id)) included.push(id)
    else if (!blocked || standing !== "ready") leftOut.total += 1
    if (standing === "problem") {
      counts.problems += 1
      leftOut.problems += 1
    } else if (standing === "check") {
      counts.checks += 1
      const kind = kindOf(checks.problemsOf(id))
      if (checks.isKept(id)) kept[kind] += 1
      else leftOut[kind] += 1
    } else if (standing === "out") {
      counts.out += 1
      leftOut.byHand += 1
    } else if (!blocked) {
      counts.ready += 1
    }
  }
  return {
    counts,
    kept,
    leftOut,
    included: included.length,
    amounts: amountsOf(data, checks, included),
    people: peopleOf(data, checks, included),
  }
}

/** The first thing to look at names the row's kind; that it repeats an earlier one comes before everything else. */
export function kindOf(problems: readonly CellProblem[]): "repeats" | "duplicates" | "outliers" | "others" {
  if (problems.some(({ code }) => code === "repeat")) return "repeats"
  const code = problems.find((problem) => !isProblem(problem))?.code
  if (code === "duplicate") return "duplicates"
  return code === "outlier" ? "outliers" : "others"
}

function amountsOf(data: SheetData, checks: SheetChecks, ids: readonly number[]): SheetView["amounts"] {
  const field = data.recipe.amount
  if (field === undefined) return null
  const amounts = ids.map((id) => Number(checks.valuesOf(id)?.[field] ?? 0))
  const spread = spreadOf(amounts)
  if (spread === null) return null
  const largest = ids[amounts.indexOf(spread.max)] ?? 0
  return { ...spread, largestRow: data.numbers[largest] ?? 0 }
}

function peopleOf(data: SheetData, checks: SheetChecks, ids: readonly number[]): SheetView["people"] {
  const rows = new Map<string, number>()
  let byEmail = 0
  for (const id of ids) {
    const values = checks.valuesOf(id)
    if (values === null) continue
    const who = data.recipe.who(values)
    const before = rows.get(who) ?? 0
    if (before === 0 && data.recipe.oneOf !== undefined && who.startsWith("email:")) byEmail += 1
    rows.set(who, before + 1)
  }
  let mostRows = 0
  let repeated = 0
  for (const count of rows.values()) {
    mostRows = Math.max(mostRows, count)
    if (count > 1) repeated += 1
  }
  return { members: rows.size, byEmail, mostRows, repeated }
}

/** "508 rows, comma, UTF-8"; rows that come from no file have neither. */
export function describe({ origin }: SheetData, all: number): string {
  const rows = `${formatCount(all)} ${all === 1 ? "row" : "rows"}`
  if (origin.encoding === null) return rows
  return `${rows}, ${delimiterLabels[origin.delimiter]}, ${encodingLabels[origin.encoding]}`
}
