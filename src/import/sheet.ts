import { createChecks } from "./checks.ts"
import { parseRange } from "./parse-table.ts"
import { buildRow, type SheetFacts } from "./recipe.ts"
import { cellOf, columnOf, rowIds, type SheetData } from "./sheet-data.ts"
import {
  excludedCsv,
  fileEntry,
  fingerprintOf,
  rowView,
  viewOf,
  type AcceptedRow,
  type CellEdit,
  type CellPlace,
  type FileEntry,
  type Mark,
  type RowFilter,
  type RowSelection,
  type RowView,
} from "./sheet-view.ts"

/** Changes that can be undone. */
const mostUndos = 200

const standings = { problems: "problem", checks: "check", ready: "ready", out: "out" } as const
const encoder = new TextEncoder()

/** An open sheet: the rows, what is known about them, and the view a person has on them. */
export type Sheet = ReturnType<typeof createSheet>

/**
 * Opens a sheet over its data. Rows that are corrected stay where they are in a filtered view until it is chosen again,
 * so that nothing moves while a person works.
 */
export function createSheet(data: SheetData, canReread: boolean, onProgress: (share: number) => void) {
  const checks = createChecks(data)
  /** The last changes: how each is taken back, and what is checked again after it. */
  const undos: { readonly steps: readonly (() => void)[]; readonly recheck: () => void }[] = []
  /** How the change under way is taken back, its first step first. */
  let steps: (() => void)[] = []
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
  function change(apply: () => void, recheck: () => void): void {
    steps = []
    apply()
    undos.push({ steps, recheck })
    if (undos.length > mostUndos) undos.shift()
    recheck()
  }

  function assign<K extends "columns" | "constants">(key: K, value: SheetData[K]): void {
    const before = data[key]
    data[key] = value
    steps.push(() => {
      data[key] = before
    })
  }

  function put<K, V>(map: Map<K, V>, key: K, value: V | undefined): void {
    const before = map.get(key)
    const set = (next: V | undefined) => (next === undefined ? map.delete(key) : map.set(key, next))
    steps.push(() => set(before))
    set(value)
  }

  /** Writes texts into cells. A kept row has to be confirmed again after it. */
  function write(changes: readonly CellEdit[]): void {
    const { table, columns, decisions, notes, edits } = data
    for (const { id, column, text } of changes) {
      const row = table[id]
      if (row === undefined || column >= columns.length) continue
      const before = row[column] ?? ""
      const edited = edits.get(id) ?? new Map<number, string>()
      edits.set(id, edited)
      const set = (next: string) => {
        row[column] = next
        edited.set(column, next)
      }
      steps.push(() => set(before))
      set(text.trim())
      if (typeof decisions.get(id) === "object") put(decisions, id, undefined)
      put(notes, id, undefined)
    }
  }

  /** Adds empty rows at the end, numbered on from the last, and returns their ids. Undone, they are removed rows. */
  function append(count: number): readonly number[] {
    const { table, numbers, columns, decisions } = data
    const ids = Array.from({ length: count }, () => {
      numbers.push((numbers.at(-1) ?? 0) + 1)
      return table.push(columns.map(() => "")) - 1
    })
    steps.push(() => {
      for (const id of ids) decisions.set(id, "removed")
    })
    return ids
  }

  const isRemoved = (id: number) => data.decisions.get(id) === "removed"
  const included = () => [...rowIds(data)].filter((id) => checks.isIncluded(id))

  checkAll()
  return {
    data,
    view: () => viewOf(data, checks, { filter, shown: shown.length, canReread, canUndo: undos.length > 0 }),

    edit: (changes: readonly CellEdit[]): void => {
      const ids = new Set(changes.map(({ id }) => id))
      change(
        () => write(changes),
        () => checks.some(ids),
      )
    },

    /** Writes a range copied from a spreadsheet from this cell of the view on; rows that are missing are added. */
    paste: (from: CellPlace, text: string): void => {
      const cells = parseRange(text)
      const ids = new Set<number>()
      change(
        () => {
          shown.push(...append(Math.max(0, from.position + cells.length - shown.length)))
          for (const [down, row] of cells.entries()) {
            const id = shown[from.position + down] ?? -1
            ids.add(id)
            write(row.map((cell, right) => ({ id, column: from.column + right, text: cell })))
          }
        },
        () => {
          checks.some(ids)
          shown = shown.filter((id) => !isRemoved(id))
        },
      )
    },

    /** Sets which field a column holds; the column that held it before holds none then. */
    map: (column: number, field: string | null): void => {
      const columns = data.columns.map((each, at) => {
        if (at === column) return { ...each, field }
        return each.field === field ? { ...each, field: null } : each
      })
      change(() => assign("columns", columns), checkAll)
    },

    /** Sets the value for all rows of a field that no column holds; "" takes it away. */
    fill: (field: string, text: string): void => {
      change(() => assign("constants", { ...data.constants, [field]: text }), checkAll)
    },

    /** Adds an empty column for a field that no column holds. */
    addColumn: (field: string): void => {
      const name = data.recipe.fields.find(({ key }) => key === field)?.label ?? field
      change(() => assign("columns", [...data.columns, { name, field }]), checkAll)
    },

    /** `keep` keeps rows in spite of a check, `leave` excludes them; null takes either back. */
    decide: (which: RowSelection, decision: "keep" | "leave" | null): void => {
      const hasCode = (id: number) => checks.problemsOf(id).some(({ code }) => code === which)
      const ids = typeof which === "string" ? [...rowIds(data)].filter(hasCode) : which
      change(
        () => {
          for (const id of ids) {
            put(data.decisions, id, undefined)
            const kept = checks.checksOf(id)
            if (decision === "keep" && kept !== "") put(data.decisions, id, { kept })
            // A row that has to be confirmed is excluded until it is kept.
            if (decision === "leave" && kept === "") put(data.decisions, id, "excluded")
          }
        },
        () => checks.some([]),
      )
    },

    remove: (ids: readonly number[]): void => {
      change(
        () => {
          for (const id of ids) put(data.decisions, id, "removed")
        },
        () => {
          checks.some(ids)
          if (ids.some(isRemoved)) shown = shown.filter((id) => !isRemoved(id))
          else filterRows()
        },
      )
    },

    addRows: (count: number): void => {
      change(
        () => void append(count),
        () => {
          checks.some([])
          filterRows()
        },
      )
    },

    undo: (): void => {
      const last = undos.pop()
      for (const step of last?.steps.toReversed() ?? []) step()
      last?.recheck()
    },

    show: (next: RowFilter): void => {
      filter = next
      filterRows()
    },

    /** Puts marks on rows. A page that comes back to its draft finds the same again. */
    mark: (marks: readonly Mark[]): void => {
      const byNumber = Map.groupBy(marks, ({ number }) => number)
      const changed: number[] = []
      for (const id of rowIds(data)) {
        const before = data.marks.get(id) ?? []
        const added = (byNumber.get(data.numbers[id] ?? 0) ?? [])
          .map(({ field, severity, text }) => {
            const cell = cellOf(data, id, columnOf(data, field))
            return { field, severity, text, cell }
          })
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
    know: (facts: SheetFacts): void => {
      data.facts = facts
      checkAll()
    },

    /** Sets which rows repeat earlier ones, with the message by id: all of them, in place of those set before. */
    repeats: (found: ReadonlyMap<number, string>): void => {
      const ids = new Set([...data.repeats.keys(), ...found.keys()])
      data.repeats = found
      // Comparing all rows again takes a moment where they are many.
      if (ids.size > 0) checks.some(ids)
    },

    /** Keeps choices of the page with the draft. */
    choose: (patch: Readonly<Record<string, string>>): void => {
      data.choices = { ...data.choices, ...patch }
    },

    window: (from: number, count: number): readonly RowView[] =>
      shown.slice(from, from + count).map((id) => rowView(data, checks, id)),

    /** The next cell of the view that is marked, from here on and around; null when none is. */
    next: ({ position: from }: CellPlace, step: 1 | -1): CellPlace | null => {
      for (let far = 1; far <= shown.length; far += 1) {
        const position = (from + step * far + shown.length * (far + 1)) % shown.length
        const problem = checks.problemsOf(shown[position] ?? -1)[0]
        if (problem !== undefined) return { position, column: problem.column ?? 0 }
      }
      return null
    },

    /** Rows that would be sent. */
    accepted: (offset: number, limit: number): readonly AcceptedRow[] =>
      included()
        .slice(offset, offset + limit)
        .map((id) => ({
          number: data.numbers[id] ?? 0,
          row: buildRow(data.recipe, checks.valuesOf(id) ?? {}),
        })),

    /**
     * Rows from an id on that can be compared with earlier ones, as JSON by their ids, within a number of rows and
     * bytes of it, one at least; and the id from which on there may be more, null after the last. Nothing is wrong with
     * them, and nobody excluded them. A text is handed to the page far quicker than a record.
     */
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

    /** Rows of the file as its job keeps them, in the file's order; blank and removed ones are none. */
    entries: (offset: number, limit: number): readonly FileEntry[] =>
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
