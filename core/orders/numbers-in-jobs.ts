import * as z from "zod/mini"
import { limits } from "../../contract/limits.ts"
import type { Clock } from "../ports.ts"
import type { JobRecord, JobStore, RowRecord } from "../jobs/job-store.ts"
import { plainNumber } from "./plain-number.ts"

/** The number that our own rows gave an order last. */
interface GivenNumber {
  readonly orderId: string
  readonly number: string
  readonly job: string
  /** ms since 1970. */
  readonly at: number
}

/** Tracking numbers in rows of our own. */
export interface NumbersInJobs {
  /** Orders that a row gave this number last. */
  of(plain: string): readonly GivenNumber[]
  readonly rows: number
  /** Since when rows are known, ms since 1970; null without any. */
  readonly since: number | null
}

/** So far back is looked, and through so many jobs and rows, newest first. */
const furthestMs = 90 * 86_400_000
const most = { jobs: 2000, rows: 50_000 }
/** A job that still moves is read again no sooner than this, ms. */
const againMs = 5000

const numbered = z.object({ order_id: z.string(), tracking_number: z.string() })

interface KnownJob {
  /** Changes with everything that can change its rows' numbers. */
  readonly mark: string
  readonly readAt: number
  readonly createdAt: number
  readonly given: readonly GivenNumber[]
  readonly rows: number
}

/** Makes the reader of our own rows; it remembers what it has read. */
export function createNumbersInJobs(
  jobs: Pick<JobStore, "list" | "rowsIn">,
  clock: Clock,
): () => Promise<NumbersInJobs> {
  const known = new Map<string, KnownJob>()

  async function readJob(job: JobRecord): Promise<KnownJob> {
    const given: GivenNumber[] = []
    let rows = 0
    for (let after = 0; rows < most.rows;) {
      const page = await jobs.rowsIn(
        job.id,
        ["planned", "sent", "confirmed", "unknown", "absent", "conflict"],
        after,
        1000,
      )
      for (const row of page) given.push(...givenBy(job, row))
      rows += page.length
      after = page.at(-1)?.row ?? 0
      if (page.length < 1000) break
    }
    return { mark: markOf(job), readAt: clock.monotonic(), createdAt: job.createdAt, given, rows }
  }

  /** Reads what is new or has changed; older jobs that stand still are not looked at again. False: nothing has. */
  async function refresh(): Promise<boolean> {
    let changed = false
    const from = clock.now() - furthestMs
    let rows = 0
    let before: string | undefined
    for (let seen = 0; seen < most.jobs && rows < most.rows;) {
      const perPage = limits.perPage.max
      const found = await jobs.list({ kind: "order-update", from, before, perPage })
      let fresh = 0
      for (const job of found.slice(0, perPage)) {
        const old = known.get(job.id)
        const still = old !== undefined && old.mark === markOf(job)
        const moving = job.state !== "done" && job.state !== "cancelled"
        const due = old === undefined || !still || (moving && clock.monotonic() - old.readAt > againMs)
        const entry = due ? await readJob(job) : old
        changed ||= due
        known.set(job.id, entry)
        rows += entry.rows
        if (!still) fresh += 1
        seen += 1
      }
      before = found.at(perPage - 1)?.id
      if (found.length <= perPage || fresh === 0) break
    }
    return changed
  }

  function summary(): NumbersInJobs {
    const latest = new Map<string, GivenNumber>()
    let rows = 0
    let since: number | null = null
    for (const [id, job] of known) {
      if (job.createdAt < clock.now() - furthestMs) {
        known.delete(id)
        continue
      }
      rows += job.rows
      since = Math.min(since ?? Infinity, job.createdAt)
      for (const one of job.given) {
        const other = latest.get(one.orderId)
        if (other === undefined || other.at <= one.at) latest.set(one.orderId, one)
      }
    }
    const byNumber = Map.groupBy(latest.values(), ({ number }) => plainNumber(number))
    return { rows, since, of: (plain) => byNumber.get(plain) ?? [] }
  }

  let last: NumbersInJobs | undefined
  return async () => {
    const changed = await refresh()
    if (changed || last === undefined) last = summary()
    return last
  }
}

function givenBy({ id, createdAt }: JobRecord, { input }: RowRecord): GivenNumber[] {
  const read = numbered.safeParse(input)
  if (!read.success) return []
  const { order_id: orderId, tracking_number: number } = read.data
  return [{ orderId, number, job: id, at: createdAt }]
}

function markOf({ state, total, finishedAt, counts }: JobRecord): string {
  return [state, total, finishedAt, counts.failed].join(" ")
}
