import type { Api } from "../../contract/status.ts"
import { BudgetSpent, type Lane } from "../budget/rate-limiter.ts"
import type { PermitRequester, Budget } from "../budget/budget.ts"
import { DeskFailure } from "../errors.ts"
import type { Clock, Metrics, Upstream, UpstreamCall, UpstreamOutcome } from "../ports.ts"
import type { Monitor } from "../status/monitor.ts"
import { isLimited, labelOf, serviceNames, serviceNamesFirst, slowMs, troubleIn } from "./outcome.ts"

/** For whom a call is made. */
export interface Requester {
  readonly id: string
  readonly name: string
}

/** One call to a service, as the gateway asks for it. */
interface ServiceCall extends Omit<UpstreamCall, "signal"> {
  /** The operation's name in its document. */
  readonly operation: string
  readonly person: Requester
  readonly lane: Lane
  /** Until when it may wait for a place, on the monotonic clock, ms. */
  readonly deadline: number
  /** Gives up the wait; once sent, a call is seen through. */
  readonly signal?: AbortSignal | undefined
  /** Called when it leaves (true), and before when it finds no place at once and has to wait (false). */
  readonly onSending?: (sending: boolean) => void
}

type Waiting = Pick<ServiceCall, "api" | "deadline" | "signal" | "onSending">

/** The only way to a service. */
export interface ServiceCaller {
  /**
   * Waits for a place, sends and tells how it ended. A 429 means that nothing was carried out: the budget is closed
   * for a moment and the call waits again, so no other outcome is ever a 429.
   * @throws DeskFailure 503 `budget_spent`, `upstream_limited`, `not_connected` or `store_unavailable`: nothing was sent
   */
  send(call: ServiceCall): Promise<UpstreamOutcome>
  /**
   * Waits for a place only, for a caller who has something to write down between place and call.
   * @throws as `send` does
   */
  acquirePermit(call: Pick<ServiceCall, "api" | "person" | "lane" | "deadline" | "signal">): Promise<void>
  /** Sends a call whose place was taken, once: it may end with a 429. */
  sendPermitted(call: Omit<ServiceCall, "deadline" | "signal" | "onSending">): Promise<UpstreamOutcome>
}

/** What calls stand on. */
export interface CallerDeps {
  readonly budget: Budget
  readonly upstream: Upstream
  readonly clock: Clock
  readonly metrics: Metrics
  readonly monitor: Monitor
  readonly connected: (api: Api) => boolean
}

/** Makes the way to the services. */
export function createServiceCaller(deps: CallerDeps): ServiceCaller {
  const { budget, clock } = deps

  async function wait({ api, deadline, signal, onSending }: Waiting, asker: PermitRequester): Promise<void> {
    try {
      await budget.acquire(asker, { deadline, signal, waits: () => onSending?.(false) })
    } catch (error) {
      if (signal?.aborted === true) throw error
      throw error instanceof BudgetSpent ? await spent(api) : storeUnavailable()
    }
  }

  async function spent(api: Api): Promise<DeskFailure> {
    const { seconds, limited } = await budget.likelyIn(api)
    if (limited) {
      return new DeskFailure({
        status: 503,
        code: "upstream_limited",
        message: `${serviceNamesFirst[api]} itself refused further requests for now (429), although Laurel's own count has room. Nothing was done. Try again in ${seconds} s.`,
        headers: { "Retry-After": String(seconds) },
      })
    }
    return new DeskFailure({
      status: 503,
      code: "budget_spent",
      message: `The request limit for ${serviceNames[api]} is reached for this minute. Nothing was sent. Try again in ${seconds} s.`,
      headers: { "Retry-After": String(seconds) },
    })
  }

  async function sendOnce(
    call: Omit<ServiceCall, "deadline" | "signal" | "onSending">,
    asker: PermitRequester,
  ): Promise<UpstreamOutcome> {
    const startedAt = clock.monotonic()
    const { api, method, path, query, body, mayWrite, onSecret } = call
    const outcome = await deps.upstream.send({
      api,
      method,
      path,
      query,
      ...(body !== undefined && { body }),
      ...(mayWrite !== undefined && { mayWrite }),
      ...(onSecret !== undefined && { onSecret }),
    })
    deps.metrics.upstreamCall(api, call.operation, labelOf(outcome), outcome.ms)
    deps.monitor.record(api, method, outcome)
    if (isLimited(outcome)) {
      await budget.refused(asker, startedAt, outcome.kind === "answer" ? outcome.retryAfter : undefined)
    } else {
      const trouble = troubleIn(outcome) !== undefined
      budget.ended(asker, startedAt, { slow: outcome.ms > slowMs, trouble })
    }
    return outcome
  }

  return {
    async acquirePermit(call) {
      if (!deps.connected(call.api)) throw notConnected(call.api)
      await wait(call, askerOf(call))
    },
    sendPermitted: (call) => sendOnce(call, askerOf(call)),
    async send(call) {
      if (!deps.connected(call.api)) throw notConnected(call.api)
      const asker = askerOf(call)
      for (;;) {
        call.signal?.throwIfAborted()
        if (!budget.atOnce(asker)) await wait(call, asker)
        call.onSending?.(true)
        const outcome = await sendOnce(call, asker)
        if (!isLimited(outcome)) return outcome
      }
    },
  }
}

/** Whether a call was not sent because no permit came in time: its caller may wait and ask again. */
export function foundNoPermit(error: unknown): error is DeskFailure {
  return error instanceof DeskFailure && (error.code === "budget_spent" || error.code === "upstream_limited")
}

function askerOf({ api, lane, person }: Pick<ServiceCall, "api" | "lane" | "person">): PermitRequester {
  return { api, lane, id: person.id, name: person.name }
}

/** A 503: the desk was started without this service. */
export function notConnected(api: Api): DeskFailure {
  return new DeskFailure({
    status: 503,
    code: "not_connected",
    message: `Laurel was started without an address for ${serviceNames[api]}. Ask an administrator to set its address and key and restart Laurel.`,
    details: { api },
  })
}

function storeUnavailable(): DeskFailure {
  return new DeskFailure({
    status: 503,
    code: "store_unavailable",
    message: "Laurel’s database isn’t responding. Nothing was sent. Try again in a moment.",
  })
}
