import { type RowState, rowStates } from "../../contract/job.ts"
import { mayChange } from "../job-data/job-change.ts"
import type { JobFields } from "../job-data/record-schemas.ts"
import { endOf } from "../job-data/row-change.ts"
import { countRow, emptyTally, isBusy, needsSomebody, pointsOf, startedAmountOf } from "../job-data/tally.ts"
import type { ControlRecord, JobChange, JobRecord, NewJob, RowQuery, RowRecord } from "../jobs/job-store.ts"
import { EndedRows } from "./ended-rows.ts"
import { frozen, frozenCopy } from "./frozen.ts"
import { RowSet } from "./row-set.ts"
import { indexSame, type SameIndex } from "./same-index.ts"

/** One job with its rows, and what is needed to find them without reading all. */
export class JobEntry {
  readonly number: number
  readonly request: NewJob["request"]
  /** What another job takes back of it: row numbers. */
  readonly reversedRows = new Set<number>()
  readonly controls = new Map<number, ControlRecord>()
  lease: { readonly owner: string; readonly until: number; readonly forMs: number } | undefined
  readonly ended = new EndedRows()

  private fields: JobFields
  private readonly kept: RowRecord[] = []
  private readonly ends: (number | null)[] = []
  private readonly tally = emptyTally()
  private readonly inState = Object.fromEntries(rowStates.map((state) => [state, new RowSet()])) as Readonly<
    Record<RowState, RowSet>
  >
  /** Absent and conflict rows that nobody has decided. */
  private readonly undecided = new RowSet()
  /** Unknown and confirmed rows that are looked at again. */
  private readonly waiting = new RowSet()
  private shown: JobRecord | undefined
  /** Numbers of rows by member and effect, and the names of members; made when it is asked for. */
  private sameIndex: SameIndex | undefined

  constructor(number: number, fields: JobFields, request: NewJob["request"]) {
    this.number = number
    this.fields = frozenCopy(fields)
    this.request = request
  }

  /** The job as others see it; frozen. */
  record(): JobRecord {
    const { tally } = this
    this.shown ??= frozen({
      ...this.fields,
      total: tally.total,
      counts: { ...tally.counts },
      attention: tally.attention,
      points: pointsOf(this.fields.kind, tally),
      amount: tally.amount,
    })
    return this.shown
  }

  /** What is kept of it besides its rows. */
  job(): JobFields {
    return this.fields
  }

  set(fields: Partial<JobFields>): void {
    this.fields = frozenCopy({ ...this.fields, ...fields })
    this.shown = undefined
  }

  /** Changes fields of the job, if it may be. */
  change(change: JobChange): boolean {
    if (!mayChange(this.record(), change)) return false
    this.set(Object.fromEntries(Object.entries(change.set).filter(([, value]) => value !== undefined)))
    return true
  }

  rows(): readonly RowRecord[] {
    return this.kept
  }

  row(number: number): RowRecord | undefined {
    return this.kept[number - 1]
  }

  /** When the row came to its end. */
  end(number: number): number | null {
    return this.ends[number - 1] ?? null
  }

  /** Keeps a row: the next one, or another form of one that is kept. The row must be frozen. */
  put(row: RowRecord, now: number, end?: number | null): void {
    const before = this.kept[row.row - 1]
    const endBefore = this.end(row.row)
    const seen = { state: before?.state ?? "planned", end: endBefore }
    const endNow = end === undefined ? endOf(seen, row, now) : end
    if (before !== undefined) {
      countRow(this.tally, before, -1)
      this.inState[before.state].delete(row.row)
      if (endBefore !== null) this.ended.delete(endBefore, row.row)
    }
    if (
      before?.memberId !== row.memberId ||
      before.email !== row.email ||
      before.effect !== row.effect ||
      before.effectWithoutReference !== row.effectWithoutReference
    )
      this.sameIndex = undefined
    countRow(this.tally, row, 1)
    this.inState[row.state].add(row.row)
    if (endNow !== null) this.ended.add(endNow, row.row)
    this.kept[row.row - 1] = row
    this.ends[row.row - 1] = endNow
    const waits = row.nextAt !== null && (row.state === "unknown" || row.state === "confirmed")
    this.waiting[waits ? "add" : "delete"](row.row)
    this.undecided[needsSomebody(row) ? "add" : "delete"](row.row)
    this.shown = undefined
  }

  /** Rows in these states with a number above `after`, by number. */
  *rowsIn(states: readonly RowState[], after: number): Generator<RowRecord> {
    for (let at = after; ;) {
      const nexts = states.map((state) => this.inState[state].next(at)).filter((next) => next !== undefined)
      if (nexts.length === 0) return
      at = Math.min(...nexts)
      const row = this.row(at)
      if (row !== undefined) yield row
    }
  }

  /** Rows of a filter, by number. */
  *rowsOf(state: RowQuery["state"]): Generator<RowRecord> {
    if (state === undefined) yield* this.kept
    else if (state === "attention") yield* this.from(this.undecided)
    else yield* this.rowsIn([state], 0)
  }

  /** Rows that are looked at again, by number. */
  waitingRows(): Generator<RowRecord> {
    return this.from(this.waiting)
  }

  /** Controls that have something to show yet. */
  openControls(): ControlRecord[] {
    return [...this.controls.values()].filter(
      (control) => control.nextAt !== null && control.seenAt === null && !control.void,
    )
  }

  /** The rows by what makes two of them the same. */
  same(): SameIndex {
    this.sameIndex ??= indexSame(this.kept)
    return this.sameIndex
  }

  /** What it counts towards its maker's day, in points or cents. */
  startedAmount(): number {
    return startedAmountOf(this.fields, this.tally)
  }

  isBusy(): boolean {
    return isBusy(this.fields, this.tally, this.openControls().length)
  }

  private *from(set: RowSet): Generator<RowRecord> {
    for (const number of set) {
      const row = this.row(number)
      if (row !== undefined) yield row
    }
  }
}
