import { createChecks } from "./checks.ts"
import { cellOf, columnOf, rowIds, type SheetData } from "./load-sheet.ts"
import { parseRange } from "./parse-table.ts"
import type { SheetFacts } from "./recipe.ts"
import { excludedCsv, fileEntry, fingerprintOf, rowView, viewOf } from "./sheet-export.ts"
import type {
  CellEdit,
  CellPlace,
  ComparableRows,
  FileEntry,
  Mark,
  RepeatedRow,
  RowFilter,
  RowSelection,
  RowView,
  SheetView,
} from "./sheet-view.ts"

/** Changes that can be undone. */
const mostUndos = 200

const standings = { problems: "problem", checks: "check", ready: "ready", out: "out" } as const
const comparableStandings: ReadonlySet<RowView["standing"]> = new Set(["ready", "check"])
const encoder = new TextEncoder()

/** An open sheet: the rows, what is known about them, and the view a person has on them. */
export type Sheet = ReturnType<typeof createSheet>

/**
 * Opens a sheet over its data. Rows that are corrected stay where they are in a filtered view until it is chosen again,
 * so that nothing moves while a person works.
 */
export function createSheet(data: SheetData, canReread: boolean, onProgress: (share: number) => void) {
  const checks = createChecks(data)
  const undos: { readonly undo: () => void; readonly recheck: () => void }[] = []
  let filter: RowFilter = "all"
  let shown: number[] = []

  function filterRows(): void {
    const standing = filter === "all" ? null : standings[filter]
    shown = [...rowIds(data)].filter((id) => standing === null || checks.standingOf(id) === standing)
  }

  function checkAll(): void {
    checks.all(onProgress)
    filterRows()
  }

  /** Makes a change that can be undone, and checks what it touched, then and after undoing it. */
  function change(apply: (record: ChangeRecord) => void, recheck: () => void): void {
    const record = new ChangeRecord(data)
    apply(record)
    undos.push({ undo: () => record.undo(), recheck })
    if (undos.length > mostUndos) undos.shift()
    recheck()
  }

  const included = () => [...rowIds(data)].filter((id) => checks.isIncluded(id))

  checkAll()
  return {
    data,
    view: (): SheetView =>
      viewOf(data, checks, { filter, shown: shown.length, canReread, canUndo: undos.length > 0 }),

    edit(changes: readonly CellEdit[]): void {
      const ids = new Set(changes.map(({ id }) => id))
      change(
        (record) => record.cells(changes),
        () => checks.some(ids),
      )
    },

    /** Writes a range copied from a spreadsheet from this cell of the view on; rows that are missing are added. */
    paste(from: CellPlace, text: string): void {
      const cells = parseRange(text)
      const ids = new Set<number>()
      change(
        (record) => {
          shown.push(...record.addRows(Math.max(0, from.position + cells.length - shown.length)))
          const changes = cells.flatMap((row, down) =>
            row.map((cell, right) => ({
              id: shown[from.position + down] ?? -1,
              column: from.column + right,
              text: cell,
            })),
          )
          for (const { id } of changes) ids.add(id)
          record.cells(changes)
        },
        () => {
          checks.some(ids)
          shown = shown.filter((id) => data.decisions.get(id) !== "removed")
        },
      )
    },

    /** Sets which field a column holds; the column that held it before holds none then. */
    map(column: number, field: string | null): void {
      const columns = data.columns.map((each, at) => {
        if (at === column) return { ...each, field }
        return each.field === field ? { ...each, field: null } : each
      })
      change((record) => record.assign("columns", columns), checkAll)
    },

    /** Sets the value for all rows of a field that no column holds. */
    fill(field: string, text: string): void {
      change((record) => record.assign("constants", { ...data.constants, [field]: text }), checkAll)
    },

    /** Adds an empty column for a field that no column holds. */
    addColumn(field: string): void {
      const name = data.recipe.fields.find(({ key }) => key === field)?.label ?? field
      change((record) => record.assign("columns", [...data.columns, { name, field }]), checkAll)
    },

    /** `keep` keeps rows in spite of a check, `leave` excludes them; null takes either back. */
    decide(which: RowSelection, decision: "keep" | "leave" | null): void {
      const hasCode = (id: number) => checks.problemsOf(id).some(({ code }) => code === which)
      const ids = typeof which === "string" ? [...rowIds(data)].filter(hasCode) : which
      change(
        (record) => {
          for (const id of ids) {
            record.decide(id, undefined)
            const kept = checks.checksOf(id)
            if (decision === "keep" && kept !== "") record.decide(id, { kept })
            // A row that has to be confirmed is excluded until it is kept.
            if (decision === "leave" && kept === "") record.decide(id, "excluded")
          }
        },
        () => checks.some([]),
      )
    },

    remove(ids: readonly number[]): void {
      change(
        (record) => {
          for (const id of ids) record.decide(id, "removed")
        },
        () => {
          checks.some(ids)
          const gone = new Set(ids.filter((id) => data.decisions.get(id) === "removed"))
          if (gone.size > 0) shown = shown.filter((id) => !gone.has(id))
          else filterRows()
        },
      )
    },

    addRows(count: number): void {
      change(
        (record) => void record.addRows(count),
        () => {
          checks.some([])
          filterRows()
        },
      )
    },

    undo(): void {
      const last = undos.pop()
      last?.undo()
      last?.recheck()
    },

    show(next: RowFilter): void {
      filter = next
      filterRows()
    },

    /** Puts marks on rows. A page that comes back to its draft finds the same again. */
    mark(marks: readonly Mark[]): void {
      const byNumber = Map.groupBy(marks, ({ number }) => number)
      const changed: number[] = []
      for (const id of rowIds(data)) {
        const before = data.marks.get(id) ?? []
        const added = (byNumber.get(data.numbers[id] ?? 0) ?? [])
          .map(({ field, severity, text }) => ({
            field,
            severity,
            text,
            cell: cellOf(data, id, columnOf(data, field)),
          }))
          .filter(({ field, text, cell }) =>
            before.every((each) => each.field !== field || each.text !== text || each.cell !== cell),
          )
        if (added.length === 0) continue
        data.marks.set(id, [...before, ...added])
        changed.push(id)
      }
      checks.some(changed)
    },

    /** Checks everything against what the settings say now. */
    know(facts: SheetFacts): void {
      data.facts = facts
      checkAll()
    },

    /** Sets which rows repeat earlier ones: all of them, in place of those set before. */
    repeats(found: readonly RepeatedRow[]): void {
      const before = data.repeats
      data.repeats = new Map(found.map(({ id, text }) => [id, text]))
      const ids = new Set([...before.keys(), ...data.repeats.keys()])
      // Comparing all rows again takes a moment where they are many.
      if (ids.size > 0) checks.some(ids)
    },

    /** Keeps choices of the page with the draft. */
    choose(patch: Readonly<Record<string, string>>): void {
      data.choices = { ...data.choices, ...patch }
    },

    window: (from: number, count: number): readonly RowView[] =>
      shown.slice(from, from + count).map((id) => rowView(data, checks, id)),

    /** The next cell of the view that is marked, from here on and around; null when none is. */
    next({ position: from }: CellPlace, step: 1 | -1): CellPlace | null {
      for (let far = 1; far <= shown.length; far += 1) {
        const position = (from + step * far + shown.length * (far + 1)) % shown.length
        const problem = checks.problemsOf(shown[position] ?? -1)[0]
        if (problem !== undefined) return { position, column: problem.column ?? 0 }
      }
      return null
    },

    /** Rows that would be sent, as the server takes them. */
    accepted: (offset: number, limit: number): readonly AcceptedRow[] =>
      included()
        .slice(offset, offset + limit)
        .map((id) => ({ number: data.numbers[id] ?? 0, row: data.recipe.build(checks.valuesOf(id) ?? {}) })),

    /** Rows from an id on that can be compared with earlier ones, within a number of rows and bytes of JSON; one at least. */
    comparable(from: number, most: { readonly rows: number; readonly bytes: number }): ComparableRows {
      const ids: number[] = []
      const texts: string[] = []
      let bytes = 0
      for (const id of rowIds(data, from)) {
        const values = checks.valuesOf(id)
        if (values === null || !comparableStandings.has(checks.standingOf(id))) continue
        const text = JSON.stringify(data.recipe.build(values))
        bytes += encoder.encode(text).length + 1
        if (ids.length > 0 && (ids.length >= most.rows || bytes > most.bytes)) return { ids, texts, next: id }
        ids.push(id)
        texts.push(text)
      }
      return { ids, texts, next: null }
    },

    /** Rows of the file as its job keeps them, in the file's order; blank and removed ones are none. */
    entries: (offset: number, limit: number): readonly FileEntry[] =>
      [...rowIds(data)]
        .filter((id) => checks.standingOf(id) !== "blank")
        .slice(offset, offset + limit)
        .map((id) => fileEntry(data, checks, id)),

    excludedCsv: (): string => excludedCsv(data, checks),

    fingerprint: (): Promise<string | null> =>
      fingerprintOf(
        data.recipe,
        included().map((id) => checks.valuesOf(id) ?? {}),
      ),
  }
}

/** A row that would be sent, as the server takes it, and its number in the file. */
export interface AcceptedRow {
  readonly number: number
  readonly row: Readonly<Record<string, unknown>>
}

/** Changes a sheet and remembers how to take that back. */
class ChangeRecord {
  readonly #data: SheetData
  readonly #steps: (() => void)[] = []

  constructor(data: SheetData) {
    this.#data = data
  }

  undo(): void {
    for (const step of this.#steps.toReversed()) step()
  }

  assign<K extends "columns" | "constants">(key: K, value: SheetData[K]): void {
    const before = this.#data[key]
    this.#data[key] = value
    this.#steps.push(() => {
      this.#data[key] = before
    })
  }

  decide(id: number, decision: ReturnType<SheetData["decisions"]["get"]>): void {
    this.#put(this.#data.decisions, id, decision)
  }

  /** Writes texts into cells. A kept row has to be confirmed again after it. */
  cells(changes: readonly CellEdit[]): void {
    const { table, columns, decisions, notes, edited } = this.#data
    for (const { id, column, text } of changes) {
      const row = table[id]
      if (row === undefined || column >= columns.length) continue
      const before = row[column] ?? ""
      row[column] = text.trim()
      this.#steps.push(() => {
        row[column] = before
      })
      edited.set(id, (edited.get(id) ?? new Set()).add(column))
      if (typeof decisions.get(id) === "object") this.decide(id, undefined)
      this.#put(notes, id, undefined)
    }
  }

  /** Adds empty rows at the end, numbered on from the last, and returns their ids. Undone, they are removed rows. */
  addRows(count: number): readonly number[] {
    const { table, numbers, columns } = this.#data
    const ids = Array.from({ length: count }, () => {
      numbers.push((numbers.at(-1) ?? 0) + 1)
      return table.push(columns.map(() => "")) - 1
    })
    this.#steps.push(() => {
      for (const id of ids) this.#data.decisions.set(id, "removed")
    })
    return ids
  }

  #put<V>(map: Map<number, V>, id: number, value: V | undefined): void {
    const before = map.get(id)
    const set = (next: V | undefined) => {
      if (next === undefined) map.delete(id)
      else map.set(id, next)
    }
    this.#steps.push(() => set(before))
    set(value)
  }
}
