import type { JobContext } from "./job-context.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"
import { goesInBulk } from "./marks.ts"
import type { Run } from "./run.ts"

/** Rows that go out next, together or one alone. */
export interface NextRows {
  readonly how: "single" | "bulk"
  readonly rows: readonly RowRecord[]
}

const readAtOnce = 500

/** Finds what goes out next, in the order of the rows; undefined when nothing can go now. */
export function createNextRows({ store }: JobContext, run: Run) {
  let buffer: RowRecord[] = []

  async function fill(job: JobRecord, busy: ReadonlySet<string>): Promise<void> {
    buffer = buffer.filter(({ row }) => !busy.has(`row ${row}`))
    if (buffer.length > 0) return
    buffer = (await store.jobs.rowsIn(job.id, ["planned"], 0, readAtOnce)).filter(
      ({ row, ordinal }) => !busy.has(`row ${row}`) && (ordinal !== null || job.kind === "member-create"),
    )
  }

  return async (
    job: JobRecord,
    busy: ReadonlySet<string>,
    mayStart: (how: NextRows["how"]) => boolean,
  ): Promise<NextRows | undefined> => {
    if (job.counts.planned === 0) return undefined
    await fill(job, busy)
    const single = (row: RowRecord) => row.singly || !goesInBulk(job, row)
    const [first] = buffer
    if (first === undefined) return undefined
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
    const taken = new Set(picked)
    buffer = buffer.filter((row) => !taken.has(row))
    return { how: "bulk", rows: picked }
  }
}
