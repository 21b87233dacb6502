import type { Api } from "../../contract/status.ts"
import { foundNoPermit } from "../gateway/caller.ts"
import { isHeld } from "../job-data/job-needs.ts"
import type { UpstreamOutcome } from "../ports.ts"
import { bodyHash } from "./body-hash.ts"
import { readCallEnd, type CallEnd } from "./call-end.ts"
import { claimRows, type Claimed } from "./claim-rows.ts"
import { type JobContext, requesterOf } from "./job-context.ts"
import type { RowRequest } from "./job-kind.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"
import { kindRules } from "./kinds/kind-rules.ts"
import type { Run } from "./run.ts"

/** How long one wait for a place may last, in ms. Background work then looks again whether it still has to go. */
const placeWaitMs = { people: 60_000, jobs: 300_000 }

/** One call that was made. */
export interface Sent {
  readonly rows: readonly RowRecord[]
  readonly end: CallEnd
  /** When it ended, the store's clock. */
  readonly endedAt: number
  readonly ms: number
  /** This machine was too slow: nothing was written although the service could be reached. */
  readonly tooLate: boolean
}

/**
 * Waits for a place at a service. False: none became free, the run was stopped, or the job stands still by now, which
 * somebody may have asked for meanwhile.
 */
export async function waitForPlace(
  context: JobContext,
  run: Run,
  job: JobRecord,
  api: Api,
): Promise<boolean> {
  const { caller, clock, store } = context
  const asker = requesterOf(job)
  try {
    const deadline = clock.monotonic() + placeWaitMs[asker.lane]
    await caller.acquirePermit({ api, ...asker, deadline, signal: run.signal })
  } catch (error) {
    if (run.signal.aborted || foundNoPermit(error)) return false
    throw error
  }
  const now = await store.jobs.get(job.id)
  return now?.state === "running" && !isHeld(now) && !run.signal.aborted
}

/**
 * Stores the intent, sends in the place that was waited for, and tells how the call ended. Undefined: nothing was sent,
 * because the rows changed meanwhile.
 * @param hashed what is sent for each row, for its hash
 * @param begun called on the connected socket, right before the first byte
 */
export async function sendRows(
  context: JobContext,
  run: Run,
  job: JobRecord,
  rows: readonly RowRecord[],
  request: string | null,
  effectOf: (rows: readonly RowRecord[]) => RowRequest,
  hashed: (row: RowRecord) => unknown,
  begun?: () => void,
): Promise<Sent | undefined> {
  const { caller, clock, restore, time } = context
  const { api } = effectOf(rows)
  const asker = requesterOf(job)
  let tooLate = false
  const hashes = await Promise.all(rows.map((row) => bodyHash(hashed(row))))
  const write = (claimed: Claimed): Promise<UpstreamOutcome> => {
    const { operation, method, path, body } = effectOf(claimed.rows)
    const query = new URLSearchParams()
    const mayWrite = () => {
      tooLate = !claimed.mayWrite()
      begun?.()
      return !tooLate
    }
    const [first] = claimed.rows
    const onSecret =
      kindRules[job.kind].showsCode === true && first !== undefined
        ? (code: string) =>
            context.codes.keep({ job: job.id, row: first.row, makerId: job.createdBy.id }, code)
        : undefined
    return caller.sendPermitted({
      ...asker,
      api,
      operation,
      method,
      path,
      query,
      body,
      mayWrite,
      ...(onSecret !== undefined && { onSecret }),
    })
  }

  const claimed = await claimRows(context, job, rows, hashes, request)
  if (claimed.rows.length === 0) return undefined
  const keys = claimed.rows.map(({ row, attempts }) => `${row}:${attempts}`)
  for (const key of keys) run.inFlight.add(key)
  try {
    // A backup from before the intent is behind this count; one from after it has the intent.
    const counted = await restore.count().catch(() => false)
    return sentOf(claimed, counted ? await write(claimed) : notCounted(clock))
  } finally {
    for (const key of keys) run.inFlight.delete(key)
  }

  function sentOf({ rows: sent }: Claimed, outcome: UpstreamOutcome): Sent {
    if (outcome.kind === "answer") time.noteServiceTime(api, outcome.serviceTime)
    return {
      rows: sent,
      end: readCallEnd(api, outcome),
      endedAt: time.now(),
      ms: outcome.ms,
      tooLate,
    }
  }
}

/** Nothing is sent that a restored store would not know of. */
function notCounted(clock: JobContext["clock"]): UpstreamOutcome {
  return { kind: "not_sent", what: "the store's counter could not be kept", ms: 0, endedAt: clock.now() }
}
