import type { Correction } from "../../contract/kinds/points.ts"
import {
  cellOf,
  columnOf,
  createChecks,
  noneChosen,
  rowChoice,
  rowIds,
  type SheetChecks,
  type SheetData,
} from "./sheet-data.ts"
import { sameValue } from "../lib/same-value.ts"
import { parseRange, plainCell } from "./read-file.ts"
import { buildRow, type SheetFacts } from "./recipe.ts"
import {
  acceptedInput,
  excludedTable,
  fileEntry,
  fingerprintOf,
  rowView,
  viewOf,
  type AcceptedRow,
  type CellEdit,
  type CellPlace,
  type Mark,
  type RowFilter,
  type RowView,
} from "./sheet-view.ts"

const mostUndos = 200

const standings = { all: null, problems: "problem", checks: "check", ready: "ready", out: "out" } as const
const encoder = new TextEncoder()

/** A change's undo steps, first step first, and the ids of rows to check afterwards, or whether to check all. */
const newChange = () => ({ steps: [] as (() => void)[], ids: new Set<number>(), all: false })
type Change = ReturnType<typeof newChange>

/**
 * An open sheet. In a filtered view, corrected rows stay until the filter is chosen again, so that rows do not move.
 */
export class Sheet {
  readonly data: SheetData
  private readonly canReread: boolean
  private readonly onProgress: (share: number) => void
  private readonly checks: SheetChecks
  private readonly undos: Change[] = []
  private current = newChange()
  private filter: RowFilter = "all"
  /** The ids of the rows in view. */
  private shown: number[] = []

  constructor(data: SheetData, canReread: boolean, onProgress: (share: number) => void) {
    this.data = data
    this.canReread = canReread
    this.onProgress = onProgress
    this.checks = createChecks(data)
    this.checkAll()
  }

  view() {
    const { filter, shown, canReread, undos } = this
    const canUndo = undos.length > 0
    return viewOf(this.data, this.checks, { filter, shown: shown.length, canReread, canUndo })
  }

  edit(changes: readonly CellEdit[]): void {
    this.change(() => this.write(changes))
  }

  /** Writes a copied range from this cell of the view on; missing rows are added. */
  paste({ position, column }: CellPlace, text: string): void {
    this.change(() => {
      for (const [down, row] of parseRange(text).entries()) {
        const id = this.shown[position + down] ?? this.append()
        this.shown[position + down] = id
        this.write(row.map((cell, right) => ({ id, column: column + right, text: cell })))
      }
    })
  }

  /** Sets which field a column holds; the column that held it is unmapped. */
  map(column: number, field: string | null): void {
    const freed = this.data.columns.map((each) => (each.field === field ? { ...each, field: null } : each))
    this.assign(
      "columns",
      freed.map((each, at) => (at === column ? { ...each, field } : each)),
    )
  }

  /** Sets the value of an unmapped field for all rows; "" removes it. */
  fill(field: string, text: string): void {
    this.assign("constants", { ...this.data.constants, [field]: text })
  }

  /** Uses none of the columns with a field's name. */
  chooseNone(field: string): void {
    this.assign("choices", { ...this.data.choices, [noneChosen(field)]: "yes" })
  }

  addColumn(field: string): void {
    const name = this.data.recipe.fields.find(({ key }) => key === field)?.label ?? field
    this.assign("columns", [...this.data.columns, { name, field }])
  }

  /** `keep` confirms rows, `leave` excludes them; null reverts either. Rows by id, or all with a finding. */
  decide(
    which: readonly number[] | "duplicate" | "outlier" | "check" | "repeat",
    decision: "keep" | "leave" | null,
  ): void {
    const { data, checks } = this
    const hasCode = (id: number) => checks.problemsOf(id).some(({ code }) => code === which)
    const ids = typeof which === "string" ? [...rowIds(data)].filter(hasCode) : which
    this.change(() => {
      for (const id of ids) {
        this.put(data.decisions, id)
        const codes = checks.checksOf(id)
        if (decision === "keep" && codes !== "") this.put(data.decisions, id, { kept: codes })
        // A row that needs a confirmation is excluded until then.
        if (decision === "leave" && codes === "") this.put(data.decisions, id, "excluded")
      }
    })
  }

  /** Confirms what was confirmed before the rows became rows of a job. */
  keepConfirmed(): void {
    for (const check of ["duplicate", "outlier"] as const) this.decide(check, "keep")
    if (this.data.recipe.checksConfirmed) this.decide("check", "keep")
  }

  remove(id: number): void {
    this.change(() => {
      this.current.ids.add(id)
      this.put(this.data.decisions, id, "removed")
    })
  }

  addRow(): void {
    this.change(() => void this.append())
  }

  undo(): void {
    const last = this.undos.pop()
    if (last === undefined) return
    for (const back of last.steps.toReversed()) back()
    this.recheck(last)
  }

  show(filter: RowFilter): void {
    this.filter = filter
    this.filterRows()
  }

  /** Marks rows. Idempotent, because a page that returns to its draft sets the same marks. */
  mark(marks: readonly Mark[]): void {
    const { data } = this
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
    this.checks.some(changed)
  }

  setFacts(facts: SheetFacts): void {
    this.data.facts = facts
    this.checkAll()
  }

  /** Replaces the repeats by row id. */
  setRepeats(repeats: SheetData["repeats"]): void {
    const ids = new Set([...this.data.repeats.keys(), ...repeats.keys()])
    this.data.repeats = repeats
    // Comparing many rows again takes time.
    if (ids.size > 0) this.checks.some(ids)
  }

  choose(patch: Readonly<Record<string, string>>): void {
    this.data.choices = { ...this.data.choices, ...patch }
  }

  /** Chooses for rows for which another amount was awarded before, by id or all of them; null leaves them out. */
  chooseFor(which: readonly number[] | "all", choice: Correction | null): void {
    const { data } = this
    const ids = which === "all" ? [...data.repeats.keys()] : which
    const chosen = ids.filter((id) => data.repeats.get(id)?.choices !== undefined)
    this.change(() => {
      const next = { ...data.choices }
      for (const id of chosen) {
        this.current.ids.add(id)
        next[rowChoice(id)] = choice ?? ""
        // What the server refused was the choice before.
        this.put(data.marks, id)
      }
      this.step(data.choices, next, (choices) => {
        data.choices = choices
      })
    })
  }

  window(from: number, count: number): RowView[] {
    return this.shown.slice(from, from + count).map((id) => rowView(this.data, this.checks, id))
  }

  /** The next marked cell of the view from here on, wrapping around; null if none. */
  next({ position: from }: CellPlace, step: 1 | -1): CellPlace | null {
    const { length } = this.shown
    for (let far = 1; far <= length; far += 1) {
      const position = (from + step * far + length * (far + 1)) % length
      const problem = this.checks.problemsOf(this.shown[position] ?? -1)[0]
      if (problem !== undefined) return { position, column: problem.column ?? 0 }
    }
    return null
  }

  /** At most `most` distinct texts with spaces in the member columns: likely names. */
  memberNames(most: number): readonly string[] {
    const { data } = this
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
  }

  excludedNumbers(): readonly number[] {
    const { data, checks } = this
    return [...rowIds(data)]
      .filter((id) => checks.standingOf(id) === "out")
      .map((id) => data.numbers[id] ?? 0)
  }

  accepted(offset: number, limit: number): readonly AcceptedRow[] {
    const { data, checks } = this
    return this.included()
      .slice(offset, offset + limit)
      .map((id) => {
        const { member_id: member, email } = checks.valuesOf(id) ?? {}
        return {
          number: data.numbers[id] ?? 0,
          row: acceptedInput(data, checks, id),
          ...(member !== undefined && email !== undefined && { besides: String(email) }),
        }
      })
  }

  /** Rows from `from` on for the repeat check: JSON by id, at least one, and the next id (null: end). */
  comparable(from: number, most: { readonly rows: number; readonly bytes: number }) {
    const { data, checks } = this
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
  }

  /** Rows of the file for its job, in file order, without blank and removed ones. */
  entries(offset: number, limit: number) {
    const { data, checks } = this
    return [...rowIds(data)]
      .filter((id) => checks.standingOf(id) !== "blank")
      .slice(offset, offset + limit)
      .map((id) => fileEntry(data, checks, id))
  }

  excludedTable() {
    return excludedTable(this.data, this.checks)
  }

  fingerprint() {
    return fingerprintOf(
      this.data.recipe,
      this.included().map((id) => this.checks.valuesOf(id) ?? {}),
    )
  }

  private included(): number[] {
    return [...rowIds(this.data)].filter((id) => this.checks.isIncluded(id))
  }

  private isRemoved(id: number): boolean {
    return this.data.decisions.get(id) === "removed"
  }

  private filterRows(): void {
    const standing = standings[this.filter]
    this.shown = [...rowIds(this.data)].filter(
      (id) => standing === null || this.checks.standingOf(id) === standing,
    )
  }

  private checkAll(): void {
    this.checks.all(this.onProgress)
    this.filterRows()
  }

  private change(apply: () => void): void {
    this.current = newChange()
    apply()
    this.undos.push(this.current)
    if (this.undos.length > mostUndos) this.undos.shift()
    this.recheck(this.current)
  }

  private recheck({ ids, all }: Change): void {
    if (all) return this.checkAll()
    this.checks.some(ids)
    this.shown = this.shown.filter((id) => !this.isRemoved(id))
    const visible = new Set(this.shown)
    // Added and restored rows appear in the view by the current filter.
    if ([...ids].some((id) => !this.isRemoved(id) && !visible.has(id))) this.filterRows()
  }

  private step<T>(before: T, next: T, set: (value: T) => void): void {
    this.current.steps.push(() => set(before))
    set(next)
  }

  private assign<K extends "choices" | "columns" | "constants">(key: K, value: SheetData[K]): void {
    this.change(() => {
      this.current.all = true
      this.step(this.data[key], value, (next) => {
        this.data[key] = next
      })
    })
  }

  private put<V>(map: Map<number, V>, id: number, value?: V): void {
    this.step(map.get(id), value, (next) => (next === undefined ? map.delete(id) : map.set(id, next)))
  }

  /** Writes texts into cells. A confirmed row has to be confirmed again. */
  private write(changes: readonly CellEdit[]): void {
    const { table, columns, decisions, notes, edits } = this.data
    for (const { id, column, text } of changes) {
      const row = table[id]
      if (row === undefined || column >= columns.length) continue
      this.current.ids.add(id)
      const edited = edits.get(id) ?? new Map<number, string>()
      edits.set(id, edited)
      this.step(row[column] ?? "", plainCell(text.trim()), (next) => {
        row[column] = next
        edited.set(column, next)
      })
      if (typeof decisions.get(id) === "object") this.put(decisions, id)
      this.put(notes, id)
    }
  }

  /** Adds an empty row at the end, with the next number. Undo makes it a removed row. */
  private append(): number {
    const { table, numbers, columns, decisions } = this.data
    numbers.push((numbers.at(-1) ?? 0) + 1)
    const id = table.push(columns.map(() => "")) - 1
    this.current.ids.add(id)
    this.current.steps.push(() => decisions.set(id, "removed"))
    return id
  }
}
