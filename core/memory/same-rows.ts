import { namesOf } from "../job-data/row-effect.ts"
import type { JobRecord, JobStore, RowRecord, SameRows } from "../jobs/job-store.ts"
import type { JobEntry } from "./job-entry.ts"
import type { JobTable } from "./job-table.ts"
import { sameKey } from "./same-index.ts"

/** Recognising rows of a memory store that were there before. */
export function sameRows(table: JobTable): Pick<JobStore, "sameRows"> {
  return {
    async sameRows(rows, since, own) {
      const entries = [...table.newestFirst()]
      const isTakenBack = reversals(table)
      const known = {
        idsOf: (email: string) =>
          new Set(entries.flatMap((entry) => [...(entry.same().ids.get(email) ?? [])])),
        emailsOf: (id: string) =>
          new Set(entries.flatMap((entry) => [...(entry.same().emails.get(id) ?? [])])),
      }
      return rows.map((row): SameRows => {
        const named = namesOf(row, known)
        if (named === undefined) return { key: "", count: 0, latest: null }
        const keysOf = (effect: string) => [
          ...named.ids.map((id) => sameKey("id", id, effect)),
          ...named.emails.map((email) => sameKey("email", email, effect)),
        ]
        const keys = {
          own: named.effects.flatMap(keysOf),
          withoutReference: named.withoutReference === null ? [] : keysOf(named.withoutReference),
        }
        const found = entries.flatMap((entry) =>
          entry.record().id === own?.id ? [] : earlierRows(isTakenBack, entry, keys, since, own),
        )
        const [latest] = found
        return {
          key: named.key,
          count: found.length,
          latest: latest === undefined ? null : { job: latest.jobId, row: latest },
        }
      })
    },
  }
}

/** Rows of one job that count, the last first. */
function earlierRows(
  isTakenBack: ReturnType<typeof reversals>,
  entry: JobEntry,
  keys: { readonly own: readonly string[]; readonly withoutReference: readonly string[] },
  since: number,
  own: Pick<JobRecord, "id" | "startedAt"> | undefined,
): RowRecord[] {
  const same = entry.same()
  const numbers = new Set([
    ...keys.own.flatMap((key) => same.rows.get(key) ?? []),
    ...keys.withoutReference.flatMap((key) => same.withoutReference.get(key) ?? []),
  ])
  return [...numbers]
    .toSorted((one, other) => other - one)
    .flatMap((number) => entry.row(number) ?? [])
    .filter((row) => counts(isTakenBack, entry, row, since, own))
}

function counts(
  isTakenBack: ReturnType<typeof reversals>,
  entry: JobEntry,
  row: RowRecord,
  since: number,
  own: Pick<JobRecord, "id" | "startedAt"> | undefined,
): boolean {
  const job = entry.record()
  switch (row.state) {
    case "sent":
    case "unknown":
      return true
    case "confirmed":
    case "absent":
    case "conflict":
      return (row.confirmedAt ?? row.sentAt ?? 0) >= since && !isTakenBack(job, row)
    case "planned":
      if (job.state === "draft" || job.state === "cancelling" || job.state === "cancelled") return false
      return own === undefined || own.startedAt === null || job.prepared || isBefore(job, own)
    default:
      return false
  }
}

function isBefore(job: JobRecord, own: Pick<JobRecord, "id" | "startedAt">): boolean {
  const started = job.startedAt ?? Infinity
  const ownStart = own.startedAt ?? Infinity
  return started < ownStart || (started === ownStart && Number(job.id.slice(2)) < Number(own.id.slice(2)))
}

/** Whether a reversal of a row was carried out; reads each reversal once. */
function reversals(table: JobTable): (job: JobRecord, row: RowRecord) => boolean {
  const done = new Map<string, ReadonlySet<number>>()
  const takenBackBy = (id: string) => {
    const rows =
      done.get(id) ??
      new Set(
        [...(table.get(id)?.rowsIn(["confirmed"], 0) ?? [])].flatMap(({ reverses }) => reverses?.row ?? []),
      )
    done.set(id, rows)
    return rows
  }
  return (job, { row }) => job.reversedBy.some((id) => takenBackBy(id).has(row))
}
