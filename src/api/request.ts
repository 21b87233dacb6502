import type * as z from "zod/mini"
import type { DeskMeta } from "../../contract/desk/answer.ts"
import { waitForBudget } from "./budget-wait.ts"
import { ApiError, fetchAtlas, Offline } from "./errors.ts"
import { queryText, type QueryValues } from "./path.ts"
import { readAnswer } from "./read-answer.ts"
import { untilSignedInAgain } from "./session-gate.ts"

/** A question to the desk's server. */
export interface RequestOptions<T> {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** From `apiPath`. */
  readonly path: string
  readonly query?: QueryValues | undefined
  readonly body?: unknown
  /** A body that is JSON already, in place of `body`. */
  readonly bodyText?: string | undefined
  /** Every answer is parsed with it; for an answer without a body it gets `undefined`. */
  readonly schema: z.ZodMiniType<T>
  readonly signal?: AbortSignal | undefined
  /** Asks the service itself, past every cache: before an effect, or on the refresh button. */
  readonly fresh?: boolean | undefined
  /** Sent as `Idempotency-Key`: the same key and body make one effect however often they arrive. */
  readonly idempotencyKey?: string | undefined
  /** Sent as `If-Match`: the version the person saw; a write on another one is refused as a conflict. */
  readonly ifMatch?: string | undefined
  /** `throw` hands a 401 to the caller: only for asking who is signed in, and for signing in. */
  readonly onSessionEnd?: "wait" | "throw" | undefined
}

/** A read answer. */
export interface Answer<T> {
  readonly data: T
  readonly meta?: DeskMeta | undefined
  /** Seconds since the service itself answered. */
  readonly age: number
  /** When the service answered, in ms since the epoch by this browser's clock. */
  readonly at: number
  /** The budget was spent: this is an older answer than the cache time allows. */
  readonly stale: boolean
}

/** How long a write keeps waiting for the budget before a person is asked again, in ms (a read waits on). */
const writePatience = 60_000

/**
 * Asks the desk's server and parses what it says. Waits out a spent budget (the chip counts down) and asks
 * again; when the session has ended, waits until the person has signed in again and sends the same once more.
 * Both are safe to repeat, because such an answer means that nothing was done.
 * @throws ApiError for a refusal, UnreadableAnswer, Offline, or the signal's reason
 */
export async function request<T>(options: RequestOptions<T>): Promise<Answer<T>> {
  const started = Date.now()
  for (;;) {
    try {
      return await ask(options)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (isSessionEnd(error) && options.onSessionEnd !== "throw") {
        await untilSignedInAgain(options.signal)
      } else if (mayComeLater(error) && mayWait(options, started)) {
        await waitForBudget(error.retryAfter ?? 2, options.signal)
      } else {
        // Without the atlas, when it cannot be fetched either, the desk's own words have to do.
        if (error.details?.api !== undefined) await fetchAtlas().catch(() => {})
        throw error
      }
    }
  }
}

/** Nothing was done, because the minute's requests are used up here or at the service itself. */
export function mayComeLater(error: ApiError): boolean {
  return error.code === "budget_spent" || error.code === "upstream_limited"
}

function isSessionEnd(error: ApiError): boolean {
  return error.status === 401 && error.code === "session_required"
}

function mayWait(options: RequestOptions<unknown>, started: number): boolean {
  return (options.method ?? "GET") === "GET" || Date.now() - started < writePatience
}

async function ask<T>(options: RequestOptions<T>): Promise<Answer<T>> {
  let response: Response
  let text: string
  try {
    response = await fetch(options.path + queryText(options.query), requestInit(options))
    text = await response.text()
  } catch (error) {
    options.signal?.throwIfAborted()
    throw new Offline(error)
  }
  return readAnswer(response, text, options.schema)
}

function requestInit(options: RequestOptions<unknown>): RequestInit {
  const headers = new Headers({ Accept: "application/json", "X-Laurel": "1" })
  if (options.idempotencyKey !== undefined) headers.set("Idempotency-Key", options.idempotencyKey)
  if (options.ifMatch !== undefined) headers.set("If-Match", options.ifMatch)
  if (options.fresh === true) headers.set("Cache-Control", "no-cache")
  const init: RequestInit = { method: options.method ?? "GET", headers, credentials: "same-origin" }
  if (options.signal !== undefined) init.signal = options.signal
  const { body, bodyText = body === undefined ? undefined : JSON.stringify(body) } = options
  if (bodyText !== undefined) {
    headers.set("Content-Type", "application/json")
    init.body = bodyText
  }
  return init
}
