import { amountOf } from "../../contract/limits.ts"
import { firstJobNumber, jobIdOf } from "../job-data/job-number.ts"
import { madeRow } from "../job-data/row-change.ts"
import { isSameInput } from "../job-data/same-input.ts"
import { addedByStart, passedLimit } from "../job-data/tally.ts"
import type { JobStore, NewJob, NewRow } from "../jobs/job-store.ts"
import { frozenCopy } from "./frozen.ts"
import { JobEntry } from "./job-entry.ts"
import type { JobTable } from "./job-table.ts"

/** How jobs come to be in a memory store. */
export function jobMaking(
  table: JobTable,
): Pick<JobStore, "create" | "twinOf" | "append" | "start" | "startedAmount"> {
  return {
    async create(job, rows, most) {
      const { request } = job
      const twin = request === null ? undefined : twinOf(table, job.createdBy.id, request)
      if (twin !== undefined) return twin
      if (table.entries.some((entry) => entry.record().batchCode === job.batchCode)) return "code_taken"
      if (takesBackTwice(table, rows)) return "reversed"
      const moved = movedBy(rows)
      const counted = job.state === "draft" ? 0 : moved
      const passed =
        most && passedLimit(most, moved, table.startedAmount(job.createdBy.id, most.day) + counted)
      if (passed !== undefined) return passed

      const now = table.clock.now()
      const number = (table.entries.at(-1)?.number ?? firstJobNumber - 1) + 1
      const entry = new JobEntry(number, fieldsOf(job, jobIdOf(number), now), request)
      table.add(entry)
      addRows(table, entry, rows, now)
      const reversed = job.reverses === null ? undefined : table.get(job.reverses)
      reversed?.set({ reversedBy: [...reversed.record().reversedBy, entry.record().id] })
      return { job: entry.record(), made: true }
    },

    twinOf: async (makerId, request) => twinOf(table, makerId, request),

    async append(jobId, rows, firstRow, most, mostMoved) {
      const entry = table.get(jobId)
      if (entry === undefined) return "missing"
      if (entry.record().state !== "draft") return "not_draft"
      const kept = entry.rows().length
      const first = firstRow ?? kept + 1
      if (first > kept + 1) return "gap"
      const there = rows.slice(0, kept + 1 - first)
      const same = there.every((row, at) => isSameInput(entry.row(first + at)?.input ?? {}, row.input))
      if (!same) return "different"
      const added = rows.slice(there.length)
      if (kept + added.length > most) return "too_many"
      const moved = movedBy(added) + entry.record().amount
      if (mostMoved !== undefined && moved > mostMoved) return "over_job"
      addRows(table, entry, added, table.clock.now())
      return entry.record()
    },

    async start(jobId, set, most, from = "draft") {
      const entry = table.get(jobId)
      if (entry?.record().state !== from) return "stale"
      const { amount, createdBy } = entry.record()
      const added = most === undefined ? 0 : addedByStart(entry.record(), most.day)
      const passed =
        most !== undefined && added > 0
          ? passedLimit(most, amount, table.startedAmount(createdBy.id, most.day) + added)
          : undefined
      if (passed !== undefined) return passed
      entry.change({ from: [from], set: { ...set, state: "running" } })
      return entry.record()
    },

    startedAmount: async (makerId, query) => table.startedAmount(makerId, query),
  }
}

/** What new rows move, in points or cents; excluded ones move nothing. */
function movedBy(rows: readonly NewRow[]): number {
  return rows.reduce((sum, row) => sum + (row.excluded === undefined ? amountOf(row) : 0), 0)
}

function twinOf(table: JobTable, maker: string, request: NonNullable<NewJob["request"]>) {
  const twin = table.entries.find(
    (entry) => entry.request?.key === request.key && entry.record().createdBy.id === maker,
  )
  if (twin === undefined) return undefined
  if (twin.request?.bodyHash !== request.bodyHash) return "other_body" as const
  return { job: twin.record(), made: false } as const
}

function takesBackTwice(table: JobTable, rows: readonly NewRow[]): boolean {
  const taken = new Set<string>()
  return rows.some(({ reverses }) => {
    if (reverses === null) return false
    const key = `${reverses.job}/${reverses.row}`
    const isTaken = taken.has(key) || table.get(reverses.job)?.reversedRows.has(reverses.row) === true
    taken.add(key)
    return isTaken
  })
}

function fieldsOf(job: NewJob, id: string, now: number) {
  const { request: _request, ...fields } = job
  return {
    ...fields,
    id,
    pause: null,
    prepared: false,
    createdAt: now,
    startedAt: job.state === "draft" ? null : now,
    finishedAt: null,
    repeats: null,
    reversedBy: [],
    hold: null,
  }
}

function addRows(table: JobTable, entry: JobEntry, rows: readonly NewRow[], now: number): void {
  const { id } = entry.record()
  const kept = entry.rows().length
  rows.forEach((row, at) => {
    entry.put(frozenCopy(madeRow(id, kept + 1 + at, row)), now)
    if (row.reverses !== null) table.get(row.reverses.job)?.reversedRows.add(row.reverses.row)
  })
}
