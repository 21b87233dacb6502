import { rowOutcomeWords } from "../../contract/row-outcomes.ts"
import { DeskFailure } from "../errors.ts"
import type { JobContext } from "./job-context.ts"
import type { JobRecord, RowChange, RowRecord } from "./job-store.ts"
import { isKeyTrouble } from "./key-trouble.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import { lookFrom } from "./look-from.ts"

/**
 * Reads a row that was sent again once more, ten settle times later: a further entry with its mark means that the first
 * attempt was carried out after all. A person decides whether to take it back.
 */
export async function recheckRow(context: JobContext, job: JobRecord, row: RowRecord): Promise<void> {
  const rules = kindRules[job.kind]
  const change = (set: RowChange["set"]) =>
    context.store.jobs.changeRows(job.id, [{ row: row.row, from: ["confirmed"], attempt: row.attempts, set }])
  try {
    const look = await rules.lookup(context, job, row, lookFrom(context, rules.api, row))
    const extra =
      look.kind === "read" && look.found.some((one) => one.tagged && one.upstreamId !== row.upstreamId)
    const code = rules.twiceCode ?? "awarded_twice"
    const outcome = { code, message: rowOutcomeWords[code] }
    if (look.kind === "read" && !look.complete && !extra) {
      await change({ nextAt: context.time.now() + Math.max(context.config.jobs.settleMs, 1000) })
      return
    }
    await change(extra ? { state: "conflict", outcome, nextAt: null, decision: null } : { nextAt: null })
    context.jobChanged(job.id)
  } catch (error) {
    if (!(error instanceof DeskFailure) || isKeyTrouble(error)) throw error
    await change({ nextAt: context.time.now() + Math.max(context.config.jobs.settleMs, 1000) })
  }
}
