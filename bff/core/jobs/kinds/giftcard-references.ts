import { stored } from "../../stored.ts"
import type { JobContext } from "../job-context.ts"
import type { Claim, JobRecord, RowChange, RowRecord } from "../job-store.ts"
import { referenceOf } from "../marks.ts"
import { plannedRows } from "../planned-rows.ts"
import { isGiven } from "./giftcard-body.ts"
import { giftcardWorkOf } from "./giftcard-work.ts"

/**
 * Settles the reference of every planned row: a person's own where no other row here has it for the same template,
 * otherwise the row's (docs/decisions/0002-money.md). Done before anything is sent, and once for each row.
 */
export async function settleReferences(
  context: JobContext,
  job: JobRecord,
  signal: AbortSignal,
): Promise<void> {
  const { jobs } = context.store
  for await (const planned of plannedRows(jobs, job.id)) {
    signal.throwIfAborted()
    const rows = planned.filter((row) => giftcardWorkOf(row).reference === undefined)
    const own = rows.filter((row) => isGiven(ownOf(row)))
    const taken = await claimOwn(context, job, own)
    const left = [...rows.filter((row) => !isGiven(ownOf(row))), ...taken]
    const changes = left.map((row) => settledAs(row, referenceOf(job, row)))
    if (changes.length > 0) await stored(jobs.changeRows(job.id, changes))
  }
}

/** Gives the rows whose own reference is another row's. */
async function claimOwn(
  context: JobContext,
  job: JobRecord,
  rows: readonly RowRecord[],
): Promise<RowRecord[]> {
  const taken = await tryClaims(context, job, rows)
  if (taken.length === 0) return []
  const freed = await freeUnused(context, taken)
  return freed === 0 ? taken : tryClaims(context, job, taken)
}

async function tryClaims(
  context: JobContext,
  job: JobRecord,
  rows: readonly RowRecord[],
): Promise<RowRecord[]> {
  if (rows.length === 0) return []
  const changes = rows.map((row) => ({ ...settledAs(row, ownOf(row) ?? ""), claim: claimOf(row) }))
  const results = await stored(context.store.jobs.changeRows(job.id, changes))
  return rows.filter((_, at) => results[at] === "claimed")
}

/** A row that definitely issued nothing gives its reference back. Gives how many did. */
async function freeUnused(context: JobContext, rows: readonly RowRecord[]): Promise<number> {
  const { jobs } = context.store
  const claims = rows.map(claimOf)
  const owners = await stored(
    jobs.claims(
      scope,
      claims.map(({ key }) => key),
    ),
  )
  let freed = 0
  for (const release of claims) {
    const owner = owners.get(release.key)
    const job = owner === undefined ? undefined : await stored(jobs.get(owner.job))
    if (owner === undefined || job === undefined) continue
    // What a cancelled job has not sent it never will; a doubtful row is left absent then, not planned.
    const from = job.state === "cancelled" ? (["failed", "planned"] as const) : (["failed"] as const)
    const change: RowChange = { row: owner.row, from, set: {}, release }
    const [result] = await stored(jobs.changeRows(owner.job, [change]))
    if (result === "changed") freed += 1
  }
  return freed
}

function settledAs(row: RowRecord, reference: string): RowChange {
  const { attempts, edits, work } = row
  return { row: row.row, from: ["planned"], attempt: attempts, edits, set: { work: { ...work, reference } } }
}

function ownOf({ input }: RowRecord): string | undefined {
  const own = input["externalRef"]
  return typeof own === "string" ? own : undefined
}

const scope = "giftcard:reference"

/** A reference is unique for its template only. */
function claimOf(row: RowRecord): Claim {
  return { scope, key: JSON.stringify([row.input["cardId"], ownOf(row)]) }
}

/** The claim of a row whose own reference was settled; a row that may have been sent never gives it back. */
export function ownReference(row: RowRecord): Claim | undefined {
  const own = ownOf(row)
  return isGiven(own) && giftcardWorkOf(row).reference === own ? claimOf(row) : undefined
}
