import type { RowValues, RuleRow } from "../recipes/recipe.ts"
import { checkRow, isProblem, type CheckedRow } from "./check-row.ts"
import { planReading, type ReadingPlan } from "./reading-plan.ts"
import { rowIds, type SheetData } from "./sheet-data.ts"
import type { CellProblem, RowStanding } from "./sheet-view.ts"

/** Rows between two reports of progress. */
const reportEvery = 5000

const nothing: CheckedRow = { values: null, problems: [] }
const noProblems: readonly CellProblem[] = []

/** What is known about the rows of a sheet. */
export interface SheetChecks {
  readonly plan: () => ReadingPlan
  /** Checks everything anew, after the columns or the way numbers are read have changed. */
  readonly all: (onProgress: (share: number) => void) => void
  /** Checks these rows anew, and compares all of them. */
  readonly some: (ids: Iterable<number>) => void
  readonly problemsOf: (id: number) => readonly CellProblem[]
  /** What a row holds; null when something is wrong with it. */
  readonly valuesOf: (id: number) => RowValues | null
  readonly standingOf: (id: number) => RowStanding
  /** Whether a row is kept in spite of what has to be looked at. */
  readonly isKept: (id: number) => boolean
  /** Whether a row would be sent. */
  readonly isIncluded: (id: number) => boolean
  /** What has to be looked at in a row, as the text under which it is kept. */
  readonly checksOf: (id: number) => string
}

/** Checks the rows of a sheet and remembers what it found. */
export function createChecks(data: SheetData): SheetChecks {
  let plan = planReading(data)
  const own: CheckedRow[] = []
  let compared = new Map<number, readonly CellProblem[]>()

  /** Rows that were left out by hand, or cannot be sent anyway, make no other row a duplicate. */
  function compare(): void {
    compared = new Map()
    if (plan.missing.length > 0) return
    const ids: number[] = []
    const rows: RuleRow[] = []
    for (const id of rowIds(data)) {
      const values = own[id]?.values ?? null
      if (values === null || data.left.has(id) || isBlank(id)) continue
      ids.push(id)
      rows.push({ values, number: data.numbers[id] ?? 0 })
    }
    const columns = new Map(plan.fields.map(({ field, column }) => [field.key, column]))
    for (const { at, ...found } of data.recipe.rules.flatMap((rule) => rule(rows, plan.context))) {
      const id = ids[at] ?? -1
      const problem: CellProblem = { column: columns.get(found.field) ?? null, ...found }
      compared.set(id, [...(compared.get(id) ?? []), problem])
    }
  }

  const isBlank = (id: number) => data.table[id]?.every((cell) => cell === "") ?? true

  function problemsOf(id: number): readonly CellProblem[] {
    if (isBlank(id)) return noProblems
    const found = own[id]?.problems ?? noProblems
    const more = compared.get(id)
    return more === undefined ? found : [...found, ...more]
  }

  function standingOf(id: number): RowStanding {
    const problems = problemsOf(id)
    if (problems.some(isProblem)) return "problem"
    if (problems.length > 0) return "check"
    if (isBlank(id)) return "blank"
    return data.left.has(id) ? "out" : "ready"
  }

  const checksOf = (id: number) =>
    problemsOf(id)
      .map(({ field, code }) => `${field}:${code}`)
      .toSorted()
      .join(" ")

  const isKept = (id: number) => data.kept.get(id) === checksOf(id)

  return {
    plan: () => plan,
    all(onProgress) {
      plan = planReading(data)
      own.length = 0
      let done = 0
      for (let id = 0; id < data.table.length; id += 1) {
        own[id] = data.removed.has(id) ? nothing : checkRow(data, plan, id)
        done += 1
        if (done % reportEvery === 0) onProgress(done / data.table.length)
      }
      compare()
    },
    some(ids) {
      for (const id of ids) own[id] = checkRow(data, plan, id)
      compare()
    },
    problemsOf,
    valuesOf: (id) => own[id]?.values ?? null,
    standingOf,
    isKept,
    isIncluded(id) {
      if (plan.missing.length > 0) return false
      const standing = standingOf(id)
      return standing === "ready" || (standing === "check" && isKept(id))
    },
    checksOf,
  }
}
