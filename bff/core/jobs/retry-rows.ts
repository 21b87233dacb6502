import type { RetryJobBody } from "../../../contract/desk/job.ts"
import type { FieldProblem } from "../../../contract/desk/answer.ts"
import { DeskFailure, invalid } from "../failure.ts"
import { breathe } from "./breathe.ts"
import { stored } from "../stored.ts"
import type { JobContext } from "./job-context.ts"
import type { JobChange, JobRecord, NewRow, RowChange } from "./job-store.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import { defaultsOf } from "./make-job.ts"

const atOnce = 1000

/**
 * Plans failed rows again, as they were or with mended inputs; a row that is no longer failed is left alone.
 * @param again done to the job in the same step, so that a job that ended never keeps planned rows
 * @returns how many were planned
 * @throws DeskFailure 422 for inputs that cannot be sent: then nothing was planned
 */
export async function retryRows(
  context: JobContext,
  job: JobRecord,
  body: RetryJobBody,
  again: JobChange,
): Promise<number> {
  if (body.rows === undefined) return retryAll(context, job, again)
  const problems: FieldProblem[] = []
  const changes: RowChange[] = []
  const defaults = await defaultsOf(context, job.kind)
  for (const [at, { row, input }] of body.rows.entries()) {
    // It takes back what was awarded to this member, and nothing else.
    if (job.reverses !== null && input !== undefined) {
      const message = "A row of a reversal can only be retried unchanged. Nothing was done."
      problems.push({ field: `rows.${at}.input`, message })
      continue
    }
    try {
      changes.push(
        plannedAgain(row, input === undefined ? undefined : kindRules[job.kind].newRow(input, defaults)),
      )
    } catch (error) {
      if (!(error instanceof DeskFailure)) throw error
      for (const problem of error.details?.fields ?? []) {
        problems.push({ field: `rows.${at}.input.${problem.field}`, message: problem.message })
      }
    }
  }
  if (problems.length > 0) throw invalid(422, problems)
  const results = await stored(context.store.jobs.changeRows(job.id, changes, again))
  return results.filter((result) => result === "changed").length
}

async function retryAll({ store }: JobContext, job: JobRecord, again: JobChange): Promise<number> {
  let planned = 0
  // Never back to the beginning: a row that fails again meanwhile is not tried twice by one command.
  for (let after = 0; ;) {
    const rows = await stored(store.jobs.rowsIn(job.id, ["failed"], after, atOnce))
    const last = rows.at(-1)
    if (last === undefined) return planned
    after = last.row
    if (rows.length === atOnce) await breathe()
    const changes = rows.map(({ row }) => plannedAgain(row, undefined))
    const results = await stored(store.jobs.changeRows(job.id, changes, again))
    planned += results.filter((result) => result === "changed").length
  }
}

/** A mended row is found and marked anew; its earlier attempts were all definitely refused, so none is in doubt. */
function plannedAgain(row: number, mended: NewRow | undefined): RowChange {
  const { input, memberId, email, label, points, reason } = mended ?? {}
  return {
    row,
    from: ["failed"],
    set: {
      state: "planned",
      outcome: null,
      nextAt: null,
      work: null,
      ...(input !== undefined && {
        input,
        memberId: memberId ?? null,
        email: email ?? null,
        label: label ?? null,
      }),
      ...(points !== undefined && { points }),
      ...(reason !== undefined && { reason }),
    },
  }
}
