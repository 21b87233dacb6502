import { applyMarks } from "./apply-marks.ts"
import { fingerprintOf } from "./fingerprint.ts"
import { leftOutCsv } from "./left-out.ts"
import { fieldsOf } from "../recipes/metadata.ts"
import type { SheetFacts } from "../recipes/recipe.ts"
import { fileEntry } from "./file-entry.ts"
import { rowView } from "./row-view.ts"
import type {
  AcceptedRows,
  CellEdit,
  CellPlace,
  ComparableRows,
  FileEntry,
  Mark,
  MostRows,
  RepeatedRow,
  Which,
} from "./sheet-command.ts"
import { createChecks } from "./sheet-checks.ts"
import { rowIds, type SheetData } from "./sheet-data.ts"
import * as edits from "./sheet-edits.ts"
import { pastedCells } from "./pasted-cells.ts"
import { describe, summarise } from "./sheet-summary.ts"
import type { RowFilter, RowStanding, RowView, SheetView } from "./sheet-view.ts"

/** Changes that can be taken back. */
const mostUndos = 200

const standings: Readonly<Record<Exclude<RowFilter, "all">, RowStanding>> = {
  problems: "problem",
  checks: "check",
  ready: "ready",
  out: "out",
}

const encoder = new TextEncoder()

const isComparable: ReadonlySet<RowStanding> = new Set(["ready", "check"])

/** An open sheet: the rows, what is known about them, and the view a person has on them. */
export interface Sheet {
  readonly data: SheetData
  readonly view: () => SheetView
  readonly edit: (changes: readonly CellEdit[]) => void
  /** Writes a range copied from a spreadsheet from this cell on; rows that are missing are added. */
  readonly paste: (from: CellPlace, text: string) => void
  readonly map: (column: number, field: string | null) => void
  readonly fill: (field: string, text: string) => void
  readonly addColumn: (field: string) => void
  readonly decide: (which: Which, decision: "keep" | "leave" | null) => void
  readonly remove: (ids: readonly number[]) => void
  readonly addRows: (count: number) => void
  readonly undo: () => void
  readonly show: (filter: RowFilter) => void
  readonly mark: (marks: readonly Mark[]) => void
  /** Checks everything against what the desk's settings say now. */
  readonly know: (facts: SheetFacts) => void
  readonly choose: (patch: Readonly<Record<string, string>>) => void
  readonly window: (from: number, count: number) => readonly RowView[]
  readonly next: (from: CellPlace, step: 1 | -1) => CellPlace | null
  readonly accepted: (offset: number, limit: number) => AcceptedRows
  /** Rows from an id on that can be compared with earlier ones. */
  readonly comparable: (from: number, most: MostRows) => ComparableRows
  /** Rows of the file as its job keeps them, in the file's order; blank and removed ones are none. */
  readonly entries: (offset: number, limit: number) => readonly FileEntry[]
  /** Says which rows repeat earlier ones: all of them, in place of what was said before. */
  readonly repeats: (found: readonly RepeatedRow[]) => void
  readonly distinct: (field: string) => readonly string[]
  readonly leftOut: () => string
  readonly fingerprint: () => Promise<string | null>
}

/**
 * Opens a sheet over its data. Rows that are mended stay where they are in a filtered view until it is chosen again,
 * so that nothing moves under a person's hands.
 */
export function createSheet(data: SheetData, canReread: boolean, onProgress: (share: number) => void): Sheet {
  const checks = createChecks(data)
  const undos: { readonly undo: edits.Undo; readonly again: () => void }[] = []
  let filter: RowFilter = "all"
  let shown: number[] = []

  function look(): void {
    const ids = [...rowIds(data)]
    const standing = filter === "all" ? null : standings[filter]
    shown = standing === null ? ids : ids.filter((id) => checks.standingOf(id) === standing)
  }

  function everything(): void {
    checks.all(onProgress)
    look()
  }

  /** Notes how to take a change back, and checks what it touched. */
  function changed(undo: edits.Undo, again: () => void): void {
    undos.push({ undo, again })
    if (undos.length > mostUndos) undos.shift()
    again()
  }

  const included = () => [...rowIds(data)].filter((id) => checks.isIncluded(id))
  const valuesOf = (id: number) => checks.valuesOf(id) ?? {}

  function chosen(which: Which): readonly number[] {
    if (typeof which !== "string") return which
    return [...rowIds(data)].filter((id) => checks.problemsOf(id).some(({ code }) => code === which))
  }

  everything()
  return {
    data,
    view() {
      const figures = summarise(data, checks)
      const { origin } = data
      const { missing, constantProblems } = checks.plan()
      return {
        ...figures,
        name: origin.name,
        detected:
          origin.encoding === null
            ? null
            : {
                encoding: origin.encoding,
                delimiter: origin.delimiter,
                header: origin.headerAt === null ? null : (data.numbers[origin.headerAt] ?? 1),
                decimal: origin.style,
                decimalMatters: origin.styleMatters,
                canReread,
              },
        description: describe(data, figures.counts.all),
        notes: origin.notes,
        takesMetadata: data.recipe.metadata === true,
        fields: fieldsOf(data.recipe, data.columns).map(
          ({ key, label, required, mono = false, end = false, constant = false }) => ({
            key,
            label,
            required,
            mono,
            end,
            constant,
          }),
        ),
        columns: data.columns.map((column, index) => ({ index, ...column })),
        constants: data.constants,
        constantProblems,
        missing,
        filter,
        shown: shown.length,
        canUndo: undos.length > 0,
        restoredAt: data.restoredAt,
        choices: data.choices,
      }
    },
    edit(changes) {
      const ids = new Set(changes.map(({ id }) => id))
      changed(edits.writeCells(data, changes), () => checks.some(ids))
    },
    paste(from, text) {
      const cells = pastedCells(text)
      const lacking = from.position + cells.length - shown.length
      const undoRows = lacking > 0 ? edits.addRows(data, lacking) : null
      if (lacking > 0)
        for (let id = data.table.length - lacking; id < data.table.length; id += 1) shown.push(id)
      const changes = cells.flatMap((row, down) =>
        row.map((cell, right) => ({
          id: shown[from.position + down] ?? -1,
          column: from.column + right,
          text: cell,
        })),
      )
      const ids = new Set(changes.map(({ id }) => id).filter((id) => id >= 0))
      const undoCells = edits.writeCells(data, changes)
      const undo = () => {
        undoCells()
        undoRows?.()
        look()
      }
      changed(undo, () => checks.some(ids))
    },
    map: (column, field) => changed(edits.mapColumn(data, column, field), everything),
    fill: (field, text) => changed(edits.fillConstant(data, field, text), everything),
    addColumn(field) {
      const label = data.recipe.fields.find(({ key }) => key === field)?.label ?? field
      changed(edits.addColumn(data, field, label), everything)
    },
    decide(which, decision) {
      changed(edits.decideRows(data, chosen(which), decision, checks.checksOf), () => checks.some([]))
    },
    remove(ids) {
      const gone = new Set(ids)
      const undo = edits.removeRows(data, ids)
      shown = shown.filter((id) => !gone.has(id))
      changed(
        () => {
          undo()
          look()
        },
        () => checks.some(ids),
      )
    },
    addRows(count) {
      const undo = edits.addRows(data, count)
      changed(undo, () => {
        checks.some([])
        look()
      })
    },
    undo() {
      const last = undos.pop()
      last?.undo()
      last?.again()
    },
    show(next) {
      filter = next
      look()
    },
    mark(marks) {
      checks.some(applyMarks(data, marks))
    },
    know(facts) {
      data.facts = facts
      everything()
    },
    choose(patch) {
      data.choices = { ...data.choices, ...patch }
    },
    window: (from, count) => shown.slice(from, from + count).map((id) => rowView(data, checks, id)),
    next(from, step) {
      for (let far = 0; far < shown.length; far += 1) {
        const position = (from.position + step * (far + 1) + shown.length * (far + 2)) % shown.length
        const column = checks.problemsOf(shown[position] ?? -1)[0]?.column
        if (column !== undefined) return { position, column: column ?? 0 }
      }
      return null
    },
    accepted(offset, limit) {
      const ids = included().slice(offset, offset + limit)
      return {
        rows: ids.map((id) => data.recipe.build(valuesOf(id))),
        numbers: ids.map((id) => data.numbers[id] ?? 0),
      }
    },
    comparable(from, most) {
      const ids: number[] = []
      const texts: string[] = []
      let bytes = 0
      for (const id of rowIds(data, from)) {
        const values = checks.valuesOf(id)
        if (values === null || !isComparable.has(checks.standingOf(id))) continue
        const text = JSON.stringify(data.recipe.build(values))
        bytes += encoder.encode(text).length + 1
        if (ids.length > 0 && (ids.length >= most.rows || bytes > most.bytes)) return { ids, texts, next: id }
        ids.push(id)
        texts.push(text)
      }
      return { ids, texts, next: null }
    },
    entries: (offset, limit) =>
      [...rowIds(data)]
        .filter((id) => checks.standingOf(id) !== "blank")
        .slice(offset, offset + limit)
        .map((id) => fileEntry(data, checks, id)),
    repeats(found) {
      const before = data.repeats
      data.repeats = new Map(found.map(({ id, text }) => [id, text]))
      const ids = new Set([...before.keys(), ...data.repeats.keys()])
      // Comparing all rows again takes a moment where they are many.
      if (ids.size > 0) checks.some(ids)
    },
    distinct: (field) => [
      ...new Set(
        included().flatMap((id) => (valuesOf(id)[field] === undefined ? [] : [String(valuesOf(id)[field])])),
      ),
    ],
    leftOut: () => leftOutCsv(data, checks),
    fingerprint: () => fingerprintOf(data.recipe, included().map(valuesOf)),
  }
}
