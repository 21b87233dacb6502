import { QueryClient } from "@tanstack/react-query"
import * as z from "zod/mini"
import { parseExact } from "../../contract/exact-json.ts"
import {
  appError,
  type createExportBody,
  exportTicket,
  responseMeta,
  type ResponseMeta,
} from "../../contract/response.ts"
import { ApiError, fetchCatalogue, Offline, UnreadableAnswer } from "../lib/errors.ts"
import { externalValue } from "../lib/external-value.ts"

/**
 * A path of the desk's own server from its segments, each encoded, so that an id with `/ ? # %` stays one
 * segment.
 * @throws ApiError 404 for `.` and `..`, which a browser would resolve to another path before sending: no
 * record can be reached by such an id
 */
export function apiPath(...segments: readonly string[]): string {
  for (const segment of segments) {
    if (/^(\.|%2e){1,2}$/i.test(segment) || segment === "") {
      throw new ApiError({ status: 404, code: "not_found", message: `No record has the id "${segment}".` })
    }
  }
  return `/api/${segments.map(encodeURIComponent).join("/")}`
}

/** What a query parameter may be; empty and missing ones are not sent. */
export type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>

/** `?page=2&search=ana`, or nothing. Keys keep their order, so equal questions make equal addresses. */
export function queryText(query: QueryValues | undefined): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== "") params.append(key, String(value))
  }
  const text = params.toString()
  return text === "" ? "" : `?${text}`
}

/**
 * Waits until a moment (ms since the epoch), or not at all when it has passed.
 * @throws the signal's reason when the requester is gone
 */
export async function notBefore(moment: number, signal?: AbortSignal): Promise<void> {
  const wait = moment - Date.now()
  if (wait <= 0) return
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, wait)
  const stop = () => reject(reasonOf(signal))
  signal?.addEventListener("abort", stop)
  try {
    await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", stop)
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new DOMException("Aborted", "AbortError")
}

/** When the next request may go, in ms since the epoch, while somebody here waits for the budget; else null. */
export const nextRequestAt = externalValue<number | null>(null)

const waits = new Set<number>()

function publish(): void {
  nextRequestAt.set(waits.size === 0 ? null : Math.min(...waits))
}

/** Waits the seconds that `Retry-After` said until the budget allows another request, and shows that wait to the budget chip. */
async function waitForBudget(seconds: number, signal?: AbortSignal): Promise<void> {
  // Two waits that end in the same millisecond must stay two.
  let until = Date.now() + seconds * 1000
  while (waits.has(until)) until += 1
  waits.add(until)
  publish()
  try {
    await notBefore(until, signal)
  } finally {
    waits.delete(until)
    publish()
  }
}

/** The outside of every answer. Reading is tolerant: a gift-card answer carries no `success`. */
const envelope = z.looseObject({ data: z.unknown(), meta: z.optional(z.nullable(responseMeta)) })

/**
 * Reads one answer of the desk's server.
 * @throws ApiError when it refuses; UnreadableAnswer when it is not what was agreed
 */
function readAnswer<T>(response: Response, text: string, schema: z.ZodMiniType<T>): Answer<T> {
  const requestId = response.headers.get("X-Request-Id") ?? undefined
  const body = parseJson(response, text, requestId)
  if (!response.ok) throw refusal(response, body, requestId)

  const outside = body === undefined ? { data: undefined, meta: undefined } : envelope.safeParse(body).data
  if (outside === undefined) throw new UnreadableAnswer("no data", response.status, requestId)
  const inside = schema.safeParse(outside.data)
  if (!inside.success) {
    throw new UnreadableAnswer(z.prettifyError(inside.error), response.status, requestId, inside.error)
  }
  const age = secondsOf(response.headers.get("Age")) ?? 0
  return {
    data: inside.data,
    meta: outside.meta ?? undefined,
    age,
    at: Date.now() - age * 1000,
    stale: response.headers.get("X-Laurel-Stale") === "1",
  }
}

function parseJson(response: Response, text: string, requestId: string | undefined): unknown {
  if (text === "") return undefined
  try {
    return parseExact(text)
  } catch (error) {
    throw new UnreadableAnswer("not JSON", response.status, requestId, error)
  }
}

function refusal(response: Response, body: unknown, requestId: string | undefined): Error {
  const parsed = appError.safeParse(body)
  if (!parsed.success) return new UnreadableAnswer("an error without a code", response.status, requestId)
  const { code, message, details, requestId: named } = parsed.data.error
  const retryAfter = secondsOf(response.headers.get("Retry-After"))
  return new ApiError({ status: response.status, code, message, requestId: named, retryAfter, details })
}

/** A header that counts seconds; a missing, negative or unreadable one is none. */
function secondsOf(header: string | null): number | undefined {
  if (header === null || !/^\d+$/.test(header.trim())) return undefined
  return Number(header)
}

/** How a read is made. */
export interface ReadHow {
  readonly signal?: AbortSignal | undefined
  /** Reads from the service itself, past every cache: before an effect, or on the refresh button. */
  readonly fresh?: boolean | undefined
}

interface RequestOptions<T> extends ReadHow {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** From `apiPath`. */
  readonly path: string
  readonly query?: QueryValues | undefined
  readonly body?: unknown
  /** A body that is JSON already, in place of `body`. */
  readonly bodyText?: string | undefined
  /** Every response is parsed with it; for one without a body it gets `undefined`. */
  readonly schema: z.ZodMiniType<T>
  /** Sent as `Idempotency-Key`: the same key and body make one effect however often they arrive. */
  readonly idempotencyKey?: string | undefined
  /** Sent as `If-Match`: the version the person saw; a write on another one is refused as a conflict. */
  readonly ifMatch?: string | undefined
  /** From `createExport`: the read goes in the background lane, which waits for people. */
  readonly exportId?: string | undefined
  /** `throw` hands a 401 to the caller: only for reading who is signed in, and for signing in. */
  readonly onSessionEnd?: "wait" | "throw" | undefined
}

/** A read answer. */
export interface Answer<T> {
  readonly data: T
  readonly meta?: ResponseMeta | undefined
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
        const seconds = error.retryAfter ?? 2
        // Everybody else may still ask while an export waits: its wait is no countdown.
        if (options.exportId === undefined) await waitForBudget(seconds, options.signal)
        else await notBefore(Date.now() + seconds * 1000, options.signal)
      } else {
        // Without the catalogue, when it cannot be fetched either, the desk's own words have to do.
        if (error.details?.api !== undefined) await fetchCatalogue().catch(() => {})
        throw error
      }
    }
  }
}

/** As `request`, for where only the data of the response counts. */
export async function requestData<T>(options: RequestOptions<T>): Promise<T> {
  return (await request(options)).data
}

/** Nothing was done, because the minute's requests are used up here or at the service itself. */
function mayComeLater(error: ApiError): boolean {
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
  if (options.exportId !== undefined) headers.set("X-Laurel-Export", options.exportId)
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

/** Whether the session ended while somebody was at work: the desk then asks to sign in again in place. */
export const sessionEnded = externalValue(false)

let waiting: PromiseWithResolvers<void>[] = []

/**
 * Waits until the person has signed in again. Requests that met the end of the session wait here and are sent
 * again afterwards, so nothing that was typed is lost.
 * @throws the reason given to `abandonSession`, or the signal's
 */
export async function untilSignedInAgain(signal?: AbortSignal): Promise<void> {
  sessionEnded.set(true)
  const entry = Promise.withResolvers<void>()
  waiting.push(entry)
  const stop = () => {
    waiting = waiting.filter((other) => other !== entry)
    entry.reject(reasonOf(signal))
  }
  signal?.addEventListener("abort", stop, { once: true })
  await entry.promise
}

function endWaiting(end: (entry: PromiseWithResolvers<void>) => void): void {
  const entries = waiting
  waiting = []
  sessionEnded.set(false)
  for (const entry of entries) end(entry)
}

/** The person signed in again: every waiting request goes on. */
export function resumeSession(): void {
  endWaiting(({ resolve }) => resolve())
}

/** The person left instead: every waiting request fails with `reason`. */
export function abandonSession(reason: Error): void {
  endWaiting(({ reject }) => reject(reason))
}

/**
 * One more try when no answer came, or when the server says the service could not be reached: both pass by
 * themselves. A refusal is not asked twice, and an answer that cannot be read will not read better.
 */
function retry(failures: number, error: Error): boolean {
  if (error instanceof Offline) return failures < 2
  return error instanceof ApiError && [502, 504].includes(error.status) && failures < 1
}

/**
 * The desk's query cache. Answers are fresh for 30 s, the server's own time for lists and members
 * (docs/api/laurel.md, Reads). A write is never repeated by itself and never kept for later: an effect happens
 * when a person asks for it or not at all.
 */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        gcTime: 10 * 60_000,
        retry,
        retryDelay: 1000,
        networkMode: "always",
        refetchOnReconnect: true,
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  })
}

/** Obtains the right to export, which the audit log then has; its id goes with each page that is read. */
export async function createExport(
  body: z.input<typeof createExportBody>,
  signal: AbortSignal,
): Promise<string> {
  const path = apiPath("exports")
  return (await requestData({ method: "POST", path, body, schema: exportTicket, signal })).id
}
