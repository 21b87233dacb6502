import { mayChangeRows } from "../job-data/job-change.ts"
import { changedBy } from "../job-data/row-change.ts"
import { countedAmount, passedLimit } from "../job-data/tally.ts"
import { rowSearchOf, searchTextOf, type RowSearch } from "../job-data/row-search.ts"
import type {
  Claim,
  JobStore,
  MostMoved,
  OverLimit,
  RowChange,
  RowChanged,
  RowRecord,
} from "../jobs/job-store.ts"
import { frozen, frozenCopy } from "./frozen.ts"
import type { JobEntry } from "./job-entry.ts"
import type { JobTable } from "./job-table.ts"

type Rows = Pick<
  JobStore,
  | "rows"
  | "row"
  | "rowsIn"
  | "due"
  | "nextDue"
  | "changeRows"
  | "overdue"
  | "hurry"
  | "giveOrdinals"
  | "endedSince"
  | "claims"
  | "reversedRows"
  | "confirmedAfter"
>

/** Rows of a memory store's jobs. */
export function jobRows(table: JobTable): Rows {
  return {
    async rows(jobId, { state, search, page, perPage }) {
      const wanted = rowSearchOf({ search })
      const all = table.get(jobId)?.rowsOf(state) ?? []
      const found = wanted === undefined ? [...all] : [...all].filter((row) => isFound(row, wanted))
      return { rows: found.slice((page - 1) * perPage, page * perPage), total: found.length }
    },
    row: async (jobId, row) => table.get(jobId)?.row(row),
    async rowsIn(jobId, states, after, limit) {
      const rows = table.get(jobId)?.rowsIn(states, after)
      return rows === undefined ? [] : firstOf(rows, limit)
    },
    async due(jobId, at, limit) {
      const waiting = [...(table.get(jobId)?.waitingRows() ?? [])]
      return waiting
        .filter((row) => nextOf(row) <= at)
        .toSorted((one, other) => nextOf(one) - nextOf(other) || one.row - other.row)
        .slice(0, limit)
    },
    async nextDue(jobId) {
      const entry = table.get(jobId)
      if (entry === undefined) return null
      let first = Infinity
      for (const row of entry.waitingRows()) first = Math.min(first, nextOf(row))
      for (const control of entry.openControls()) first = Math.min(first, nextOf(control))
      return first === Infinity ? null : first
    },
    async changeRows(jobId, changes, job, most) {
      const entry = table.get(jobId)
      const now = table.clock.now()
      if (entry === undefined || !mayChangeRows(entry.record(), job)) return changes.map(() => "stale")
      const passed = most && limitPassed(table, entry, changes, most)
      if (passed !== undefined) return changes.map(() => passed)
      const results = changes.map((change) => applied(table, entry, change, now))
      if (job !== undefined && results.includes("changed")) entry.change(job)
      return results
    },
    async overdue(jobId, at, owners) {
      const sent = table.get(jobId)?.rowsIn(["sent"], 0) ?? []
      return [...sent].filter(
        ({ owner, leaseUntil }) =>
          (leaseUntil !== null && leaseUntil < at) || (owner !== null && owners.includes(owner)),
      )
    },
    async hurry(jobId, request, at) {
      const entry = table.get(jobId)
      for (const row of entry?.rowsIn(["unknown"], 0) ?? []) {
        if (row.request === request && row.nextAt !== null && row.nextAt > at)
          entry?.put(frozen({ ...row, nextAt: at }), table.clock.now())
      }
    },
    async giveOrdinals(jobId) {
      const entry = table.get(jobId)
      if (entry !== undefined) giveOrdinals(entry, table.clock.now())
    },
    endedSince: async (jobId, since) => table.get(jobId)?.ended.countSince(since) ?? 0,
    async claims(scope, keys) {
      const owners = keys.map((key) => [key, table.ownerOf({ scope, key })] as const)
      return new Map(
        owners.flatMap(([key, owner]) => (owner ? [[key, { job: owner.job, row: owner.row }] as const] : [])),
      )
    },
    reversedRows: async (jobId) => new Set(table.get(jobId)?.reversedRows),
    async confirmedAfter(kinds, after, limit) {
      const found: RowRecord[] = []
      for (const entry of table.newestFirst()) {
        if (kinds.includes(entry.record().kind)) found.push(...firstOf(confirmedOf(entry, after), limit))
      }
      return found.toSorted((one, other) => (other.confirmedAt ?? 0) - (one.confirmedAt ?? 0)).slice(0, limit)
    },
  }
}

/** The limit that the changes would pass, if they were made. */
function limitPassed(
  table: JobTable,
  entry: JobEntry,
  changes: readonly RowChange[],
  most: MostMoved,
): OverLimit | undefined {
  const tried = {
    ownerOf: (claim: Claim) => table.ownerOf(claim),
    take: () => undefined,
    give: () => undefined,
  }
  let added = 0
  for (const change of changes) {
    const row = entry.row(change.row)
    const changed = changedBy(row, change, tried)
    if (row !== undefined && typeof changed !== "string") added += countedAmount(changed) - countedAmount(row)
  }
  if (added <= 0) return undefined
  const { amount, createdBy } = entry.record()
  return passedLimit(most, amount + added, table.startedAmount(createdBy.id, most.day) + added)
}

function applied(table: JobTable, entry: JobEntry, change: RowChange, now: number): RowChanged {
  const changed = changedBy(entry.row(change.row), { ...change, set: frozenCopy(change.set) }, table)
  if (typeof changed === "string") return changed
  const reversed = entry.row(change.row)?.reverses ?? null
  if (reversed !== null && changed.reverses === null)
    table.get(reversed.job)?.reversedRows.delete(reversed.row)
  entry.put(frozen(changed), now)
  return "changed"
}

function giveOrdinals(entry: JobEntry, now: number): void {
  const without = [...entry.rowsIn(["planned"], 0)].filter(
    ({ memberId, ordinal }) => memberId !== null && ordinal === null,
  )
  if (without.length === 0) return
  const last = new Map<string | null, number>()
  for (const { memberId, ordinal } of entry.rows()) {
    if (ordinal !== null) last.set(memberId, Math.max(ordinal, last.get(memberId) ?? 0))
  }
  for (const row of without) {
    const ordinal = (last.get(row.memberId) ?? 0) + 1
    last.set(row.memberId, ordinal)
    entry.put(frozen({ ...row, ordinal }), now)
  }
}

function* confirmedOf(entry: JobEntry, after: number): Generator<RowRecord> {
  for (const number of entry.ended.latestAfter(after)) {
    const row = entry.row(number)
    if (row?.state === "confirmed" && row.confirmedAt !== null && row.upstreamId !== null) yield row
  }
}

function firstOf<T>(values: Iterable<T>, limit: number): T[] {
  const taken: T[] = []
  for (const value of values) {
    if (taken.length >= limit) break
    taken.push(value)
  }
  return taken
}

function nextOf({ nextAt }: { readonly nextAt: number | null }): number {
  return nextAt ?? Infinity
}

function isFound(row: RowRecord, search: RowSearch | undefined): boolean {
  return (
    search === undefined || (row.line ?? row.row) === search.row || searchTextOf(row).includes(search.text)
  )
}
