import type { DecisionBody, RowDecision } from "../../contract/job-rows.ts"
import { rowOutcomeWords } from "../../contract/row-outcomes.ts"
import { type ActContext, entryOf } from "../audit-log.ts"
import { DeskFailure, notFound, recorded, stored } from "../errors.ts"
import { begunAnew } from "./begun-anew.ts"
import type { JobContext } from "./job-context.ts"
import type { JobChange, JobRecord, RowChange, RowRecord } from "./job-store.ts"
import type { Lookup } from "./job-kind.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import { lookFrom } from "./look-from.ts"
import { mayResend } from "./may-resend.ts"
import type { Owners } from "./owners.ts"

/**
 * Takes a person's decision about a row that only a person can settle. The row keeps its state with the decision beside
 * it, except that a row to be sent again is planned. A row that was never sent can be left out while its job stands still,
 * so that one refusal of the service does not hold the others up.
 * @throws DeskFailure 404; 409 when there is nothing to decide, or the service does not show the linked entry as one that
 * could be this row's; the look-up's own failure when it cannot be made now
 */
export async function decideRow(
  context: JobContext,
  owners: Owners,
  asker: ActContext,
  id: string,
  number: number,
  body: DecisionBody,
): Promise<RowRecord> {
  const { jobs } = context.store
  const job = await stored(jobs.get(id))
  const row = job === undefined ? undefined : await stored(jobs.row(id, number))
  if (job === undefined || row === undefined) throw notFound("Row not found.")
  const leftOut =
    body.decision === "leave" && job.state === "paused" && row.state === "planned" && !row.doubtful
  if (!leftOut && row.state !== "absent" && row.state !== "conflict") {
    throw conflict(`Row ${number} is ${row.state}, so there’s nothing to decide. Nothing was done.`)
  }
  if (body.decision === "resend") {
    const { allowed, why_not } = await mayResend(context, owners, job, row)
    if (!allowed) throw conflict(why_not ?? "This row can’t be sent again now. Nothing was done.")
  }
  const linked = body.decision === "happened" ? (body.upstream_id ?? null) : null
  if (linked !== null) await requireShown(context, asker, job, row, linked)
  const decision: RowDecision = {
    decision: body.decision,
    upstream_id: linked,
    at: new Date(context.time.now()).toISOString(),
    by: { id: asker.user.id, name: asker.user.name },
  }
  const rules = kindRules[job.kind]
  const scope = rules.claimScope
  const release = body.decision === "resend" ? undefined : rules.claimUntilEnd?.(row)
  const twice = row.outcome?.code === (rules.twiceCode ?? "awarded_twice")
  const change: RowChange = {
    row: number,
    from: [row.state],
    attempt: row.attempts,
    set: leftOut
      ? { state: "failed", decision, outcome: leftOutOutcome, nextAt: null }
      : body.decision === "resend"
        ? { state: "planned", decision, outcome: null, nextAt: null, singly: true }
        : { decision, ...(linked !== null && !twice && { upstreamId: linked }) },
    ...(linked !== null && scope !== undefined && { claim: { scope, key: linked } }),
    ...(release !== undefined && { release }),
  }
  // In one step with the row: a job that ended must not keep a planned row that nobody sends.
  const again: JobChange = {
    from: ["done"],
    set: { state: "running", pause: null, finishedAt: null, ...begunAnew(context, job) },
  }
  const resend = body.decision === "resend"
  const [result] = await stored(jobs.changeRows(id, [change], resend ? again : undefined))
  if (result === "claimed") throw claimed(linked ?? "It")
  if (result !== "changed")
    throw conflict("Someone else just decided this row. Nothing was done. Reload to see it.")
  await rules.onResolved?.(context, job, number)
  const { reason } = body
  await recorded(
    context.audit.record(
      entryOf(asker, {
        action: "job.decide",
        on: { kind: "job", id, label: `Row ${number}${row.label === null ? "" : `, ${row.label}`}` },
        outcome: "done",
        note: reason === undefined || reason === "" ? null : reason,
        changes: [
          { field: "decision", from: row.decision?.decision ?? null, to: body.decision },
          ...(linked === null ? [] : [{ field: "upstream_id", from: row.upstreamId, to: linked }]),
        ],
      }),
    ),
  )
  return (await stored(jobs.row(id, number))) ?? row
}

/**
 * Sees to it that the service shows what a person links with a row: an entry of this member, order or card, of this kind
 * and amount, that no other row has.
 * @throws DeskFailure 409 when it does not; the read's own when it cannot be looked up now
 */
async function requireShown(
  context: JobContext,
  asker: ActContext,
  job: JobRecord,
  row: RowRecord,
  linked: string,
): Promise<void> {
  const rules = kindRules[job.kind]
  const scope = rules.claimScope
  const claims = scope === undefined ? undefined : await stored(context.store.jobs.claims(scope, [linked]))
  const owner = claims?.get(linked)
  if (owner !== undefined && (owner.job !== job.id || owner.row !== row.row)) throw claimed(linked)
  const look = await lookAs(context, asker, job, row, linked)
  // An order that somebody else changed since is there, though it does not show this row's change any more.
  if (look.kind === "changed" && linked === row.label) return
  const found = look.kind === "read" ? look.found.find(({ upstreamId }) => upstreamId === linked) : undefined
  if (found === undefined) {
    const read = look.kind !== "read" || look.complete
    throw conflict(
      `The service doesn’t show ${linked} as something this row could have made. Nothing was decided. ${
        read ? "Check the id, or decide without one." : "Its records couldn’t be read completely: try again."
      }`,
    )
  }
  if (found.not !== undefined)
    throw conflict(`${linked} is of another ${found.not} than this row. Nothing was decided. Check the id.`)
}

async function lookAs(
  context: JobContext,
  asker: ActContext,
  job: JobRecord,
  row: RowRecord,
  linked: string,
): Promise<Lookup> {
  const rules = kindRules[job.kind]
  // The read is the person's who decides, whoever's job it is.
  const asPerson: JobRecord = { ...job, lane: "people", createdBy: asker.user }
  try {
    return await rules.lookup(context, asPerson, row, lookFrom(context, rules.api, row))
  } catch (error) {
    if (!(error instanceof DeskFailure)) throw error
    const { status, code, details, headers } = error
    const message = `${linked} couldn’t be looked up at the service just now, so nothing was decided. Try again in a moment.`
    throw new DeskFailure({ status, code, message, details, headers, cause: error })
  }
}

function claimed(linked: string): DeskFailure {
  return conflict(`${linked} already belongs to another row. Nothing was done.`)
}

const leftOutOutcome = { code: "left_out", message: rowOutcomeWords.left_out }

function conflict(message: string): DeskFailure {
  return new DeskFailure({ status: 409, code: "conflict", message })
}
