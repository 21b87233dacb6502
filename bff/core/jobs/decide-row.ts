import type { DecisionBody, RowDecision } from "../../../contract/desk/job-rows.ts"
import { rowOutcomeWords } from "../../../contract/errors/row-outcomes.ts"
import { entryOf, type ActContext } from "../audit-log.ts"
import { DeskFailure, notFound } from "../failure.ts"
import { recorded, stored } from "../stored.ts"
import { begunAnew } from "./begun-anew.ts"
import type { JobContext } from "./job-context.ts"
import type { JobChange, RowChange, RowRecord } from "./job-store.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import { mayResend } from "./may-resend.ts"
import type { Owners } from "./owners.ts"

/**
 * Takes a person's decision about a row that only a person can settle. The row keeps its state with the decision beside
 * it, except that a row to be sent again is planned. A row that was never sent can be left out while its job stands still,
 * so that one refusal of the service does not hold the others up.
 * @throws DeskFailure 404; 409 when there is nothing to decide, or the linked entry is another row's
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
  const decision: RowDecision = {
    decision: body.decision,
    upstream_id: linked,
    at: new Date(context.time.now()).toISOString(),
    by: { id: asker.user.id, name: asker.user.name },
  }
  const rules = kindRules[job.kind]
  const scope = rules.claimScope
  const release = body.decision === "resend" ? undefined : rules.hold?.(row)
  const twice = row.outcome?.code === (rules.twiceAs ?? "awarded_twice")
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
  if (result === "claimed") throw conflict(`${linked} already belongs to another row. Nothing was done.`)
  if (result !== "changed")
    throw conflict("Someone else just decided this row. Nothing was done. Reload to see it.")
  await rules.settled?.(context, job, number)
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

const leftOutOutcome = { code: "left_out", message: rowOutcomeWords.left_out }

function conflict(message: string): DeskFailure {
  return new DeskFailure({ status: 409, code: "conflict", message })
}
