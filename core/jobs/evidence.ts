import { DeskFailure, notFound, stored } from "../errors.ts"
import type { ActContext } from "../audit-log.ts"
import { historyState } from "./controls.ts"
import type { JobContext } from "./job-context.ts"
import type { Evidence } from "./jobs.ts"
import type { FoundEffect } from "./job-kind.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import { readBalance } from "./kinds/ledger.ts"
import { lookFrom } from "./look-from.ts"
import { mayResend } from "./may-resend.ts"
import type { Owners } from "./owners.ts"

/**
 * Gathers what a person needs to decide a row: every entry that could be its effect, the balance, how its call ended.
 * @throws DeskFailure when the service cannot be read now
 */
export async function rowEvidence(
  context: JobContext,
  owners: Owners,
  asker: ActContext,
  id: string,
  number: number,
): Promise<Evidence> {
  const { jobs } = context.store
  const job = await stored(jobs.get(id))
  const row = job === undefined ? undefined : await stored(jobs.row(id, number))
  if (job === undefined || row === undefined) throw notFound("Row not found.")
  const rules = kindRules[job.kind]
  // The reads are the person's who looks, whoever's job it is.
  const asPerson: JobRecord = { ...job, lane: "people", createdBy: asker.user }
  const look = await rules.lookup(context, asPerson, row, lookFrom(context, rules.api, row))
  const found = (look.kind === "read" ? look.found : []).filter((one) => couldBe(one, row))
  const scope = rules.claimScope
  const ids = found.map(({ upstreamId }) => upstreamId)
  const claims = scope === undefined ? new Map() : await stored(jobs.claims(scope, ids))
  const sentThere = row.sentAt === null ? undefined : context.time.toServiceTime(rules.api, row.sentAt)
  const control =
    rules.absence === "control" && row.endedAt !== null
      ? (await historyState(context, job, row, row.endedAt)).control
      : "none"
  return {
    row,
    call_ended: row.endedHow,
    looked_at: row.looks.map((at) => new Date(at).toISOString()),
    balance: await balanceOf(context, asPerson, row),
    control,
    candidates: found.map((one) => ({
      upstream_id: one.upstreamId,
      created_at: one.createdAt === undefined ? null : new Date(one.createdAt).toISOString(),
      points: one.points,
      text: one.text,
      reference: one.reference,
      after_ms: one.createdAt === undefined || sentThere === undefined ? null : one.createdAt - sentThere,
      marked: one.tagged,
      claimed_by: claims.get(one.upstreamId) ?? null,
    })),
    resend: await mayResend(context, owners, job, row),
  }
}

/** The row's own entries, and those of the same amount: a person may know which one it is. */
function couldBe(found: FoundEffect, row: RowRecord): boolean {
  return found.tagged || found.otherAmount === true || row.points === null || found.points === row.points
}

async function balanceOf(context: JobContext, job: JobRecord, row: RowRecord): Promise<Evidence["balance"]> {
  if (row.memberId === null) return null
  try {
    const asker = { lane: "people", person: job.createdBy } as const
    const { balance, pending } = await readBalance(context, asker, row.memberId)
    return { balance, pending: pending ?? null }
  } catch (error) {
    if (error instanceof DeskFailure) return null
    throw error
  }
}
