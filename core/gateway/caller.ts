import { type Api, apis } from "../../contract/response.ts"
import { BudgetSpent } from "../budget/rate-limiter.ts"
import type { Budget, PermitRequester } from "../budget/budget.ts"
import { AppError, soon, unavailable } from "../errors.ts"
import type { KeyName, KeyTest } from "../../contract/status.ts"
import { fillPath, operationById } from "../match.ts"
import type { Clock, Lane, Log, Metrics, Upstream, UpstreamCall, UpstreamResult } from "../ports.ts"
import type { Monitor } from "../status/monitor.ts"
import { isLimited, labelOf, serviceNames, serviceNamesFirst, statusOf } from "./upstream-errors.ts"

export type Requester = Readonly<{ id: string; name: string }>

export interface ServiceCall extends Omit<UpstreamCall, "signal" | "key"> {
  readonly operation: string
  readonly person: Requester
  readonly lane: Lane
  /** Deadline of the wait for a permit, monotonic ms. */
  readonly deadline: number
  /** Cancels the wait; a sent call always completes. */
  readonly signal?: AbortSignal | undefined
  /** Called with true when the call is sent, and with false before when it has to wait for a permit. */
  readonly onSending?: (sending: boolean) => void
  /** Whether its readers see something meanwhile (core/budget/rate-limiter.ts). */
  readonly isUpdate?: () => boolean
}

type PermitWait = Pick<ServiceCall, "deadline" | "signal" | "onSending" | "isUpdate">
type PermittedCall = Omit<ServiceCall, keyof PermitWait>

export type ServiceCaller = ReturnType<typeof createServiceCaller>

/** How long a read that tries a key waits for a permit, in ms. */
const keyPermitMs = 20_000
/** After the next key was tried in vain, further refusals do not try it for this long, in ms. */
const triedKeyServesMs = 10_000
const keyCheck = { lane: "people", person: { id: "keys", name: "Key check" } } as const

/** The harmless read that tries a key: one member, or a card that cannot exist. */
function keyRead(api: Api) {
  const operation = api === "program" ? "GET /members" : "GET /giftcard/cards/{id}"
  const path = fillPath(operationById(operation).path, { id: "laurel-key-test" })
  const query = new URLSearchParams(api === "program" ? { page: "1", per_page: "1" } : {})
  return { api, operation, method: "GET", path, query, ...keyCheck } as const
}

interface CallerDeps {
  readonly budget: Budget
  readonly upstream: Upstream
  readonly clock: Clock
  /** The connected services; `nextKeyEnd`: they have a second key. */
  readonly config: { readonly apis: Readonly<Record<Api, { readonly nextKeyEnd?: string } | null>> }
  readonly log: Log
  readonly metrics: Metrics
  readonly monitor: Monitor
}

/** Which key of a service is used. The next one takes over once, after a read that it may do, never by trying a write. */
function createKeyChoice(
  { clock, config, log, monitor }: CallerDeps,
  tryNextKey: (api: Api) => Promise<KeyTest["next_key"]>,
) {
  /** Since when the next key is used, monotonic ms. */
  const nextSince: Partial<Record<Api, number>> = {}
  const choosing: Partial<Record<Api, { readonly at: number; readonly chosen: Promise<boolean> }>> = {}

  async function choose(api: Api): Promise<boolean> {
    const answer = await tryNextKey(api)
    if (answer !== "working") {
      log.warn({ api, nextKey: answer }, "the service refused the key, and the next key is no help")
      return false
    }
    nextSince[api] = clock.monotonic()
    monitor.keyReplaced(api)
    log.warn({ api }, "the service refused the key: the next one is used from now on")
    return true
  }

  return {
    keyInUse: (api: Api): KeyName => (nextSince[api] === undefined ? "current" : "next"),
    /** Whether another key is in use than the one that a call since `startedAt` (monotonic ms) was refused with (401). */
    isKeyReplaced: async (api: Api, startedAt: number): Promise<boolean> => {
      const since = nextSince[api]
      if (since !== undefined) return since >= startedAt
      if (config.apis[api]?.nextKeyEnd === undefined) return false
      const now = clock.monotonic()
      const last = choosing[api]
      const current =
        last !== undefined && now - last.at < triedKeyServesMs ? last : { at: now, chosen: choose(api) }
      choosing[api] = current
      return current.chosen
    },
  }
}

/** Makes every call to the services. */
export function createServiceCaller(deps: CallerDeps) {
  const { budget, clock, config, metrics, monitor, upstream } = deps
  const { keyInUse, isKeyReplaced } = createKeyChoice(deps, tryNextKey)

  async function wait(
    { api, deadline, signal, onSending, isUpdate }: Pick<ServiceCall, "api"> & PermitWait,
    requester: PermitRequester,
  ): Promise<void> {
    if (config.apis[api] === null) throw notConnected(api)
    try {
      await budget.acquire(requester, {
        deadline,
        signal,
        isUpdate,
        onWait: () => onSending?.(false),
      })
    } catch (error) {
      if (signal?.aborted === true) throw error
      throw error instanceof BudgetSpent
        ? await spent(api)
        : unavailable("Laurel’s database isn’t responding. Nothing was sent. Try again in a moment.", {
            headers: soon,
          })
    }
  }

  async function spent(api: Api): Promise<AppError> {
    if (budget.isEnding) return stopping()
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

  async function sendOnce(
    call: PermittedCall,
    requester: PermitRequester,
    key = keyInUse(call.api),
  ): Promise<UpstreamResult> {
    const startedAt = clock.monotonic()
    const { person: _person, lane: _lane, ...request } = call
    const result = await upstream.send({ ...request, ...(key === "next" && { key }) })
    metrics.upstreamCall(call.api, call.operation, labelOf(result), result.ms)
    // What a key met that is not in use says nothing about the connection, unless the service wants no call at all.
    const isInUse = key === keyInUse(call.api)
    if (isInUse) monitor.record(call.api, call.method, result)
    if (isInUse || isLimited(result)) await budget.ended(requester, startedAt, result)
    return result
  }

  /** How the service answers a harmless read with the next key; null without one. */
  async function tryNextKey(api: Api): Promise<KeyTest["next_key"]> {
    if (config.apis[api]?.nextKeyEnd === undefined) return null
    const call = keyRead(api)
    const requester = requesterOf(call)
    try {
      await wait({ api, deadline: clock.monotonic() + keyPermitMs }, requester)
      const result = await sendOnce(call, requester, "next")
      const status = statusOf(result)
      if (status === 401 || status === 403) return "refused"
      return result.kind === "answer" && result.status < 500 && !isLimited(result) ? "working" : "unknown"
    } catch (error) {
      if (error instanceof AppError) return "unknown"
      throw error
    }
  }

  async function send(call: ServiceCall): Promise<UpstreamResult> {
    const { deadline: _deadline, isUpdate: _isUpdate, signal, onSending, ...permitted } = call
    const requester = requesterOf(call)
    for (;;) {
      signal?.throwIfAborted()
      await wait(call, requester)
      onSending?.(true)
      const startedAt = clock.monotonic()
      const result = await sendOnce(permitted, requester)
      const isRefused = statusOf(result) === 401
      if (!isLimited(result) && !(isRefused && (await isKeyReplaced(call.api, startedAt)))) return result
    }
  }

  return {
    /** For callers that persist between permit and call; throws as `send`. */
    acquirePermit: (call: Pick<ServiceCall, "api" | "person" | "lane" | "deadline" | "signal">) =>
      wait(call, requesterOf(call)),
    /** Sends a call whose permit was taken, once: it may end with a 429. */
    sendPermitted: (call: PermittedCall) => sendOnce(call, requesterOf(call)),
    /**
     * Waits for a permit and sends; after a 429 again, and after a 401 with the next key, because neither was carried
     * out. @throws AppError 503: not sent
     */
    send,
    reconsider: (api: Api) => budget.reconsider(api),
    keyInUse,
    isKeyReplaced,
    tryNextKey,
    /** Finds out before other calls do whether the service still accepts the first of two keys. */
    async chooseKeys(): Promise<void> {
      const apisWithTwo = apis.filter((api) => config.apis[api]?.nextKeyEnd !== undefined)
      const deadline = clock.monotonic() + keyPermitMs
      await Promise.all(apisWithTwo.map((api) => send({ ...keyRead(api), deadline })))
    },
  }
}

/** Whether a call was not sent for lack of a permit: its caller may retry. */
export function isPermitTimeout(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === "budget_spent" || error.code === "upstream_limited")
}

/** What waited when this instance was stopped: another one, or the next start, takes it in a moment. */
function stopping(): AppError {
  return new AppError({
    status: 503,
    code: "budget_spent",
    message: "Laurel is restarting. Nothing was sent. Try again in a moment.",
    headers: soon,
  })
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
