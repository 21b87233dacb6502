import { rowBatches } from "./engine-context.ts"
import { type BulkRules, isSentInBulk, type JobContext, lacksTag } from "./job-kind.ts"
import type { RowRecord } from "./job-store.ts"
import type { BulkSize } from "./run-state.ts"

/** The rows of the next request. */
export type NextRequest =
  | { readonly how: "single"; readonly rows: readonly [RowRecord] }
  | { readonly how: "bulk"; readonly bulk: BulkRules; readonly rows: readonly RowRecord[] }

/** What limits the next request. */
interface OpenWork {
  /** Keys of rows in flight. */
  readonly busy: ReadonlySet<string>
  /** Open sending requests. */
  readonly sends: number
  readonly canStart: (how: NextRequest["how"]) => boolean
}

const batchSize = 500

/** Names a row's call or lookup within its job, where each runs once at a time. */
export function rowKey({ row }: RowRecord): string {
  return `row ${row}`
}

/**
 * Picks the next rows to send, in row order. The last row of each tag form waits for all other calls and is sent alone:
 * as a canary it settles the rows before it.
 */
export class SendQueue {
  #rows: readonly RowRecord[] = []
  #last: ReadonlySet<RowRecord> = new Set()
  readonly #bulk: BulkSize

  constructor(bulk: BulkSize) {
    this.#bulk = bulk
  }

  clear(): void {
    this.#rows = []
  }

  async next(context: JobContext, { busy, sends, canStart }: OpenWork): Promise<NextRequest | undefined> {
    const { job, rules } = context
    if (job.counts.planned === 0) return undefined
    await this.#fill(context, busy)
    const first = this.#rows.find((row) => !this.#last.has(row)) ?? this.#rows[0]
    if (first === undefined) return undefined
    const isLast = this.#last.has(first)
    if (isLast && (sends > 0 || (await hasOpenCall(context)))) return undefined
    const bulk = this.#bulk.alone || isSentAlone(context, first) ? undefined : rules.bulk
    if (!canStart(bulk === undefined ? "single" : "bulk")) return undefined
    if (bulk === undefined) return this.#take({ how: "single", rows: [first] })
    const size = this.#bulk.next()
    if (size === 0) return undefined
    return this.#take({ how: "bulk", bulk, rows: isLast ? [first] : this.#pick(context, size) })
  }

  #take(next: NextRequest): NextRequest {
    this.#rows = this.#rows.filter((row) => !next.rows.includes(row))
    return next
  }

  async #fill(context: JobContext, busy: ReadonlySet<string>): Promise<void> {
    this.#rows = this.#rows.filter((row) => !busy.has(rowKey(row)))
    if (this.#rows.length > 0) return
    const { job, store, time } = context
    const now = time.now()
    for await (const rows of rowBatches(store.jobs, job.id, ["planned"], batchSize)) {
      this.#rows = rows.filter(
        (row) =>
          !busy.has(rowKey(row)) &&
          !lacksTag(context, row) &&
          row.awaits === null &&
          (row.nextAt === null || row.nextAt <= now),
      )
      this.#last = lastOfForms(context, this.#rows)
      // Edited and resumed during an earlier preparation: prepare again.
      if (rows.some((row) => lacksTag(context, row)))
        await store.jobs.change(job.id, ["running"], { prepared: false })
      // Read on only if rows that wait for a reversal fill the batch.
      if (this.#rows.length > 0 || !rows.some(({ awaits }) => awaits !== null)) return
    }
  }

  /** Up to `size` rows of different members. */
  #pick(context: JobContext, size: number): readonly RowRecord[] {
    const members = new Set<string | null>()
    const picked: RowRecord[] = []
    for (const row of this.#rows) {
      if (picked.length >= size) break
      if (isSentAlone(context, row) || this.#last.has(row) || members.has(row.memberId)) continue
      members.add(row.memberId)
      picked.push(row)
    }
    return picked
  }
}

/** The last row of each tag form, for kinds whose rows settle each other. */
function lastOfForms({ job, rules }: JobContext, rows: readonly RowRecord[]): ReadonlySet<RowRecord> {
  if (job.total <= 1 || rules.absence !== "canary") return new Set()
  return new Set(new Map(rows.map((row) => [rules.tags?.formOf(job, row), row] as const)).values())
}

/** Whether a call of the job has no known end, such as one of an instance that is not proven to be over. */
async function hasOpenCall({ job, store }: JobContext): Promise<boolean> {
  if (job.counts.sent + job.counts.unknown === 0) return false
  for await (const rows of rowBatches(store.jobs, job.id, ["sent", "unknown"], batchSize))
    if (rows.some(({ sentAt, endedAt }) => sentAt !== null && endedAt === null)) return true
  return false
}

function isSentAlone(context: JobContext, row: RowRecord): boolean {
  return row.sendAlone || !isSentInBulk(context, row)
}
