import type { Api } from "../../contract/response.ts"
import { BudgetSpent, type Lane } from "../budget/rate-limiter.ts"
import type { Budget, PermitRequester } from "../budget/budget.ts"
import { AppError, unavailable } from "../errors.ts"
import type { Clock, Metrics, Upstream, UpstreamCall, UpstreamResult } from "../ports.ts"
import type { Monitor } from "../status/monitor.ts"
import { isLimited, labelOf, serviceNames, serviceNamesFirst } from "./upstream-errors.ts"

export type Requester = Readonly<{ id: string; name: string }>

export interface ServiceCall extends Omit<UpstreamCall, "signal"> {
  readonly operation: string
  readonly person: Requester
  readonly lane: Lane
  /** Deadline of the wait for a permit, monotonic ms. */
  readonly deadline: number
  /** Cancels the wait; a sent call always completes. */
  readonly signal?: AbortSignal | undefined
  /** Called with true when the call is sent, and with false before when it has to wait for a permit. */
  readonly onSending?: (sending: boolean) => void
}

type PermittedCall = Omit<ServiceCall, "deadline" | "signal" | "onSending">

export type ServiceCaller = ReturnType<typeof createServiceCaller>

/** Makes every call to the services. */
export function createServiceCaller(deps: {
  readonly budget: Budget
  readonly upstream: Upstream
  readonly clock: Clock
  readonly metrics: Metrics
  readonly monitor: Monitor
  readonly connected: (api: Api) => boolean
}) {
  const { budget, clock, metrics, monitor, upstream } = deps

  async function wait(
    { api, deadline, signal, onSending }: Pick<ServiceCall, "api" | "deadline" | "signal" | "onSending">,
    requester: PermitRequester,
  ): Promise<void> {
    if (!deps.connected(api)) throw notConnected(api)
    try {
      await budget.acquire(requester, { deadline, signal, onWait: () => onSending?.(false) })
    } catch (error) {
      if (signal?.aborted === true) throw error
      throw error instanceof BudgetSpent
        ? await spent(api)
        : unavailable("Laurel’s database isn’t responding. Nothing was sent. Try again in a moment.")
    }
  }

  async function spent(api: Api): Promise<AppError> {
    const { seconds, limited } = await budget.likelyIn(api)
    return new AppError({
      status: 503,
      code: limited ? "upstream_limited" : "budget_spent",
      message: limited
        ? `${serviceNamesFirst[api]} asked Laurel to wait (429). Nothing was done. Try again in ${seconds} s.`
        : `Laurel is busy with other work at ${serviceNames[api]}. Nothing was sent. Try again in ${seconds} s.`,
      headers: { "Retry-After": String(seconds) },
    })
  }

  async function sendOnce(call: PermittedCall, requester: PermitRequester): Promise<UpstreamResult> {
    const startedAt = clock.monotonic()
    const { operation, person: _person, lane: _lane, ...request } = call
    const result = await upstream.send(request)
    metrics.upstreamCall(call.api, operation, labelOf(result), result.ms)
    monitor.record(call.api, call.method, result)
    await budget.ended(requester, startedAt, result)
    return result
  }

  return {
    /** For callers that persist between permit and call; throws as `send`. */
    acquirePermit: (call: Pick<ServiceCall, "api" | "person" | "lane" | "deadline" | "signal">) =>
      wait(call, requesterOf(call)),
    /** Sends a call whose permit was taken, once: it may end with a 429. */
    sendPermitted: (call: PermittedCall) => sendOnce(call, requesterOf(call)),
    /** Waits for a permit and sends; after a 429, which was not carried out, again. @throws AppError 503: not sent */
    async send(call: ServiceCall): Promise<UpstreamResult> {
      const { deadline: _deadline, signal, onSending, ...permitted } = call
      const requester = requesterOf(call)
      for (;;) {
        signal?.throwIfAborted()
        await wait(call, requester)
        onSending?.(true)
        const result = await sendOnce(permitted, requester)
        if (!isLimited(result)) return result
      }
    },
  }
}

/** Whether a call was not sent for lack of a permit: its caller may retry. */
export function isPermitTimeout(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === "budget_spent" || error.code === "upstream_limited")
}

function requesterOf({ api, lane, person }: Pick<ServiceCall, "api" | "lane" | "person">): PermitRequester {
  return { api, lane, id: person.id, name: person.name }
}

export function notConnected(api: Api): AppError {
  return new AppError({
    status: 503,
    code: "not_connected",
    message: `Laurel was started without an address for ${serviceNames[api]}. Ask an administrator to set its address and key and restart Laurel.`,
    details: { api },
  })
}
