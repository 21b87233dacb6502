import { DeskFailure } from "../errors.ts"
import { announce } from "./announce.ts"
import { sendLater } from "./claim-rows.ts"
import type { JobContext } from "./job-context.ts"
import type { KindRules, Precheck } from "./job-kind.ts"
import type { JobRecord, RowChange, RowRecord } from "./job-store.ts"
import { isKeyTrouble, pauseOf } from "./key-trouble.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import { pauseFor, released } from "./not-done.ts"
import { confirmation, heldBy } from "./record.ts"
import type { Run } from "./run.ts"

/** When a look that could not be made is tried again, ms. */
const againMs = 2000

/**
 * Looks right before a row is sent, where its kind does. Gives the row with what the look showed, or undefined when it
 * is not to be sent now: it came to its end, or could not be looked at and stays planned.
 */
export async function readyRow(
  context: JobContext,
  run: Run,
  job: JobRecord,
  row: RowRecord,
): Promise<RowRecord | undefined> {
  const rules = kindRules[job.kind]
  if (rules.precheck === undefined) return row
  // One at a time, say, for each order: its turn has not come, so there is no use in looking.
  if (await isHeld(context, rules, job, row)) {
    await sendLater(context, job, [row])
    return undefined
  }
  try {
    const ready = await rules.precheck(context, job, row)
    if (ready.kind === "go")
      return { ...row, work: ready.work === undefined ? row.work : { ...row.work, ...ready.work } }
    await context.store.jobs.changeRows(job.id, [endedBefore(context, rules, row, ready)])
    announce(context, job, rules, [row])
  } catch (error) {
    if (!(error instanceof DeskFailure)) throw error
    if (isKeyTrouble(error)) {
      await pauseFor(context, job, pauseOf(error))
    } else run.holdUntil = context.clock.monotonic() + againMs
  }
  return undefined
}

async function isHeld(
  { store }: JobContext,
  { claimWhileSent }: KindRules,
  job: JobRecord,
  row: RowRecord,
): Promise<boolean> {
  const hold = claimWhileSent?.(row)
  const owner = hold && (await store.jobs.claims(hold.scope, [hold.key])).get(hold.key)
  return owner !== undefined && (owner.job !== job.id || owner.row !== row.row)
}

function endedBefore(
  context: JobContext,
  rules: KindRules,
  row: RowRecord,
  ready: Exclude<Precheck, { kind: "go" }>,
): RowChange {
  const at = context.time.now()
  if (ready.kind === "done") {
    const made = confirmation(context, rules, row, ready.done, { at, byAnswer: false })
    return { ...made, from: ["planned"], edits: row.edits }
  }
  const { kind: state, outcome, work } = ready
  return {
    row: row.row,
    from: ["planned"],
    attempt: row.attempts,
    edits: row.edits,
    // Whoever had decided before did not know this.
    set: {
      state,
      outcome,
      nextAt: null,
      decision: null,
      ...(work !== undefined && { work: { ...row.work, ...work } }),
    },
    ...released(state === "failed" ? heldBy(rules, row) : rules.claimWhileSent?.(row)),
  }
}
