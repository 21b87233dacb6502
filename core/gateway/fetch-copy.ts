import type { Lane } from "../budget/gate.ts"
import type { Copy } from "../cache/cache.ts"
import type { Clock, UpstreamOutcome } from "../ports.ts"
import type { DriftLog } from "./drift-log.ts"
import { readCopy } from "./read-copy.ts"
import type { ReadPlan } from "./read-plan.ts"
import { foundNoPermit, type Person, type ServiceCaller } from "./service-call.ts"

/** How long a read waits for a place in the budget, in ms. */
export const placeWaitMs = 20_000

/** What a fetch stands on. */
export interface FetchDeps {
  readonly caller: ServiceCaller
  readonly clock: Clock
  readonly drift: DriftLog
}

/** How one fetch is made. */
export interface FetchOptions {
  readonly person: Person
  /** `people` unless it says otherwise. */
  readonly lane?: Lane
  /** Gives up the wait for a place; once sent, a read is seen through. */
  readonly signal?: AbortSignal | undefined
  /** As of a call: it leaves (true), or has to wait for a place (false). */
  readonly onSending?: (sending: boolean) => void
}

/**
 * Asks the service. A read that ended without an answer or with the service's own fault is asked once more, while
 * its time allows.
 * @throws DeskFailure for everything that is not a usable answer; the signal's reason
 */
export async function fetchCopy(deps: FetchDeps, plan: ReadPlan, options: FetchOptions): Promise<Copy> {
  const { clock, caller, drift } = deps
  const deadline = clock.monotonic() + placeWaitMs
  const ask = async () => {
    const askedAt = clock.monotonic()
    const outcome = await caller.send({
      operation: plan.operation.id,
      api: plan.operation.api,
      method: "GET",
      path: plan.path,
      query: plan.query,
      lane: "people",
      deadline,
      ...options,
    })
    return { outcome, askedAt, answeredAt: clock.monotonic() }
  }

  let asked = await ask()
  if (mayPass(asked.outcome) && clock.monotonic() < deadline) {
    const first = asked
    asked = await ask().catch((error: unknown) => {
      // No place for a second look: what the first one met is what there is to say.
      if (foundNoPermit(error)) return first
      throw error
    })
  }
  const { outcome, ...times } = asked
  const found = readCopy(plan, outcome, times, "screens")
  drift.add(plan.operation.api, plan.operation.id, found.drift)
  return found.copy
}

function mayPass(outcome: UpstreamOutcome): boolean {
  if (outcome.kind === "no_answer") return true
  return (outcome.kind === "answer" || outcome.kind === "unreadable") && outcome.status >= 500
}
