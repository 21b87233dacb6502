import { create } from "zustand"
import {
  type FetchQueryOptions,
  QueryClient,
  type QueryFunctionContext,
  type QueryKey,
  queryOptions,
  type UndefinedInitialDataOptions,
} from "@tanstack/react-query"
import * as z from "zod/mini"
import { parseExact } from "../../contract/exact-json.ts"
import {
  appError,
  budgetHeader,
  type BudgetState,
  type createExportBody,
  exportTicket,
  isUpdating,
  readBudget,
  responseMeta,
  type ResponseMeta,
  staleReason,
  type StaleReason,
} from "../../contract/response.ts"
import { appRoot } from "../lib/app-root.ts"
import { ApiError, fetchCatalogue, Offline, UnreadableResponse } from "../lib/errors.ts"
import { useRequestBudget } from "../lib/request-budget.ts"
import { learnServerTime } from "../lib/time.ts"
import { lastReads, noteRead } from "../lib/last-reads.ts"
import { newKey } from "../lib/new-key.ts"
import { once } from "../lib/once.ts"

/**
 * A path of Laurel's server from its segments, each encoded, so that an id with `/ ? # %` stays one segment.
 * @throws ApiError 404 for `.` and `..`, which a browser would resolve to another path before sending
 */
export function apiPath(...segments: readonly string[]): string {
  for (const segment of segments) {
    if (/^(\.|%2e){1,2}$/i.test(segment) || segment === "") {
      throw new ApiError({ status: 404, code: "not_found", message: `No record has the id "${segment}".` })
    }
  }
  return `${appRoot}api/${segments.map(encodeURIComponent).join("/")}`
}

/** What a query parameter may be; empty and missing ones are not sent. */
export type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>

/** `?page=2&search=ana`, or nothing. Keys keep their order, so equal queries make equal addresses. */
export function queryText(query: QueryValues | undefined): string {
  const sent = Object.entries(query ?? {}).filter(([, value]) => value != null && value !== "")
  const text = new URLSearchParams(sent.map(([key, value]) => [key, String(value)])).toString()
  return text === "" ? "" : `?${text}`
}

/**
 * Waits until `moment` (ms since the epoch); returns immediately if it has passed.
 * @throws the signal's reason when aborted
 */
export async function notBefore(moment: number, signal?: AbortSignal): Promise<void> {
  const wait = moment - Date.now()
  if (wait <= 0) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, wait)
  try {
    await orAborted(promise, signal)
  } finally {
    clearTimeout(timer)
  }
}

async function orAborted(work: Promise<void>, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => {
    const reason: unknown = signal?.reason
    reject(reason instanceof Error ? reason : new DOMException("Aborted", "AbortError"))
  }
  signal?.addEventListener("abort", stop)
  try {
    await Promise.race([work, aborted])
  } finally {
    signal?.removeEventListener("abort", stop)
  }
}

/** Whether requests have to wait for their turn. */
export const isBudgetSpent = (budgets: readonly BudgetState[]) =>
  budgets.some(({ left, next_in_ms }) => left <= 0 || next_in_ms > 0)

const waits = new Set<{ readonly until: number }>()

function publishWaits(): void {
  useRequestBudget.setState({
    nextRequestAt: waits.size === 0 ? null : Math.min(...[...waits].map(({ until }) => until)),
  })
}

/** Waits for `Retry-After` (seconds) and shows the wait in the budget chip. */
async function waitForBudget(seconds: number, signal?: AbortSignal): Promise<void> {
  const wait = { until: Date.now() + seconds * 1000 }
  waits.add(wait)
  publishWaits()
  try {
    await notBefore(wait.until, signal)
  } finally {
    waits.delete(wait)
    publishWaits()
  }
}

/** Envelope of every response. Gift-card responses carry no `success`, so it is optional. */
const envelope = z.looseObject({ data: z.unknown(), meta: z.optional(z.nullable(responseMeta)) })

function parseResponse<T>(response: Response, text: string, schema: z.ZodMiniType<T>): ApiResponse<T> {
  const { status, headers } = response
  const requestId = headers.get("X-Request-Id") ?? undefined
  const unreadable = (reason: string, cause?: unknown) =>
    new UnreadableResponse(reason, status, requestId, cause)
  let body: unknown
  try {
    body = text === "" ? undefined : parseExact(text)
  } catch (error) {
    throw unreadable("not JSON", error)
  }
  if (!response.ok) {
    const refusal = appError.safeParse(body).data?.error
    if (refusal === undefined) throw unreadable("an error without a code")
    throw new ApiError({ ...refusal, status, retryAfter: secondsOf(headers.get("Retry-After")) })
  }
  const outside = body === undefined ? { data: undefined, meta: undefined } : envelope.safeParse(body).data
  if (outside === undefined) throw unreadable("no data")
  const inside = schema.safeParse(outside.data)
  if (!inside.success) throw unreadable(z.prettifyError(inside.error), inside.error)
  const age = secondsOf(headers.get("Age")) ?? 0
  return {
    data: inside.data,
    meta: outside.meta ?? undefined,
    age,
    at: Date.now() - age * 1000,
    stale: headers.get("X-Laurel-Stale") === "1",
    staleReason: staleReason.safeParse(headers.get("X-Laurel-Stale-Reason")).data,
  }
}

/** A header in whole seconds; undefined if missing, negative or unreadable. */
function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header.trim()) ? Number(header) : undefined
}

/** Id of this tab, sent with writes: events of its changes are skipped here. */
export const tabId = once(newKey)

/** How a read is made. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined
  /** Bypasses every cache: before an effect, or on the refresh button. */
  readonly fresh?: boolean | undefined
  /** The page shows something meanwhile: those who see nothing yet go first. */
  readonly update?: boolean | undefined
}

/** Queries whose update is under way. */
const updating = new WeakSet<object>()

/** Makes a query's read: as an update while the query has something to show, unless `update` is given. */
export async function queryRead<T>(
  { client, queryKey, signal }: QueryFunctionContext,
  { fresh, update = fresh !== true && hasContent(client.getQueryData(queryKey)) }: ReadOptions,
  read: (how: ReadOptions) => Promise<T>,
): Promise<T> {
  const query = client.getQueryCache().find({ queryKey, exact: true })
  if (update && query !== undefined) updating.add(query)
  try {
    return await read({ signal, fresh, update })
  } finally {
    if (query !== undefined) updating.delete(query)
  }
}

/** Gives up an update that is under way: it goes behind others, and a person waits for the same data now. */
export async function endUpdate(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const query = client.getQueryCache().find({ queryKey, exact: true })
  if (query !== undefined && updating.has(query)) await client.cancelQueries({ queryKey, exact: true })
}

/** Fetches what a person waits for, without joining an update. @throws what `request` throws */
export async function fetchAwaited<T, D, K extends QueryKey>(
  client: QueryClient,
  query: FetchQueryOptions<T, Error, D, K>,
): Promise<D> {
  await endUpdate(client, query.queryKey)
  return client.fetchQuery(query)
}

/** Whether a query's data show anything: an empty list may be old, and is waited for. */
function hasContent(data: unknown): boolean {
  const shown: unknown = Object(data).data ?? data
  return shown !== undefined && !(Array.isArray(shown) && shown.length === 0)
}

interface RequestOptions<T> extends ReadOptions {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** From `apiPath`. */
  readonly path: string
  readonly query?: QueryValues | undefined
  readonly body?: unknown
  /** A body that is JSON already, in place of `body`. */
  readonly bodyText?: string | undefined
  /** A read that needs a body; it changes nothing. */
  readonly asks?: boolean
  /** Parses `data`; receives `undefined` for a response without a body. */
  readonly schema: z.ZodMiniType<T>
  /** Sent as `Idempotency-Key`: the same key and body make one effect however often they arrive. */
  readonly idempotencyKey?: string | undefined
  /** Sent as `If-Match`: the version the person saw; a write on another one is refused as a conflict. */
  readonly ifMatch?: string | undefined
  /** The expected user. Refused as signed out if another user has signed in, in another tab. */
  readonly userId?: string | undefined
  /** From `createExport`: the read goes in the background lane, which waits for people. */
  readonly exportId?: string | undefined
  /** `throw` hands a 401 to the caller: only for reading who is signed in, and for signing in. */
  readonly onSessionEnd?: "wait" | "throw" | undefined
}

/** A parsed response. */
export interface ApiResponse<T> {
  readonly data: T
  readonly meta?: ResponseMeta | undefined
  /** Seconds since the service itself responded. */
  readonly age: number
  /** When the service responded, in ms since the epoch by this browser's clock. */
  readonly at: number
  /** Older than the cache time allows. */
  readonly stale: boolean
  readonly staleReason?: StaleReason | undefined
}

/** How long a write waits for the budget before it fails, in ms. A read has no limit. */
const writePatience = 60_000
/** How long reads and repeatable writes wait for Laurel's own database, in ms: a restart takes seconds. */
const storePatience = 10_000

/**
 * Sends a request to Laurel's server and parses the response. Waits for a spent budget (the chip counts down), for a
 * new sign-in after the session ended, and a few seconds for Laurel's database, then sends the request again. That is
 * safe: such a response means that nothing was done, or the request has a key that makes it one effect.
 * @throws ApiError for a refusal, UnreadableResponse, Offline, or the signal's reason
 */
export async function request<T>(options: RequestOptions<T>): Promise<ApiResponse<T>> {
  const { method = "GET", signal } = options
  const waits = options.onSessionEnd !== "throw"
  const started = Date.now()
  for (;;) {
    if (waits && useSessionStatus.getState().hasEnded) await waitForSignIn(signal)
    try {
      const response = await send(options)
      if (!waits || method !== "GET" || !useSessionStatus.getState().hasEnded) return response
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      await beforeRetry(error, options, started)
    }
  }
}

/**
 * Waits until a refused request can be sent again.
 * @throws the refusal when waiting does not help
 */
async function beforeRetry<T>(refusal: ApiError, options: RequestOptions<T>, started: number): Promise<void> {
  const { method = "GET", signal, exportId, update } = options
  const { status, code, retryAfter = 2 } = refusal
  if (status === 401 && code === "session_required" && options.onSessionEnd !== "throw") {
    return waitForSignIn(signal)
  }
  const budgetSpent = code === "budget_spent" || code === "upstream_limited"
  if (budgetSpent && (method === "GET" || Date.now() - started < writePatience)) {
    // Others are sent while an update or an export waits, so no countdown is shown.
    if (exportId === undefined && update !== true) return waitForBudget(retryAfter, signal)
    return notBefore(Date.now() + retryAfter * 1000, signal)
  }
  const repeatable = method === "GET" || options.idempotencyKey !== undefined
  const storeIsBackSoon = code === "store_unavailable" && refusal.retryAfter !== undefined
  if (storeIsBackSoon && repeatable && Date.now() - started < storePatience) {
    return notBefore(Date.now() + retryAfter * 1000, signal)
  }
  // If the catalogue cannot be fetched either, Laurel's own text is shown.
  if (refusal.details?.api !== undefined) await fetchCatalogue().catch(() => {})
  throw refusal
}

/** As `request`, for where only the data of the response counts. */
export async function requestData<T>(options: RequestOptions<T>): Promise<T> {
  return (await request(options)).data
}

async function send<T>(options: RequestOptions<T>): Promise<ApiResponse<T>> {
  const { method = "GET", path, query, body, signal = null } = options
  const { bodyText = body === undefined ? null : JSON.stringify(body) } = options
  const isRead = method === "GET"
  const address = path + queryText(query)
  const headers = new Headers({ Accept: "application/json", ...(isRead ? {} : { "X-Laurel": "1" }) })
  const optional = {
    "Idempotency-Key": options.idempotencyKey,
    "If-Match": options.ifMatch,
    "X-Laurel-Export": options.exportId,
    "X-Laurel-Update": options.update === true ? "1" : undefined,
    "X-Laurel-User": options.userId,
    "X-Laurel-Tab": isRead ? undefined : tabId(),
    "Cache-Control": options.fresh === true ? "no-cache" : undefined,
    "Content-Type": bodyText === null ? undefined : "application/json",
  }
  for (const [name, value] of Object.entries(optional)) if (value !== undefined) headers.set(name, value)
  let response: Response
  let text: string
  try {
    response = await fetch(address, { method, headers, credentials: "same-origin", body: bodyText, signal })
    learnServerTime(response.headers.get("Date"), Date.now())
    text = await response.text()
  } catch (error) {
    signal?.throwIfAborted()
    const earlier = isRead && options.fresh !== true ? await lastReads.earlier?.(address) : undefined
    if (earlier === undefined) throw new Offline(error)
    const age = String(Math.max(0, Math.round((Date.now() - earlier.at) / 1000)))
    return parseResponse(new Response(null, { headers: { Age: age } }), earlier.text, options.schema)
  }
  const budget = readBudget(response.headers.get(budgetHeader))
  if (budget !== undefined) {
    useRequestBudget.setState({ budgets: budget, isLimited: isBudgetSpent(budget) })
  }
  const answered = parseResponse(response, text, options.schema)
  if (isRead) noteRead(address, { text, at: answered.at })
  return answered
}

/** Whether the session ended while the app was open; the sign-in dialog then opens over the page. */
export const useSessionStatus = create(() => ({ hasEnded: false }))

let signedInAgain = Promise.withResolvers<void>()

/**
 * Waits until the user has signed in again. Requests that were refused for an ended session wait here and are sent
 * again, so no input is lost.
 * @throws the reason given to `abandonSession`, or the signal's
 */
export async function waitForSignIn(signal?: AbortSignal): Promise<void> {
  useSessionStatus.setState({ hasEnded: true })
  await orAborted(signedInAgain.promise, signal)
}

/** Continues the requests that waited for the sign-in. */
export function resumeSession(): void {
  endWaiting().resolve()
}

/** Fails the requests that waited for the sign-in with `reason`. */
export function abandonSession(reason: Error): void {
  const waiting = endWaiting()
  // There may be no waiting request.
  waiting.promise.catch(() => undefined)
  waiting.reject(reason)
}

function endWaiting(): PromiseWithResolvers<void> {
  const waiting = signedInAgain
  signedInAgain = Promise.withResolvers()
  useSessionStatus.setState({ hasEnded: false })
  return waiting
}

/** A read with its path in segments: `apiPath` rejects some ids, and the query should fail then. */
type Read<T> = Omit<RequestOptions<T>, "signal" | "path"> & {
  readonly path: readonly string[]
  /** Delay before the request, in ms; a query aborted meanwhile sends nothing. */
  readonly after?: number
  /** Minimum time between two reads, in ms: events may invalidate it more often. */
  readonly gap?: number
}
type QueryDefaults<T> = Omit<UndefinedInitialDataOptions<T>, "queryKey" | "queryFn">

/** Query options for a read; the data are the whole response with age and total. */
export function responseQuery<T>(queryKey: QueryKey, read: Read<T>, how: QueryDefaults<ApiResponse<T>> = {}) {
  return queryOptions({
    ...how,
    queryKey,
    queryFn: (context) => inTime(read, context),
  })
}

/** Query options for a read; the data are the response's `data`. */
export function dataQuery<T>(queryKey: QueryKey, read: Read<T>, how: QueryDefaults<T> = {}) {
  return queryOptions({
    ...how,
    queryKey,
    queryFn: async (context) => (await inTime(read, context)).data,
  })
}

async function inTime<T>(read: Read<T>, context: QueryFunctionContext) {
  const { client, queryKey, signal } = context
  const { path, after = 0, gap, ...options } = read
  const readAt = client.getQueryState(queryKey)?.dataUpdatedAt ?? 0
  return queryRead(context, read, async (how) => {
    await notBefore(gap === undefined ? Date.now() + after : readAt + gap, signal)
    return request({ ...options, path: apiPath(...path), ...how })
  })
}

/**
 * The query cache. Responses are fresh for 30 s, as on the server for lists and members (docs/api/laurel.md, Reads of the services).
 * Mutations are never retried or resumed automatically.
 */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: ({ state }) => (isUpdating(staleReasonOf(state.data)) ? 0 : 30_000),
        gcTime: 10 * 60_000,
        retry,
        retryDelay: 1000,
        networkMode: "always",
        refetchInterval: ({ state }) => staleRefetchInterval(state.data),
        refetchOnReconnect: true,
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  })
}

/**
 * Refetch interval for stale responses, in ms. While the server is updating, a refetch joins its request and costs
 * nothing.
 */
const staleEvery = { updating: 2000, failed: 30_000 }

function staleRefetchInterval(data: unknown): number | false {
  const reason = staleReasonOf(data)
  if (reason === undefined) return false
  return isUpdating(reason) ? staleEvery.updating : staleEvery.failed
}

/** The stale reason of any query's data; undefined if the data are not a response. */
function staleReasonOf(data: unknown): { staleReason: StaleReason } | undefined {
  const reason = staleReason.safeParse(Object(data).staleReason).data
  return reason && { staleReason: reason }
}

/** Retries network failures and a proxy's error pages twice, 502 and 504 once; a refusal is final. */
function retry(failures: number, error: Error): boolean {
  // A proxy sends its own page while the instance that it asked is replaced.
  const isProxyPage = error instanceof UnreadableResponse && [502, 503, 504].includes(error.status)
  if (error instanceof Offline || isProxyPage) return failures < 2
  return error instanceof ApiError && [502, 504].includes(error.status) && failures < 1
}

/** Requests the right to export, which the audit log records. The id goes with each page that is read. */
export async function createExport(body: z.input<typeof createExportBody>, signal: AbortSignal) {
  return (await requestData({ method: "POST", path: apiPath("exports"), body, schema: exportTicket, signal }))
    .id
}
