import { type RawBuilder, type Selectable, sql, type Transaction } from "kysely"
import { yieldToEventLoop } from "../../core/jobs/engine-context.ts"
import {
  blankRow,
  type Claim,
  type JobStore,
  type NewRow,
  type RowChange,
  type RowChanged,
  type RowRecord,
  rowRecord,
} from "../../core/jobs/job-store.ts"
import type { Engine } from "./engine.ts"
import {
  countRow,
  countsOn,
  type LockedJob,
  type JobEngine,
  saveJob,
  limitPassed,
  mayChange,
  withJob,
} from "./held-job.ts"
import { appendEntry } from "./plain-stores.ts"
import { type Database, rowTable } from "./schema.ts"
import { numberset, recordset, wholeMs } from "./table.ts"

/** Small enough not to block other work of this process for long. */
const rowsAtOnce = 1000
const rowTypes = { ...rowTable.types, search: "text", closed_at: "bigint" } as const
const rowNames = Object.keys(rowTypes) as (keyof typeof rowTypes)[]

/** A row's columns, and those derived from it: its search text and its end time. */
function columnsOf(row: RowRecord, closedAt: number | null): Selectable<Database["job_row"]> {
  const { memberId, email, label } = row
  return {
    ...rowTable.write(row),
    search: [memberId, email, label].map((text) => text?.toLowerCase() ?? "").join("\n"),
    closed_at: closedAt === null ? null : wholeMs(closedAt),
  }
}

/** What every row has when it is made. */
const newRecord = rowRecord.parse({ ...blankRow, jobId: "", row: 0, input: {}, state: "planned" })

/** New rows, numbered after the `kept` that are there: planned, or excluded with the reason. */
export function newRows(jobId: string, savedRows: number, rows: readonly NewRow[]): RowRecord[] {
  return rows.map(({ excluded, ...given }, at) => ({
    ...newRecord,
    ...given,
    jobId,
    row: savedRows + 1 + at,
    state: excluded === undefined ? "planned" : "excluded",
    outcome: excluded ?? null,
  }))
}

/** Adds rows; returns how many: fewer than given when one takes back what another row takes back already. */
export async function insertRows(
  kind: Engine["kind"],
  within: Transaction<Database>,
  rows: readonly RowRecord[],
  closedAt: (row: RowRecord) => number | null = () => null,
): Promise<number> {
  const names = sql.join(rowNames.map((name) => sql.ref(name)))
  let added = 0
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    if (at > 0) await yieldToEventLoop()
    const given = rows.slice(at, at + rowsAtOnce).map((row) => columnsOf(row, closedAt(row)))
    // `where true` tells SQLite that `on conflict` is no join.
    const { numAffectedRows } = await sql`
      insert into job_row (${names}) select ${names} from ${recordset(kind, rowTypes, given)} where true
      on conflict do nothing`.execute(within)
    added += Number(numAffectedRows ?? 0)
  }
  return added
}

/** Changing rows of jobs: the changes of one job come one after the other. */
export function rowChanging(engine: JobEngine): Pick<JobStore, "changeRows" | "hurry" | "assignOrdinals"> {
  return {
    changeRows: async (jobId, changes, jobChange, most, audit, rowAudit) => {
      const all = (result: RowChanged) => changes.map(() => result)
      return withJob(engine, jobId, all("stale"), async (job) => {
        if (jobChange?.only === true && !jobChange.from.includes(job.record.state)) return all("stale")
        const previousAmount = job.tally.amount
        const held = await changeLockedRows(job, changes)
        const { amount } = job.tally
        // A restarted job counts for the day of its restart, with all its amounts.
        const begins = jobChange?.set.startedAt !== undefined && most !== undefined
        const maker = jobChange?.set.createdBy ?? job.record.createdBy
        const isAll = maker.id !== job.record.createdBy.id || (begins && !countsOn(most.day, job.record))
        const added = isAll ? amount : amount - previousAmount
        const moved = { makerId: maker.id, amount, added }
        // What moves less than before is within every limit, also one that was lowered meanwhile.
        const passed = added > 0 ? await limitPassed(engine, job.within, most, moved) : undefined
        if (passed !== undefined) return all(passed)
        await held.write()
        if (!held.isChanged) return held.results
        const isChanged = jobChange !== undefined && mayChange(job, jobChange)
        const now = await saveJob(job, isChanged ? jobChange.set : {}, audit !== undefined)
        if (audit !== undefined) await appendEntry(job.within, audit(now, held.results))
        if (rowAudit !== undefined && now.closesAt !== null)
          for (const row of held.ended) await appendEntry(job.within, rowAudit(now, row))
        return held.results
      })
    },

    hurry: async (jobId, request, at) => {
      await withJob(engine, jobId, undefined, ({ within, number }) =>
        within
          .updateTable("job_row")
          .set({ next_at: wholeMs(at) })
          .where("job", "=", number)
          .where("state", "=", "unknown")
          .where("request", "=", request)
          .where("next_at", ">", wholeMs(at))
          .execute(),
      )
    },

    assignOrdinals: async (jobId) => {
      await withJob(engine, jobId, undefined, ({ within, number }) =>
        sql`
          update job_row set ordinal = given.ordinal from (
            select job, row, row_number() over (partition by member_id order by row) + coalesce((
              select max(other.ordinal) from job_row as other
              where other.job = bare.job and other.member_id = bare.member_id and other.ordinal is not null
            ), 0) as ordinal
            from job_row as bare
            where job = ${number} and state = 'planned' and member_id is not null and ordinal is null
          ) as given
          where job_row.job = given.job and job_row.row = given.row`.execute(within),
      )
    },
  }
}

/** Changes rows of a job in memory and in its tally; `write` persists that. */
export async function changeLockedRows(job: LockedJob, changes: readonly RowChange[]) {
  const rows = changes.length === 0 ? new Map<number, Changing>() : await readRows(job, changes)
  const claims = await holdClaims(job, changes)
  const results = changes.map((change): RowChanged => {
    const row = rows.get(change.row)
    if (row === undefined) return "stale"
    const after = changedRow(row.now, change, claims)
    if (typeof after === "string") return after
    row.now = after
    return "changed"
  })
  const changed = [...rows.values()].filter(({ before, now }) => before !== now)
  for (const { before, now } of changed) {
    countRow(job.tally, before, -1)
    countRow(job.tally, now, 1)
  }
  return {
    results,
    isChanged: changed.length > 0,
    /** Rows that ended or need a person now. */
    ended: changed.flatMap(({ before, now }) =>
      now.state !== before.state && outcomeStates.has(now.state) ? [now] : [],
    ),
    async write() {
      await claims.keep()
      for (let at = 0; at < changed.length; at += rowsAtOnce)
        await writeRows(job, changed.slice(at, at + rowsAtOnce))
    },
  }
}

const outcomeStates: ReadonlySet<string> = new Set(["confirmed", "failed", "absent", "conflict"])

/** A row as it was when the transaction began, with its end, and as it is now. */
interface Changing {
  readonly before: RowRecord
  readonly closedAt: number | null
  now: RowRecord
}

async function readRows(job: LockedJob, changes: readonly RowChange[]): Promise<Map<number, Changing>> {
  const numbers = [...new Set(changes.map(({ row }) => row))]
  const found = await job.within
    .selectFrom("job_row")
    .selectAll()
    .where("job", "=", job.number)
    .where("row", "in", numberset(job.kind, numbers))
    .execute()
  return new Map(
    found.map((columns) => {
      const before = rowTable.read(columns)
      return [columns.row, { before, closedAt: columns.closed_at, now: before }]
    }),
  )
}

/** Writes the columns that changed in any of the rows, all rows in one statement. */
async function writeRows(job: LockedJob, rows: readonly Changing[]): Promise<void> {
  const written = rows.map((row) => ({
    before: columnsOf(row.before, row.closedAt),
    now: columnsOf(row.now, closedAtOf(row, job.now)),
  }))
  const names = rowNames.filter((name) => written.some(({ before, now }) => before[name] !== now[name]))
  if (names.length === 0) return
  const changedColumns = ["job", "row", ...names] as const
  const types = Object.fromEntries(changedColumns.map((name) => [name, rowTypes[name]]))
  const given = written.map(({ now }) => Object.fromEntries(changedColumns.map((name) => [name, now[name]])))
  const sets = names.map((name) => sql`${sql.ref(name)} = given.${sql.ref(name)}`)
  await sql`
    update job_row set ${sql.join(sets)} from ${recordset(job.kind, types, given)}
    where job_row.job = given.job and job_row.row = given.row`.execute(job.within)
}

/** When a row ended, ms since 1970: a confirmed one with its response, a failed one with the change; or null. */
function closedAtOf({ before, closedAt, now: after }: Changing, now: number): number | null {
  const savedEnd = before.state === after.state ? closedAt : null
  if (after.state === "confirmed") return after.confirmedAt ?? savedEnd ?? now
  return after.state === "failed" ? (savedEnd ?? now) : null
}

/** Takes and gives back what the change claims and releases, and returns the changed row; or why nothing was changed. */
function changedRow(row: RowRecord, change: RowChange, { owners }: Claims): RowRecord | "stale" | "claimed" {
  const { from, attempt = row.attempts, edits = row.edits, release, set } = change
  if (!from.includes(row.state) || attempt !== row.attempts || edits !== row.edits) return "stale"
  const keys = claimsOf(change).map(keyOf)
  if (keys.some((key) => (owners.get(key) ?? row.row) !== row.row)) return "claimed"
  if (release !== undefined && owners.get(keyOf(release)) === row.row) owners.delete(keyOf(release))
  for (const key of keys) owners.set(key, row.row)
  const next: RowRecord = { ...row, ...set }
  // An ordinal counts among the rows of one member: with another member `assignOrdinals` gives a new one.
  return next.memberId === row.memberId ? next : { ...next, ordinal: null }
}

const claimsOf = ({ claim = [] }: RowChange): readonly Claim[] => [claim].flat()

/** Claims that changes name, held until the transaction ends. */
interface Claims {
  /** Whose each is, by `keyOf`: a row of this job or another job's; changed in place. */
  readonly owners: Map<string, number | "other">
  keep(): Promise<void>
}

/**
 * Locks every claim that the changes name: free ones are taken for this job, so that no other transaction can
 * take it meanwhile; what is not needed in the end is given back by `keep`. Always in the same order, so that two
 * transactions never wait for each other.
 */
async function holdClaims(job: LockedJob, changes: readonly RowChange[]): Promise<Claims> {
  const wanted = inOrder(
    changes.flatMap((change) => claimsOf(change).map((claim) => ({ ...claim, row: change.row }))),
  )
  const named = inOrder([...wanted, ...changes.flatMap(({ release }) => release ?? [])])
  const savedOwners: Claims["owners"] = new Map()
  const owners: Claims["owners"] = new Map()
  const missing = <C extends Claim>(claims: readonly C[]) =>
    claims.filter((claim) => !savedOwners.has(keyOf(claim)))
  // One that was another's can be given back before it is read: then it is tried again.
  do {
    for (const claim of await runOver(job, missing(wanted), insertClaims))
      savedOwners.set(keyOf(claim), claim.row)
    for (const claim of await runOver(job, missing(named), readClaims)) {
      const owner = claim.job === job.number ? claim.row : "other"
      savedOwners.set(keyOf(claim), owner)
      owners.set(keyOf(claim), owner)
    }
  } while (missing(wanted).length > 0)
  return {
    owners,
    async keep() {
      const moved = named.filter((claim) => savedOwners.get(keyOf(claim)) !== owners.get(keyOf(claim)))
      await runOver(job, moved, deleteClaims)
      const again = moved.flatMap(({ scope, key }) => {
        const row = owners.get(keyOf({ scope, key }))
        return typeof row === "number" ? { scope, key, row } : []
      })
      await runOver(job, again, insertClaims)
    },
  }
}

const claimTypes = { scope: "text", key: "text", row: "bigint" } as const
type ClaimStatement = (given: RawBuilder<unknown>, job: number) => RawBuilder<Database["job_claim"]>

// `where true` tells SQLite that `on conflict` is no join.
const insertClaims: ClaimStatement = (given, job) => sql`
  insert into job_claim (scope, key, job, row) select scope, key, ${job}, row from ${given} where true
  on conflict do nothing returning scope, key, job, row`
const readClaims: ClaimStatement = (given) => sql`
  select held.scope, held.key, held.job, held.row from ${given}
  cross join job_claim as held where held.scope = given.scope and held.key = given.key`
const deleteClaims: ClaimStatement = (given, job) => sql`
  delete from job_claim where job = ${job} and (scope, key) in (select scope, key from ${given})`

async function runOver(
  job: LockedJob,
  claims: readonly (Claim & { readonly row?: number })[],
  statement: ClaimStatement,
) {
  if (claims.length === 0) return []
  const records = claims.map(({ scope, key, row }) => ({ scope, key, row }))
  const given = recordset(job.kind, claimTypes, records)
  return (await statement(given, job.number).execute(job.within)).rows
}

function inOrder<C extends Claim>(claims: readonly C[]): C[] {
  const byKey = new Map(claims.map((claim) => [keyOf(claim), claim]))
  return [...byKey.keys()].toSorted().flatMap((key) => byKey.get(key) ?? [])
}

function keyOf({ scope, key }: Claim): string {
  return JSON.stringify([scope, key])
}
