import type { ExclusionCode } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import { toCsv } from "../lib/csv.ts"
import { formatCount, formatPoints } from "../lib/format.ts"
import { fieldsOf, isProblem, type SheetChecks } from "./checks.ts"
import { rowIds, type SheetData } from "./load-sheet.ts"
import { delimiterLabels } from "./parse-table.ts"
import { encodingLabels } from "./read-file.ts"
import type { Recipe, RowValues } from "./recipe.ts"
import { amountRange } from "./rules.ts"
import type { CellProblem, CheckCounts, FileEntry, RowView, SheetView } from "./sheet-view.ts"

/** What a page has to know about a sheet: how it was read, and what its rows come to. */
export function viewOf(
  data: SheetData,
  checks: SheetChecks,
  state: Pick<SheetView, "filter" | "shown" | "canUndo"> & { readonly canReread: boolean },
): SheetView {
  const { origin, recipe, columns, constants, choices, restoredAt } = data
  const { canReread, ...shown } = state
  const { missing, constantProblems } = checks.plan()
  const figures = summarise(data, checks)
  const rows = `${formatCount(figures.counts.all)} ${figures.counts.all === 1 ? "row" : "rows"}`
  const { encoding, delimiter, style, styleMatters, headerAt } = origin
  return {
    ...figures,
    ...shown,
    name: origin.name,
    notes: origin.notes,
    description:
      encoding === null ? rows : `${rows}, ${delimiterLabels[delimiter]}, ${encodingLabels[encoding]}`,
    detected: encoding && {
      encoding,
      delimiter,
      hasHeader: headerAt !== null,
      decimal: style,
      decimalMatters: styleMatters,
      canReread,
    },
    takesMetadata: recipe.metadata === true,
    fields: fieldsOf(data).map(({ key, label, required, mono = false, end = false, constant = false }) => ({
      key,
      label,
      required,
      mono,
      end,
      constant,
    })),
    columns,
    constants,
    constantProblems,
    missing,
    restoredAt,
    choices,
  }
}

type Figures = Pick<SheetView, "counts" | "included" | "amounts" | "people" | "kept" | "leftOut">

function summarise(data: SheetData, checks: SheetChecks): Figures {
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
      const kind = checkKind(checks.problemsOf(id))
      if (checks.isKept(id)) kept[kind] += 1
      else leftOut[kind] += 1
    } else if (standing === "out") {
      counts.out += 1
      leftOut.byHand += 1
    } else if (!blocked) {
      counts.ready += 1
    }
  }
  const values = included.map((id) => checks.valuesOf(id) ?? {})
  const { recipe, numbers } = data
  const amounts =
    recipe.amount === undefined ? [] : values.map((row) => Number(row[recipe.amount ?? ""] ?? 0))
  const range = amountRange(amounts)
  return {
    counts,
    kept,
    leftOut,
    included: included.length,
    amounts: range && { ...range, largestRow: numbers[included[amounts.indexOf(range.max)] ?? 0] ?? 0 },
    people: peopleOf(recipe, values),
  }
}

/** The first thing to confirm names the row's kind; that it repeats an earlier one comes before everything else. */
function checkKind(problems: readonly CellProblem[]): keyof CheckCounts {
  if (problems.some(({ code }) => code === "repeat")) return "repeats"
  const code = problems.find((problem) => !isProblem(problem))?.code
  if (code === "duplicate") return "duplicates"
  return code === "outlier" ? "outliers" : "others"
}

function peopleOf(recipe: Recipe, rows: readonly RowValues[]): SheetView["people"] {
  const counts = new Map<string, number>()
  for (const values of rows) {
    const who = recipe.who(values)
    counts.set(who, (counts.get(who) ?? 0) + 1)
  }
  let byEmail = 0
  let mostRows = 0
  let repeated = 0
  for (const [who, count] of counts) {
    if (recipe.oneOf !== undefined && who.startsWith("email:")) byEmail += 1
    if (count > 1) repeated += 1
    mostRows = Math.max(mostRows, count)
  }
  return { members: counts.size, byEmail, mostRows, repeated }
}

/** Characters of a long text that are drawn; editing shows all of it. */
const drawn = 300

/** One row as the page draws it. */
export function rowView(data: SheetData, checks: SheetChecks, id: number): RowView {
  const texts = data.columns.map((_, at) => data.table[id]?.[at] ?? "")
  const numeric = new Set(data.recipe.fields.filter(({ end }) => end).map(({ key }) => key))
  const values = checks.valuesOf(id)
  return {
    id,
    number: data.numbers[id] ?? 0,
    standing: checks.standingOf(id),
    kept: checks.isKept(id),
    texts,
    shown: texts.map((text, at) => {
      const field = data.columns[at]?.field ?? ""
      const value = numeric.has(field) && text !== "" ? values?.[field] : undefined
      return typeof value === "number" ? formatPoints(value) : text.slice(0, drawn)
    }),
    problems: checks.problemsOf(id),
  }
}

const exclusionCodes: Readonly<Record<keyof CheckCounts, ExclusionCode>> = {
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
  const byHand = standing !== "problem" && data.decisions.get(id) === "excluded"
  const code =
    standing === "problem"
      ? "problem_in_file"
      : byHand
        ? "excluded_by_person"
        : exclusionCodes[checkKind(problems)]
  const texts = problems.map(({ text }) => text)
  const message = byHand || texts.length === 0 ? "Excluded by hand" : texts.join("; ")
  const input = values === null ? textsOf(data, id) : data.recipe.build(values)
  return { line, excluded: { code, message: message.slice(0, limits.reason), input } }
}

/** The texts of a row that could not be read, by field. */
function textsOf({ columns, table, constants }: SheetData, id: number): Readonly<Record<string, string>> {
  const cells = columns.flatMap(({ field }, at) =>
    field === null ? [] : [[field, table[id]?.[at] ?? ""] as const],
  )
  return { ...constants, ...Object.fromEntries(cells.filter(([, text]) => text !== "")) }
}

/** Rows that would not be sent, as they are, with their number and why; a CSV file that computes nothing. */
export function excludedCsv(data: SheetData, checks: SheetChecks): string {
  const excluded = [...rowIds(data)].filter(
    (id) => checks.standingOf(id) !== "blank" && !checks.isIncluded(id),
  )
  return toCsv({
    columns: ["Row", ...data.columns.map(({ name }) => name), "Why"],
    rows: excluded.map((id) => {
      const why = checks.problemsOf(id).map(({ text }) => text)
      if (checks.standingOf(id) === "out") why.push("Excluded by hand")
      const cells = data.columns.map((_, at) => data.table[id]?.[at] ?? "")
      return [data.numbers[id], ...cells, why.join("; ")]
    }),
  })
}

/**
 * SHA-256 over what the rows would do, as hexadecimal text: the same for the same rows in another order, with other
 * spelling of numbers or case, from a file or pasted. Null where the browser has no cryptography (plain HTTP).
 */
export async function fingerprintOf(recipe: Recipe, rows: readonly RowValues[]): Promise<string | null> {
  // The type says it is always there; a page that came over plain HTTP has none.
  if (!("subtle" in crypto)) return null
  const lines = rows.map((row) => recipe.normal(row)).toSorted()
  const bytes = new TextEncoder().encode([recipe.name, ...lines].join("\n"))
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")
}
