import type { JobContext } from "./job-context.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import { goesInBulk } from "./correlation-tags.ts"
import type { Run } from "./run.ts"

/** Rows that go out next, together or one alone. */
export interface NextRows {
  readonly how: "single" | "bulk"
  readonly rows: readonly RowRecord[]
}

const readAtOnce = 500

/** What is under way of the same job. */
export interface UnderWay {
  readonly busy: ReadonlySet<string>
  /** Requests that carry rows out. */
  readonly sends: number
  readonly mayStart: (how: NextRows["how"]) => boolean
}

/**
 * Finds what goes out next, in the order of the rows; undefined when nothing can go now. The last row of a job waits
 * until every other call has ended and goes alone: its answer is the control that settles the ones before it.
 */
export function createNextRows({ store, time }: JobContext, run: Run) {
  let buffer: RowRecord[] = []

  async function fill(job: JobRecord, busy: ReadonlySet<string>): Promise<void> {
    buffer = buffer.filter(({ row }) => !busy.has(`row ${row}`))
    if (buffer.length > 0) return
    const now = time.now()
    // Without an ordinal a row has no mark yet; one with a time waits for it.
    const mayGo = ({ row, ordinal, nextAt }: RowRecord) =>
      !busy.has(`row ${row}`) &&
      (ordinal !== null || kindRules[job.kind].absence !== "control") &&
      (nextAt === null || nextAt <= now)
    const rows = await store.jobs.rowsIn(job.id, ["planned"], 0, readAtOnce)
    buffer = rows.filter(mayGo)
    // Edited, and resumed at once, while a preparation that began before was still at work: it is prepared again.
    if (kindRules[job.kind].absence === "control" && rows.some(({ ordinal }) => ordinal === null))
      await store.jobs.change(job.id, ["running"], { prepared: false })
  }

  const next = async (job: JobRecord, { busy, sends, mayStart }: UnderWay): Promise<NextRows | undefined> => {
    if (job.counts.planned === 0) return undefined
    await fill(job, busy)
    const single = (row: RowRecord) => row.singly || !goesInBulk(job, row)
    const [first] = buffer
    if (first === undefined) return undefined
    const closes = job.total > 1 && kindRules[job.kind].absence === "control"
    if (closes && buffer.length === 1 && sends > 0) return undefined
    if (!mayStart(single(first) ? "single" : "bulk")) return undefined
    if (single(first)) {
      buffer = buffer.slice(1)
      return { how: "single", rows: [first] }
    }
    const size = run.bulk.next()
    if (size === 0) return undefined
    const members = new Set<string | null>()
    const picked: RowRecord[] = []
    for (const row of buffer) {
      if (picked.length >= size) break
      if (single(row) || members.has(row.memberId)) continue
      members.add(row.memberId)
      picked.push(row)
    }
    if (closes && picked.length > 1 && picked.length === buffer.length) picked.pop()
    const taken = new Set(picked)
    buffer = buffer.filter((row) => !taken.has(row))
    return { how: "bulk", rows: picked }
  }

  return {
    next,
    /** Rows may have changed in the store: what was read of them is read again. */
    forget() {
      buffer = []
    },
  }
}
