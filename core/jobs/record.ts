import { rowOutcomeWords } from "../../contract/row-outcomes.ts"
import type { JobContext } from "./job-context.ts"
import { answeredWell, type KindRules, type NamedEffect } from "./job-kind.ts"
import type { Claim, JobRecord, RowChange, RowChanged, RowRecord } from "./job-store.ts"

const retryMs = { first: 100, longest: 3000 }

/**
 * Writes down how calls ended. A store that fails is asked again until it takes it: an end that is known must not be
 * forgotten. If the process dies before, the rows' lease ends and they are looked up.
 */
export async function writeDown(
  context: JobContext,
  jobId: string,
  changes: readonly RowChange[],
): Promise<RowChanged[]> {
  for (let wait = retryMs.first; ; wait = Math.min(wait * 2, retryMs.longest)) {
    try {
      return await context.store.jobs.changeRows(jobId, changes)
    } catch (error) {
      context.log.error({ err: error, job: jobId }, "the end of a call could not be written down yet")
      await context.clock.sleep(wait)
    }
  }
}

/** What a row gives back when it ends. */
export function heldBy(rules: KindRules, row: RowRecord): Claim | undefined {
  return rules.claimWhileSent?.(row) ?? rules.claimUntilEnd?.(row)
}

/** States to which a late answer of the same attempt still applies. */
const open: RowChange["from"] = ["sent", "unknown", "absent"]

/** The change that confirms a row by its own answer or by what was found. */
export function confirmation(
  context: JobContext,
  rules: KindRules,
  row: RowRecord,
  done: NamedEffect,
  end: { readonly at: number; readonly byAnswer: boolean },
): RowChange {
  const { settleMs } = context.config.jobs
  const scope = rules.claimScope
  const claim: Claim | undefined = scope === undefined ? undefined : { scope, key: done.upstreamId }
  const release = heldBy(rules, row)
  return {
    row: row.row,
    from: open,
    attempt: row.attempts,
    set: {
      state: "confirmed",
      upstreamId: done.upstreamId,
      balanceAfter: done.balanceAfter,
      confirmedAt: context.time.now(),
      ...((end.byAnswer || row.endedAt === null) && { endedAt: end.at }),
      ...(end.byAnswer && { endedHow: answeredWell }),
      outcome: null,
      ...(done.work !== undefined && { work: { ...row.work, ...done.work } }),
      // What was sent again is read once more, much later: an extra entry means twice. An identical repeat makes none.
      nextAt: row.doubtful && row.attempts > 1 && rules.idempotent !== true ? end.at + 10 * settleMs : null,
    },
    ...(claim !== undefined && { claim }),
    ...(release !== undefined && { release }),
  }
}

/**
 * The change that makes a row unknown: it is looked up from `nextAt` on. Its owner says when the call ended also if the
 * row was taken for unknown meanwhile.
 */
export function doubt(
  row: RowRecord,
  end: { readonly at: number | null; readonly how: string; readonly nextAt: number },
  set: RowChange["set"] = {},
): RowChange {
  return {
    row: row.row,
    from: end.at === null ? ["sent"] : ["sent", "unknown"],
    attempt: row.attempts,
    set: {
      state: "unknown",
      doubtful: true,
      endedAt: end.at,
      endedHow: end.how,
      nextAt: end.nextAt,
      outcome: { code: "looking", message: rowOutcomeWords.looking },
      ...set,
    },
  }
}

/** A row that goes out again as it was, with growing pauses, up to so often; then it is looked up. */
const mostRepeats = 12
const repeatMs = { first: 1000, longest: 300_000 }

/**
 * The change of a row whose call left open what was done: it is looked up, or, where the service knows a repeat of the
 * identical request, goes out again.
 */
export function leftOpen(
  context: JobContext,
  job: JobRecord,
  rules: KindRules,
  row: RowRecord,
  end: { readonly at: number; readonly how: string; readonly waitsFor?: RowRecord["outcome"] },
): RowChange {
  const { at, how, waitsFor = null } = end
  if (rules.idempotent !== true || row.attempts >= mostRepeats) {
    return doubt(row, { at, how, nextAt: firstLookAt(context, job, at) })
  }
  const wait = Math.min(repeatMs.first * 2 ** (row.attempts - 1), repeatMs.longest)
  const release = rules.claimWhileSent?.(row)
  return {
    row: row.row,
    from: ["sent", "unknown"],
    attempt: row.attempts,
    set: {
      state: "planned",
      doubtful: true,
      endedAt: at,
      endedHow: how,
      nextAt: at + wait,
      outcome: waitsFor,
    },
    ...(release !== undefined && { release }),
  }
}

/** When an unknown row is looked up first. Somebody who waits at a form is told as soon as something is found. */
export function firstLookAt(context: JobContext, job: JobRecord, endedAt: number): number {
  const { settleMs } = context.config.jobs
  return endedAt + (job.lane === "people" ? Math.min(settleMs, 2000) : settleMs)
}
