import type { Correction } from "../../contract/earlier-awards.ts"
import { createChecks, noneChosen } from "./checks.ts"
import { sameValue } from "../lib/same-value.ts"
import { parseRange, plainCell } from "./parse-table.ts"
import { buildRow, type SheetFacts } from "./recipe.ts"
import { cellOf, columnOf, rowChoice, rowIds, type SheetData } from "./sheet-data.ts"
import {
  acceptedInput,
  excludedCsv,
  fileEntry,
  fingerprintOf,
  rowView,
  viewOf,
  type AcceptedRow,
  type CellEdit,
  type CellPlace,
  type Mark,
  type RowFilter,
} from "./sheet-view.ts"

const mostUndos = 200

const standings = { all: null, problems: "problem", checks: "check", ready: "ready", out: "out" } as const
const encoder = new TextEncoder()

/** A change's undo steps, first step first, and the ids of rows to check afterwards, or whether to check all. */
const newChange = () => ({ steps: [] as (() => void)[], ids: new Set<number>(), all: false })
type Change = ReturnType<typeof newChange>

export type Sheet = ReturnType<typeof createSheet>

/**
 * Opens a sheet. In a filtered view, corrected rows stay until the filter is chosen again, so that rows do not move.
 */
export function createSheet(data: SheetData, canReread: boolean, onProgress: (share: number) => void) {
  const checks = createChecks(data)
  const undos: Change[] = []
  let current = newChange()
  let filter: RowFilter = "all"
  let shown: number[] = []

  const isRemoved = (id: number) => data.decisions.get(id) === "removed"

  function filterRows(): void {
    const standing = standings[filter]
    shown = [...rowIds(data)].filter((id) => standing === null || checks.standingOf(id) === standing)
  }

  function checkAll(): void {
    checks.all(onProgress)
    filterRows()
  }

  function change(apply: () => void): void {
    current = newChange()
    apply()
    undos.push(current)
    if (undos.length > mostUndos) undos.shift()
    recheck(current)
  }

  function recheck({ ids, all }: Change): void {
    if (all) return checkAll()
    checks.some(ids)
    shown = shown.filter((id) => !isRemoved(id))
    const visible = new Set(shown)
    // Added and restored rows appear in the view by the current filter.
    if ([...ids].some((id) => !isRemoved(id) && !visible.has(id))) filterRows()
  }

  function step<T>(before: T, next: T, set: (value: T) => void): void {
    current.steps.push(() => set(before))
    set(next)
  }

  function assign<K extends "choices" | "columns" | "constants">(key: K, value: SheetData[K]): void {
    change(() => {
      current.all = true
      step(data[key], value, (next) => {
        data[key] = next
      })
    })
  }

  function put<V>(map: Map<number, V>, id: number, value?: V): void {
    step(map.get(id), value, (next) => (next === undefined ? map.delete(id) : map.set(id, next)))
  }

  /** Writes texts into cells. A confirmed row has to be confirmed again. */
  function write(changes: readonly CellEdit[]): void {
    const { table, columns, decisions, notes, edits } = data
    for (const { id, column, text } of changes) {
      const row = table[id]
      if (row === undefined || column >= columns.length) continue
      current.ids.add(id)
      const edited = edits.get(id) ?? new Map<number, string>()
      edits.set(id, edited)
      step(row[column] ?? "", plainCell(text.trim()), (next) => {
        row[column] = next
        edited.set(column, next)
      })
      if (typeof decisions.get(id) === "object") put(decisions, id)
      put(notes, id)
    }
  }

  /** Adds an empty row at the end, with the next number. Undo makes it a removed row. */
  function append(): number {
    const { table, numbers, columns } = data
    numbers.push((numbers.at(-1) ?? 0) + 1)
    const id = table.push(columns.map(() => "")) - 1
    current.ids.add(id)
    current.steps.push(() => data.decisions.set(id, "removed"))
    return id
  }

  const included = () => [...rowIds(data)].filter((id) => checks.isIncluded(id))

  checkAll()
  return {
    data,
    view: () => viewOf(data, checks, { filter, shown: shown.length, canReread, canUndo: undos.length > 0 }),

    edit: (changes: readonly CellEdit[]): void => change(() => write(changes)),

    /** Writes a copied range from this cell of the view on; missing rows are added. */
    paste: ({ position, column }: CellPlace, text: string): void => {
      change(() => {
        for (const [down, row] of parseRange(text).entries()) {
          const id = shown[position + down] ?? append()
          shown[position + down] = id
          write(row.map((cell, right) => ({ id, column: column + right, text: cell })))
        }
      })
    },

    /** Sets which field a column holds; the column that held it is unmapped. */
    map: (column: number, field: string | null): void => {
      const freed = data.columns.map((each) => (each.field === field ? { ...each, field: null } : each))
      assign(
        "columns",
        freed.map((each, at) => (at === column ? { ...each, field } : each)),
      )
    },

    /** Sets the value of an unmapped field for all rows; "" removes it. */
    fill: (field: string, text: string): void => assign("constants", { ...data.constants, [field]: text }),

    /** Uses none of the columns with a field's name. */
    chooseNone: (field: string): void => assign("choices", { ...data.choices, [noneChosen(field)]: "yes" }),

    addColumn: (field: string): void => {
      const name = data.recipe.fields.find(({ key }) => key === field)?.label ?? field
      assign("columns", [...data.columns, { name, field }])
    },

    /** `keep` confirms rows, `leave` excludes them; null reverts either. Rows by id, or all with a finding. */
    decide: (
      which: readonly number[] | "duplicate" | "outlier" | "check" | "repeat",
      decision: "keep" | "leave" | null,
    ): void => {
      const hasCode = (id: number) => checks.problemsOf(id).some(({ code }) => code === which)
      const ids = typeof which === "string" ? [...rowIds(data)].filter(hasCode) : which
      change(() => {
        for (const id of ids) {
          put(data.decisions, id)
          const codes = checks.checksOf(id)
          if (decision === "keep" && codes !== "") put(data.decisions, id, { kept: codes })
          // A row that needs a confirmation is excluded until then.
          if (decision === "leave" && codes === "") put(data.decisions, id, "excluded")
        }
      })
    },

    remove: (id: number): void => {
      change(() => {
        current.ids.add(id)
        put(data.decisions, id, "removed")
      })
    },

    addRow: (): void => change(() => void append()),

    undo: (): void => {
      const last = undos.pop()
      if (last === undefined) return
      for (const back of last.steps.toReversed()) back()
      recheck(last)
    },

    show: (next: RowFilter): void => {
      filter = next
      filterRows()
    },

    /** Marks rows. Idempotent, because a page that returns to its draft sets the same marks. */
    mark: (marks: readonly Mark[]): void => {
      const byNumber = Map.groupBy(marks, ({ number }) => number)
      const changed = [...rowIds(data)].filter((id) => {
        const before = data.marks.get(id) ?? []
        const found = byNumber.get(data.numbers[id] ?? 0) ?? []
        const textIn = (field: string) => cellOf(data, id, columnOf(data, field))
        const added = found
          .map(({ field, severity, text }) => ({ field, severity, text, cell: textIn(field) }))
          .filter((mark) => !before.some((each) => sameValue(each, mark)))
        if (added.length > 0) data.marks.set(id, [...before, ...added])
        return added.length > 0
      })
      checks.some(changed)
    },

    know: (facts: SheetFacts): void => {
      data.facts = facts
      checkAll()
    },

    /** Replaces the repeats by row id. */
    repeats: (found: SheetData["repeats"]): void => {
      const ids = new Set([...data.repeats.keys(), ...found.keys()])
      data.repeats = found
      // Comparing many rows again takes time.
      if (ids.size > 0) checks.some(ids)
    },

    choose: (patch: Readonly<Record<string, string>>): void => {
      data.choices = { ...data.choices, ...patch }
    },

    /** Chooses for rows for which another amount was awarded before, by id or all of them; null leaves them out. */
    chooseFor: (which: readonly number[] | "all", choice: Correction | null): void => {
      const ids = which === "all" ? [...data.repeats.keys()] : which
      const chosen = ids.filter((id) => data.repeats.get(id)?.choices !== undefined)
      change(() => {
        const next = { ...data.choices }
        for (const id of chosen) {
          current.ids.add(id)
          next[rowChoice(id)] = choice ?? ""
          // What the server refused was the choice before.
          put(data.marks, id)
        }
        step(data.choices, next, (choices) => {
          data.choices = choices
        })
      })
    },

    window: (from: number, count: number) =>
      shown.slice(from, from + count).map((id) => rowView(data, checks, id)),

    /** The next marked cell of the view from here on, wrapping around; null if none. */
    next: ({ position: from }: CellPlace, step: 1 | -1): CellPlace | null => {
      for (let far = 1; far <= shown.length; far += 1) {
        const position = (from + step * far + shown.length * (far + 1)) % shown.length
        const problem = checks.problemsOf(shown[position] ?? -1)[0]
        if (problem !== undefined) return { position, column: problem.column ?? 0 }
      }
      return null
    },

    /** At most `most` distinct texts with spaces in the member columns: likely names. */
    memberNames: (most: number): readonly string[] => {
      const names = new Set<string>()
      const columns = ["member_id", "email"].map((field) => columnOf(data, field))
      for (const id of rowIds(data)) {
        for (const column of columns) {
          const text = cellOf(data, id, column)
          if (/\S\s+\S/.test(text) && !text.includes("@")) names.add(text)
        }
        if (names.size >= most) break
      }
      return [...names].slice(0, most)
    },

    /** Numbers of the excluded rows. */
    numbersOut: (): readonly number[] =>
      [...rowIds(data)].filter((id) => checks.standingOf(id) === "out").map((id) => data.numbers[id] ?? 0),
    accepted: (offset: number, limit: number): readonly AcceptedRow[] =>
      included()
        .slice(offset, offset + limit)
        .map((id) => ({
          number: data.numbers[id] ?? 0,
          row: acceptedInput(data, checks, id),
        })),

    /** Rows from `from` on for the repeat check: JSON by id, at least one, and the next id (null: end). */
    comparable: (from: number, most: { readonly rows: number; readonly bytes: number }) => {
      const texts = new Map<number, string>()
      let bytes = 0
      for (const id of rowIds(data, from)) {
        const values = checks.valuesOf(id)
        if (values === null || !["ready", "check"].includes(checks.standingOf(id))) continue
        const text = JSON.stringify(buildRow(data.recipe, values))
        bytes += encoder.encode(text).length + 1
        if (texts.size > 0 && (texts.size >= most.rows || bytes > most.bytes)) return { texts, next: id }
        texts.set(id, text)
      }
      return { texts, next: null }
    },

    /** Rows of the file for its job, in file order, without blank and removed ones. */
    entries: (offset: number, limit: number) =>
      [...rowIds(data)]
        .filter((id) => checks.standingOf(id) !== "blank")
        .slice(offset, offset + limit)
        .map((id) => fileEntry(data, checks, id)),

    excludedCsv: () => excludedCsv(data, checks),
    fingerprint: () =>
      fingerprintOf(
        data.recipe,
        included().map((id) => checks.valuesOf(id) ?? {}),
      ),
  }
}
