import { isPermitTimeout } from "../gateway/caller.ts"
import type { UpstreamResult } from "../ports.ts"
import { waitingForCanary } from "./canaries.ts"
import { changeInBatches, jobRequester, pauseJob } from "./engine-context.ts"
import { type BulkRules, jobApi, type JobContext, type RowRequest } from "./job-kind.ts"
import type { RowChange, RowChanged, RowRecord } from "./job-store.ts"
import { type CallOutcome, readCallOutcome } from "./call-outcome.ts"
import { bodyHash, isHeld } from "./job-record.ts"
import { callKey, type RunState } from "./run-state.ts"
import * as transitions from "./transitions.ts"

// One request of a run: permit → intent → call → outcome (docs/jobs.md, A run).

/** A call that was made, with the rows whose intent was stored. */
export interface EndedCall {
  readonly rows: readonly RowRecord[]
  readonly request: RowRequest
  readonly outcome: CallOutcome
  readonly endedAt: number
  /** Monotonic ms. */
  readonly startedAt: number
  readonly ms: number
  /** The lease was too old for a write: nothing was sent. */
  readonly tooLate: boolean
}

interface CallPlan {
  /** The rows to send. Called before the wait for a permit, and again if that was long. Empty: nothing is sent. */
  readonly rows: () => Promise<readonly RowRecord[]>
  /** Absent for a row that is sent alone. */
  readonly bulk?: BulkRules
}

/** `endedHow` of a row whose response named an entry that another row has claimed. */
export const namesOther = "the response names an entry that belongs to another row"

/** The rows are read again if the wait for a permit took longer, in ms. */
const freshMs = 12_000
/** Longest wait for a permit, in ms; background work then checks its job again. */
const permitWaitMs = { people: 60_000, jobs: 300_000 }
const postponeMs = 1000
/** Share of the lease reserved for latency and clock differences, in ms. */
const leaseMarginMs = 2000
const persistRetryMs = { first: 100, longest: 3000 }

/** Makes a call when it is its turn and a permit is free. Undefined: nothing was sent. */
export async function makeCall(
  context: JobContext,
  run: RunState,
  { rows: readRows, bulk }: CallPlan,
): Promise<EndedCall | undefined> {
  // Rows with a precheck do not wait for each other's reads.
  const onWire = context.rules.precheck === undefined ? await run.turn() : undefined
  try {
    const rows = await rowsWithPermit(context, run, readRows)
    return rows.length === 0 ? undefined : await sendRows(context, run, { rows, bulk, onWire })
  } finally {
    // Unblocks the next request even on failure.
    onWire?.()
  }
}

async function rowsWithPermit(context: JobContext, run: RunState, readRows: CallPlan["rows"]) {
  const { clock } = context
  const rows = await readRows()
  const readAt = clock.monotonic()
  if (rows.length === 0 || !(await waitForPermit(context, run))) return []
  if (clock.monotonic() - readAt <= freshMs) return rows
  const fresh = await readRows()
  return (await canSend(context, run)) ? fresh : []
}

/** False when no permit became free, or the job was paused, cancelled or held meanwhile. */
async function waitForPermit(context: JobContext, run: RunState): Promise<boolean> {
  const { caller, clock, job } = context
  const requester = jobRequester(job)
  const deadline = clock.monotonic() + permitWaitMs[requester.lane]
  try {
    await caller.acquirePermit({ api: jobApi(context), ...requester, deadline, signal: run.signal })
  } catch (error) {
    if (run.signal.aborted || isPermitTimeout(error)) return false
    throw error
  }
  return canSend(context, run)
}

async function canSend({ job, store }: JobContext, { signal }: RunState): Promise<boolean> {
  const now = await store.jobs.get(job.id)
  return now?.state === "running" && !isHeld(now) && !signal.aborted
}

interface CheckedRows {
  readonly rows: readonly RowRecord[]
  readonly bulk: BulkRules | undefined
  readonly onWire: (() => void) | undefined
}

/** Stores the intent and calls the service. Undefined: the rows changed meanwhile and nothing was sent. */
async function sendRows(context: JobContext, run: RunState, { rows, bulk, onWire }: CheckedRows) {
  const { clock } = context
  const { bodies, requestFor } = requestParts(context, rows, bulk)
  const hashes = await Promise.all(bodies.map(bodyHash))
  // The lease's age counts from before the intent was stored, on the clock that advanced more.
  const startedAt = { monotonic: clock.monotonic(), wall: clock.now() }
  const sent = await storeIntents(context, rows, hashes, bulk === undefined ? null : crypto.randomUUID())
  const [first] = sent
  const request = requestFor(sent)
  if (first === undefined || request === undefined) return undefined
  let tooLate = false
  const mayWrite = () => {
    tooLate = isLeaseTooOld(context, startedAt)
    onWire?.()
    return !tooLate
  }
  const keys = sent.map(callKey)
  for (const key of keys) run.inFlight.add(key)
  try {
    const { ms, outcome } = await callService(context, first, request, mayWrite)
    const times = { endedAt: context.time.now(), startedAt: startedAt.monotonic, ms }
    return { rows: sent, request, outcome, ...times, tooLate }
  } finally {
    for (const key of keys) run.inFlight.delete(key)
  }
}

/** The rows' bodies, and their request: in bulk for the rows whose intent was stored. */
function requestParts({ job, rules }: JobContext, rows: readonly RowRecord[], bulk: BulkRules | undefined) {
  if (bulk !== undefined) {
    const requestFor = (sent: readonly RowRecord[]): RowRequest | undefined => bulk.request(job, sent)
    return { bodies: rows.map((row) => bulk.item(job, row)), requestFor }
  }
  const requests = rows.map((row) => rules.request(job, row))
  return { bodies: requests.map(({ body }) => body), requestFor: () => requests[0] }
}

/** Returns the rows whose intent was stored. `requestId`: of a bulk request; null for a row sent alone. */
async function storeIntents(
  context: JobContext,
  rows: readonly RowRecord[],
  hashes: readonly string[],
  requestId: string | null,
): Promise<readonly RowRecord[]> {
  const { config, job, rules, self, store, time } = context
  const sentAt = time.now()
  const attempt = { owner: self, leaseUntil: sentAt + config.jobs.leaseMs, sentAt, request: requestId }
  const intents = rows.map((row, at) =>
    transitions.intent(rules, row, { ...attempt, bodyHash: hashes[at] ?? null }),
  )
  const changes = intents.map(({ change }) => change)
  // Once a pause or cancellation is acknowledged, nothing is sent.
  const results = await store.jobs.changeRows(job.id, changes, { from: ["running"], only: true, set: {} })
  const claimed = rows.filter((_, at) => results[at] === "claimed")
  await postpone(context, claimed)
  return intents.flatMap(({ sent }, at) => (results[at] === "changed" ? [sent] : []))
}

/** Delays rows that wait for another row with the same claim. */
export async function postpone({ job, store, time }: JobContext, rows: readonly RowRecord[]): Promise<void> {
  const nextAt = time.now() + postponeMs
  const changes = rows.map((row) => transitions.updatePlanned(row, { nextAt }))
  await changeInBatches(store.jobs, job.id, changes)
}

/** Checked on the connected socket, right before the first byte. */
function isLeaseTooOld(
  { clock, config }: JobContext,
  startedAt: { readonly monotonic: number; readonly wall: number },
): boolean {
  const { callMs, leaseMs } = config.jobs
  const age = Math.max(clock.monotonic() - startedAt.monotonic, clock.now() - startedAt.wall)
  return age > Math.max(leaseMs - callMs - leaseMarginMs, leaseMs / 4)
}

async function callService(
  context: JobContext,
  first: RowRecord,
  request: RowRequest,
  mayWrite: () => boolean,
): Promise<{ readonly ms: number; readonly outcome: CallOutcome }> {
  const { caller, clock, codes, job, restore, rules, time } = context
  const onSecret = (code: string) =>
    codes.keep({ job: job.id, row: first.row, makerId: job.createdBy.id }, code)
  const secrets = rules.showsCode === true ? { onSecret } : {}
  const query = new URLSearchParams()
  // A backup older than the intent has a lower count; a newer one has the intent. So a restore never hides a send.
  const counted = await restore.count().catch(() => false)
  const ended: UpstreamResult = counted
    ? await caller.sendPermitted({ ...jobRequester(job), ...request, query, mayWrite, ...secrets })
    : { kind: "not_sent", what: "the store’s counter could not be kept", ms: 0, endedAt: clock.now() }
  if (ended.kind === "answer") time.noteServiceTime(request.api, ended.serviceTime)
  return { ms: ended.ms, outcome: readCallOutcome(request.api, ended) }
}

// After a call

/** Stores changes, retrying until the store succeeds. If the process dies first, the rows' lease expires. */
export async function persist(
  { clock, job, log, store }: JobContext,
  changes: readonly RowChange[],
): Promise<RowChanged[]> {
  for (let wait = persistRetryMs.first; ; wait = Math.min(wait * 2, persistRetryMs.longest)) {
    try {
      return await store.jobs.changeRows(job.id, changes)
    } catch (error) {
      log.error({ err: error, job: job.id }, "the outcome of a call could not be persisted yet")
      await clock.sleep(wait)
    }
  }
}

/**
 * Plans the rows of a call that did nothing again (`isUndone`), otherwise stores its outcome with `end`. Pauses the job
 * after a refusal that concerns every row, unless it was of a key that another one replaces, and publishes its change.
 */
export async function settleCall(
  context: JobContext,
  run: RunState,
  call: EndedCall,
  isUndone: boolean,
  end: () => Promise<void>,
): Promise<void> {
  const { outcome, request, startedAt } = call
  if (isUndone) await planUndone(context, run, call)
  else {
    run.pace.serviceReached({ isUnknown: outcome.kind === "unknown" })
    await end()
  }
  if (outcome.kind === "systemic") {
    const isReplaced = outcome.status === 401 && (await context.caller.isKeyReplaced(request.api, startedAt))
    if (!isReplaced) await pauseJob(context, context.job.id, outcome)
  }
  context.jobChanged(context.job.id)
}

async function planUndone(context: JobContext, run: RunState, call: EndedCall): Promise<void> {
  const { outcome, endedAt, rows, tooLate } = call
  const { rules } = context
  await persist(
    context,
    rows.map((row) => transitions.planUndone(rules, row, outcome, endedAt)),
  )
  // The rate limiter handles 429.
  if (outcome.kind === "not_done" && !outcome.limited && !tooLate) run.pace.serviceUnreachable()
}

/** Changes that reopen rows left to a person for lack of a canary, now that rows are confirmed that can be one. */
export async function reopenWaiting(
  context: JobContext,
  confirmed: readonly RowRecord[],
  at: number,
): Promise<RowChange[]> {
  const waiting = await waitingForCanary(context, confirmed)
  return waiting.map((row) => transitions.lookUpAgain(row, at))
}
