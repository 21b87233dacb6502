import { limits } from "../../contract/limits.ts"
import { isPermitTimeout } from "../gateway/caller.ts"
import type { UpstreamOutcome } from "../ports.ts"
import { decidingAge } from "./absence.ts"
import { sampleCanaries, waitingForCanary } from "./canaries.ts"
import { changeInBatches, holdAfterFailure, pauseJob, jobRequester } from "./engine-context.ts"
import { isUsableId, type JobContext, notifyConfirmed, type RowRequest, withWork } from "./job-kind.ts"
import type { RowChange, RowChanged, RowRecord } from "./job-store.ts"
import { type CallOutcome, readCallOutcome } from "./outcome.ts"
import type { Run } from "./process-state.ts"
import { bodyHash, isHeld, isOwnedByAnotherRow } from "./records.ts"
import * as transitions from "./transitions.ts"

/** The rows of the next request. */
export interface NextRequest {
  readonly how: "single" | "bulk"
  readonly rows: readonly RowRecord[]
}

interface Call {
  readonly rows: readonly RowRecord[]
  readonly request: RowRequest
  readonly outcome: CallOutcome
  readonly endedAt: number
  /** Monotonic ms. */
  readonly startedAt: number
  readonly ms: number
  readonly tooLate: boolean
}

/** A precheck is repeated if the wait for a permit took longer, in ms. */
const freshMs = 12_000
/** Longest wait for a permit, in ms; background work then checks its job again. */
const permitWaitMs = { people: 60_000, jobs: 300_000 }
const postponeMs = 1000
/** Share of the lease reserved for latency and clock differences, in ms. */
const leaseMarginMs = 2000
const persistRetryMs = { first: 100, longest: 3000 }
const soonMs = 1000
/** Rows of an unanswered bulk request that are looked up before the others. */
const sampleSize = 3
/** Calls in a row without a usable response after which the run slows down. */
const unknownAllowed = 3
const unreachableMs = { first: 1000, longest: 30_000 }

const namesOther = "the response names an entry that belongs to another row"

/**
 * Sends rows in one request and stores the outcome: precheck → permit → intent → call → outcome. A bulk success confirms
 * only the rows that it names and never fails a row (docs/api/program.md, Bulk award).
 */
export async function send(context: JobContext, run: Run, { how, rows: planned }: NextRequest) {
  const { caller, clock, codes, config, job, log, restore, rules, self, store, time } = context
  const { leaseMs, callMs, settleMs, recheckMs } = config.jobs
  const isBulk = how === "bulk"
  const requester = jobRequester(job)
  if (isBulk) run.bulk.sent()
  // Rows with a precheck do not wait for each other's reads.
  const onWire = rules.precheck === undefined ? await run.turn() : undefined
  let made: Call | undefined
  try {
    made = await makeCall()
  } finally {
    // Unblocks the next request even on failure.
    onWire?.()
    if (isBulk && made === undefined) run.bulk.notDone()
  }
  if (made === undefined) return
  const { outcome, endedAt } = made
  // 401 means nothing was done. Any other refusal of a bulk request may have come after some of its rows.
  const isUndone =
    outcome.kind === "not_done" || (outcome.kind === "systemic" && (!isBulk || outcome.status === 401))
  if (isUndone) {
    if (isBulk) run.bulk.notDone()
    await persist(made.rows.map((row) => transitions.planUndone(rules, row, outcome, endedAt)))
    if (outcome.kind !== "systemic") pauseUnreachable(made)
  } else {
    run.unreachable = 0
    run.proven = true
    slowDown(outcome)
    await (isBulk ? endBulk(made) : endSingle(made))
  }
  if (outcome.kind === "systemic") await pauseJob(context, job.id, outcome)
  context.jobChanged(job.id)

  async function makeCall(): Promise<Call | undefined> {
    let rows = await precheckRows()
    const checkedAt = clock.monotonic()
    if (rows.length === 0 || !(await waitForPermit())) return undefined
    if (clock.monotonic() - checkedAt > freshMs) {
      rows = await precheckRows()
      if (!(await canSend())) return undefined
    }
    return rows.length === 0 ? undefined : callUpstream(rows)
  }

  /** The rows with the result of their precheck, without those that ended or could not be checked. */
  async function precheckRows(): Promise<readonly RowRecord[]> {
    const { precheck } = rules
    const [row] = planned
    if (precheck === undefined || row === undefined) return planned
    const claim = rules.claimWhileSent?.(row)
    const owner = claim && (await store.jobs.claims(claim.scope, [claim.key])).get(claim.key)
    // Wait for the row ahead, for example of the same order.
    if (isOwnedByAnotherRow(owner, row)) {
      await postpone([row])
      return []
    }
    try {
      const checked = await precheck(context, row)
      if (checked.kind === "go") return [{ ...row, ...withWork(row, checked.work) }]
      await store.jobs.changeRows(job.id, [transitions.endBeforeSending(context, row, checked)])
      notifyConfirmed(context, [row])
    } catch (error) {
      await holdAfterFailure(context, run, error)
    }
    return []
  }

  async function postpone(rows: readonly RowRecord[]) {
    const nextAt = time.now() + postponeMs
    const changes = rows.map((row) => transitions.updatePlanned(row, { nextAt }))
    await changeInBatches(store.jobs, job.id, changes)
  }

  /** False when no permit became free, or the job was paused, cancelled or held meanwhile. */
  async function waitForPermit(): Promise<boolean> {
    const deadline = clock.monotonic() + permitWaitMs[requester.lane]
    try {
      await caller.acquirePermit({ api: rules.api, ...requester, deadline, signal: run.signal })
    } catch (error) {
      if (run.signal.aborted || isPermitTimeout(error)) return false
      throw error
    }
    return canSend()
  }

  async function canSend(): Promise<boolean> {
    const now = await store.jobs.get(job.id)
    return now?.state === "running" && !isHeld(now) && !run.signal.aborted
  }

  /** Stores the intent and makes the call. Undefined: the rows changed meanwhile and nothing was sent. */
  async function callUpstream(rows: readonly RowRecord[]): Promise<Call | undefined> {
    const bulk = isBulk ? rules.bulk : undefined
    const requests = bulk === undefined ? rows.map((row) => rules.request(job, row)) : []
    const bodies = rows.map((row, at) => (bulk === undefined ? requests[at]?.body : bulk.item(job, row)))
    const hashes = await Promise.all(bodies.map(bodyHash))
    // The lease's age counts from before the intent was stored, on the clock that advanced more.
    const startedAt = { monotonic: clock.monotonic(), wall: clock.now() }
    const sentAt = time.now()
    // Id of the bulk request; null for a row sent alone.
    const batch = bulk === undefined ? null : crypto.randomUUID()
    const attempt = { owner: self, leaseUntil: sentAt + leaseMs, sentAt, request: batch }
    const intents = rows.map((row, at) =>
      transitions.intent(rules, row, { ...attempt, bodyHash: hashes[at] ?? null }),
    )
    const changes = intents.map(({ change }) => change)
    // Once a pause or cancellation is acknowledged, nothing is sent.
    const results = await store.jobs.changeRows(job.id, changes, { from: ["running"], only: true, set: {} })
    await postpone(rows.filter((_, at) => results[at] === "claimed"))
    const sent = intents.flatMap((one, at) => (results[at] === "changed" ? [one.sent] : []))
    const [first] = sent
    const request = bulk === undefined ? requests[0] : bulk.request(job, sent)
    if (first === undefined || request === undefined) return undefined

    let tooLate = false
    /** Called on the connected socket, right before the first byte. */
    const mayWrite = () => {
      const age = Math.max(clock.monotonic() - startedAt.monotonic, clock.now() - startedAt.wall)
      tooLate = age > Math.max(leaseMs - callMs - leaseMarginMs, leaseMs / 4)
      onWire?.()
      return !tooLate
    }
    const onSecret = (code: string) =>
      codes.keep({ job: job.id, row: first.row, makerId: job.createdBy.id }, code)
    const secrets = rules.showsCode === true ? { onSecret } : {}
    const query = new URLSearchParams()
    const keys = sent.map(({ row, attempts }) => `${row}:${attempts}`)
    for (const key of keys) run.inFlight.add(key)
    try {
      // A backup older than the intent has a lower count; a newer one has the intent. So a restore never hides a send.
      const counted = await restore.count().catch(() => false)
      const ended: UpstreamOutcome = counted
        ? await caller.sendPermitted({ ...requester, ...request, query, mayWrite, ...secrets })
        : { kind: "not_sent", what: "the store’s counter could not be kept", ms: 0, endedAt: clock.now() }
      if (ended.kind === "answer") time.noteServiceTime(rules.api, ended.serviceTime)
      const read = readCallOutcome(rules.api, ended)
      const ends = { outcome: read, endedAt: time.now(), startedAt: startedAt.monotonic, ms: ended.ms }
      return { rows: sent, request, ...ends, tooLate }
    } finally {
      for (const key of keys) run.inFlight.delete(key)
    }
  }

  /** Retries until the store succeeds. If the process dies first, the lease expires and the rows are looked up. */
  async function persist(changes: readonly RowChange[]): Promise<RowChanged[]> {
    for (let wait = persistRetryMs.first; ; wait = Math.min(wait * 2, persistRetryMs.longest)) {
      try {
        return await store.jobs.changeRows(job.id, changes)
      } catch (error) {
        log.error({ err: error, job: job.id }, "the outcome of a call could not be persisted yet")
        await clock.sleep(wait)
      }
    }
  }

  async function endSingle({
    rows: [row],
    request,
    outcome: ended,
    endedAt: at,
    startedAt: requestedAt,
  }: Call) {
    if (row === undefined) return
    const effect =
      ended.kind === "success" ? rules.readResponse(ended.data, row, request, ended.response) : undefined
    if (effect === undefined || !isUsableId(effect.upstreamId)) {
      await persist([transitions.endUnconfirmed(context, row, ended, at)])
      await rules.onResolved?.(context, row.row)
      return
    }
    const { upstreamId } = effect
    const confirmed = transitions.confirm(context, row, effect, { at, byResponse: true })
    const [result] = await persist([confirmed, ...(await reopened([row], at))])
    if (result === "changed") {
      run.bulk.sentAlone()
      await sampleCanaries(context, [{ row, upstreamId }], at)
      await rules.onResolved?.(context, row.row)
      notifyConfirmed(
        context,
        [row],
        ended.kind === "success" ? { data: ended.data, requestedAt } : undefined,
      )
      return
    }
    // Look the row up.
    const reason = result === "claimed" ? namesOther : "the response came too late"
    const nextAt = transitions.firstLookupAt(context, at)
    await persist([transitions.markUnknown(row, { at, how: reason, nextAt })])
    log.warn({ job: job.id, row: row.row, id: upstreamId, result }, "the response couldn’t be used")
  }

  /** Changes that reopen rows left to a person for lack of a canary, now that one is confirmed. */
  async function reopened(confirmed: readonly RowRecord[], at: number): Promise<RowChange[]> {
    const waiting = await waitingForCanary(context, confirmed)
    return waiting.map((row) => transitions.lookUpAgain(row, at))
  }

  async function endBulk(call: Call) {
    const ids = call.outcome.kind === "success" ? rules.bulk?.readResponse(call.outcome.data) : undefined
    if (ids === undefined) return bulkUnknown(call)
    run.bulk.answered(call.ms, callMs)
    const { rows, endedAt: at } = call
    // Usually the member does not exist, which the first lookup shows.
    const nextAt = at + Math.min(settleMs, soonMs)
    const unnamed = (row: RowRecord, reason: string) =>
      transitions.markUnknown(row, { at, how: reason, nextAt }, { singly: true })
    const idOf = (row: RowRecord) => ids.get(row.memberId ?? "")
    const changes = rows.map((row): RowChange => {
      const upstreamId = idOf(row)
      if (upstreamId === undefined) return unnamed(row, "the response to its bulk request doesn’t name it")
      const effect = { upstreamId, balanceAfter: null }
      return transitions.confirm(context, row, effect, { at, byResponse: true })
    })
    const named = rows.filter((row) => idOf(row) !== undefined)
    const results = await persist([...changes, ...(await reopened(named, at))])
    const contested = rows.filter((_, index) => results[index] === "claimed")
    if (contested.length > 0) await persist(contested.map((row) => unnamed(row, namesOther)))
    const confirmed = rows.flatMap((row, index) => {
      const upstreamId = idOf(row)
      return results[index] === "changed" && upstreamId !== undefined ? [{ row, upstreamId }] : []
    })
    await sampleCanaries(context, confirmed, at)
    const done = confirmed.map(({ row }) => row)
    notifyConfirmed(context, done)
  }

  /** Looks up a sample of the rows first; the others wait for the deciding lookup unless the sample is found. */
  async function bulkUnknown({ outcome: ended, endedAt: at, rows }: Call): Promise<void> {
    const isRefused = ended.kind === "refused" || (ended.kind === "unknown" && ended.responded)
    if (isRefused) {
      const bulkSize = Math.min(run.bulk.refused(rows.length), job.bulkSize)
      const refusal = ended.kind === "refused" ? { code: ended.code, message: ended.message } : job.refusal
      if (bulkSize < job.bulkSize || refusal !== job.refusal)
        await store.jobs.change(job.id, ["running", "paused", "cancelling"], { bulkSize, refusal })
    } else if (ended.kind === "systemic") run.bulk.notDone()
    else run.bulk.unknown()
    const reason = transitions.describeOutcome(ended, "a success in an unexpected format")
    const singly = isRefused && rows.length <= Math.ceil(limits.bulkRows / 8)
    const deciding = at + decidingAge({ settleMs, recheckMs, lagMs: 0, gapMs: 0 })
    const step = Math.max(1, Math.floor(rows.length / sampleSize))
    const changes = rows.map((row, index) => {
      const isSampled = index % step === 0 && index / step < sampleSize
      const nextAt = isSampled ? transitions.firstLookupAt(context, at) : deciding
      if (ended.kind === "refused") return transitions.markRefusedTogether(row, ended, { at, nextAt })
      return transitions.markUnknown(row, { at, how: reason, nextAt }, singly ? { singly } : {})
    })
    await persist(changes)
  }

  /** Slows down while no call gets a usable response: each could end with a row that a person must decide. */
  function slowDown({ kind }: CallOutcome): void {
    if (kind !== "unknown") {
      run.unknownInRow = 0
      return
    }
    // Concurrent calls fail together: count them once.
    if (clock.monotonic() < run.holdUntil) return
    run.unknownInRow += 1
    if (run.unknownInRow < unknownAllowed) return
    run.proven = false
    const wait = Math.min(1000 * 2 ** (run.unknownInRow - unknownAllowed), 60_000)
    run.holdUntil = Math.max(run.holdUntil, clock.monotonic() + wait)
  }

  /** Backs off while the service is unreachable; the rate limiter handles 429. Concurrent failures count once. */
  function pauseUnreachable({ outcome: ended, tooLate }: Call): void {
    const now = clock.monotonic()
    if (ended.kind !== "not_done" || ended.limited || tooLate || now < run.holdUntil) return
    run.holdUntil = now + Math.min(unreachableMs.first * 2 ** run.unreachable, unreachableMs.longest)
    run.unreachable += 1
  }
}
