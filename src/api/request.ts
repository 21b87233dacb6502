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
 * Waits until a moment, or not at all when it has passed.
 * @param moment ms since the epoch
 * @throws the signal's reason when whoever asked is gone
 */
export async function notBefore(moment: number, signal: AbortSignal): Promise<void> {
  const wait = moment - Date.now()
  if (wait <= 0) return
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason instanceof Error ? signal.reason : new DOMException("Aborted", "AbortError"))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop)
      resolve()
    }, wait)
    signal.addEventListener("abort", stop, { once: true })
  })
}

/** When the next request may go, in ms since the epoch, while somebody here waits for the budget; else null. */
export const nextRequestAt = externalValue<number | null>(null)

const waits = new Set<number>()

function publish(): void {
  nextRequestAt.set(waits.size === 0 ? null : Math.min(...waits))
}

/**
 * Waits until the budget allows another request, and shows that wait to the budget chip.
 * @param seconds what `Retry-After` said
 * @throws the signal's reason when the page that asked is gone
 */
async function waitForBudget(seconds: number, signal?: AbortSignal): Promise<void> {
  // Two waits that end in the same millisecond must stay two.
  let until = Date.now() + seconds * 1000
  while (waits.has(until)) until += 1
  waits.add(until)
  publish()
  try {
    await pause(until - Date.now(), signal)
  } finally {
    waits.delete(until)
    publish()
  }
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason instanceof Error ? signal.reason : new DOMException("Aborted", "AbortError"))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, ms)
    signal?.addEventListener("abort", stop, { once: true })
  })
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

/** A question to the desk's server. */
interface RequestOptions<T> {
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
        await waitForBudget(error.retryAfter ?? 2, options.signal)
      } else {
        // Without the catalogue, when it cannot be fetched either, the desk's own words have to do.
        if (error.details?.api !== undefined) await fetchCatalogue().catch(() => {})
        throw error
      }
    }
  }
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

let waiting: { resolve: () => void; reject: (reason: Error) => void }[] = []

/**
 * Waits until the person has signed in again. Requests that met the end of the session wait here and are sent
 * again afterwards, so nothing that was typed is lost.
 * @throws the reason given to `abandonSession`, or the signal's
 */
export function untilSignedInAgain(signal?: AbortSignal): Promise<void> {
  sessionEnded.set(true)
  return new Promise((resolve, reject) => {
    const entry = { resolve, reject }
    waiting.push(entry)
    signal?.addEventListener(
      "abort",
      () => {
        waiting = waiting.filter((other) => other !== entry)
        reject(signal.reason instanceof Error ? signal.reason : new DOMException("Aborted", "AbortError"))
      },
      { once: true },
    )
  })
}

/** The person signed in again: every waiting request goes on. */
export function resumeSession(): void {
  const entries = waiting
  waiting = []
  sessionEnded.set(false)
  for (const entry of entries) entry.resolve()
}

/** The person left instead: every waiting request fails with `reason`. */
export function abandonSession(reason: Error): void {
  const entries = waiting
  waiting = []
  sessionEnded.set(false)
  for (const entry of entries) entry.reject(reason)
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

/**
 * Asks for the right to export; what is exported is in the audit log from then on. The answer's id goes with each
 * page that is read.
 */
export async function createExport(
  body: z.input<typeof createExportBody>,
  signal: AbortSignal,
): Promise<string> {
  const path = apiPath("exports")
  return (await request({ method: "POST", path, body, schema: exportTicket, signal })).data.id
}

interface ExportPage<T> {
  /** From `createExport`. */
  readonly exportId: string
  readonly path: string
  readonly query: QueryValues
  readonly schema: z.ZodMiniType<T>
  readonly signal: AbortSignal
  /** Asks the service itself, past every cache. */
  readonly fresh: boolean
}

/**
 * Reads one page of an export. It goes in the background lane, which waits for people: a wait is no countdown in
 * the budget chip, because everybody else may still ask.
 * @throws ApiError, UnreadableAnswer, Offline; the signal's reason
 */
export async function readExportPage<T>(page: ExportPage<T>): Promise<Answer<T>> {
  const { signal } = page
  for (;;) {
    try {
      return await askForPage(page)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ApiError)) throw error
      if (error.code === "session_required") await untilSignedInAgain(signal)
      else if (mayComeLater(error)) await pauseForPage((error.retryAfter ?? 2) * 1000, signal)
      else throw error
    }
  }
}

async function askForPage<T>({
  exportId,
  path,
  query,
  schema,
  signal,
  fresh,
}: ExportPage<T>): Promise<Answer<T>> {
  const headers = new Headers({ Accept: "application/json", "X-Laurel": "1", "X-Laurel-Export": exportId })
  if (fresh) headers.set("Cache-Control", "no-cache")
  let response: Response
  let text: string
  try {
    response = await fetch(path + queryText(query), {
      method: "GET",
      headers,
      credentials: "same-origin",
      signal,
    })
    text = await response.text()
  } catch (error) {
    throw new Offline(error)
  }
  return readAnswer(response, text, schema)
}

function pauseForPage(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener("abort", end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener("abort", end)
  })
}
