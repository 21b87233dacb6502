import * as z from "zod/mini"
import { type Drift, readField } from "../../contract/reading.ts"
import { limits } from "../../contract/limits.ts"
import { paginationMeta } from "../../contract/program/common.ts"
import type { Api, ResponseMeta } from "../../contract/response.ts"
import { readFailure, isFailureEnvelope, serviceRefusal, unreadable } from "./upstream-errors.ts"
import { roughSize, type CachedResponse } from "../cache/cache.ts"
import { fillPath, fillTag, operationById } from "../match.ts"
import type { Operation, ReadOperation } from "../policy.ts"
import type { Clock, UpstreamResult } from "../ports.ts"
import type { DriftLog } from "../status/monitor.ts"
import { canonicalQuery } from "../validation.ts"
import { isPermitTimeout, type ServiceCall, type ServiceCaller } from "./caller.ts"

/** One read of one thing: what is sent, under which key it is cached, and which writes make it old. */
export interface ReadPlan {
  readonly operation: ReadOperation
  readonly params: Readonly<Record<string, string>>
  readonly path: string
  readonly query: URLSearchParams
  readonly key: string
  readonly tags: readonly string[]
  /** Position in a list by the request, for lists whose responses have none. */
  readonly requestedMeta: ResponseMeta | undefined
}

/** Plans a read. @throws AppError 400 for an id that a path cannot hold */
export function planRead(
  operation: ReadOperation,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, unknown>> = {},
): ReadPlan {
  const path = fillPath(operation.path, params)
  const sent = canonicalQuery(query)
  const isPaged = operation.shape === "page" || operation.shape === "open-page"
  return {
    operation,
    params,
    path,
    query: sent,
    key: `${operation.api} ${path}?${sent.toString()}`,
    tags: (operation.tags ?? [])
      .map((tag) => fillTag(tag, params))
      .flatMap((tag) => (sent.has("search") ? [tag, searchesOf(tag)] : tag)),
    requestedMeta: isPaged
      ? {
          page: Number(sent.get("page") ?? 1),
          per_page: Number(sent.get("per_page") ?? limits.perPage.default),
        }
      : undefined,
  }
}

/** The tag of the searches among the lists of a tag: a record that was made or renamed is evicted from them. */
export const searchesOf = (tag: string) => `${tag}:search`

export function planById(
  id: string,
  params: Readonly<Record<string, string>>,
  query?: Readonly<Record<string, unknown>>,
): ReadPlan {
  const operation = operationById(id)
  if (operation.kind !== "read") throw new Error(`${id} is not a read.`)
  return planRead(operation, params, query)
}

export const memberOperation = "GET /members/{member_id}"

export function memberPlan(id: string): ReadPlan {
  return planById(memberOperation, { member_id: id })
}

/** How long a read waits for a permit, in ms. */
export const permitWaitMs = 20_000

export type FetchDeps = Readonly<{ caller: ServiceCaller; clock: Clock; drift: DriftLog }>

/** How one fetch is made; its lane is `people` unless it says otherwise. */
export type FetchOptions = Pick<ServiceCall, "person" | "signal" | "onSending" | "isUpdate"> &
  Partial<Pick<ServiceCall, "lane">>

/** Reads from the service, with one retry after no response or a fault. @throws AppError; the signal's reason */
export async function fetchResponse(
  { clock, caller, drift }: FetchDeps,
  plan: ReadPlan,
  options: FetchOptions,
): Promise<CachedResponse> {
  const { operation, path, query } = plan
  const { id, api } = operation
  const deadline = clock.monotonic() + permitWaitMs
  const send = async () => {
    const requestedAt = clock.monotonic()
    const call = { operation: id, api, method: "GET", path, query, lane: "people", deadline } as const
    const result = await caller.send({ ...call, ...options })
    return { result, requestedAt, answeredAt: clock.monotonic() }
  }

  let sent = await send()
  if (mayPass(sent.result) && clock.monotonic() < deadline) {
    const first = sent
    sent = await send().catch((error: unknown) => {
      // No permit for a second attempt: what the first one met is what there is to say.
      if (isPermitTimeout(error)) return first
      throw error
    })
  }
  const found = parseResponse(plan, sent.result, sent, "screens")
  drift.add(api, id, found.drift)
  return found.response
}

function mayPass(result: UpstreamResult): boolean {
  if (result.kind === "no_answer") return true
  return (result.kind === "answer" || result.kind === "unreadable") && result.status >= 500
}

/** The envelope of a success; `meta` is parsed separately, so that a bad one does not spoil the data. */
const envelope = z.looseObject({
  success: z.optional(z.literal(true)),
  data: z.unknown(),
  meta: z.optional(z.unknown()),
})

/**
 * Parses how a read ended, and lists how the response differs from the document. For `money`, to reconcile a row, a
 * field of another basic type makes it unusable; for `screens` it is shown as far as that goes. @throws AppError
 */
export function parseResponse(
  { operation, params, query, requestedMeta, tags }: ReadPlan,
  result: UpstreamResult,
  times: { readonly requestedAt: number; readonly answeredAt: number },
  use: "screens" | "money",
): { response: CachedResponse; drift: readonly Drift[] } {
  const { api, reader, shape } = operation
  if (result.kind !== "answer" || result.status < 200 || result.status > 299) throw readFailure(api, result)
  const { status, body } = result
  if (isFailureEnvelope(body)) throw serviceRefusal(api, status, body)
  const outside = envelope.safeParse(body)
  if (!outside.success) throw unreadable(api, status, "a different format than documented")
  const inside = use === "money" ? reader.read(outside.data.data) : reader.show(outside.data.data)
  if (!inside.ok) throw unreadable(api, status, inside.reason)
  if (!isAboutRequested(operation, params, inside.value) || !isNarrowed(operation, query, inside.value))
    throw unreadable(api, status, "a different record than requested")
  const { meta, drift } =
    shape === "page" ? parseMeta(outside.data.meta, requestedMeta) : { meta: requestedMeta }
  const { requestedAt, answeredAt } = times
  const data = inside.value
  const size = sizeOf(data, api, status)
  return {
    response: { data, meta, requestedAt, answeredAt, at: result.endedAt, tags, size },
    drift: drift === undefined ? inside.drift : [...inside.drift, drift],
  }
}

/**
 * Whether a response is about the record that its path names: a wrong cache, or a wrong service, answers with another
 * one. The id itself has to be there; an empty list is about nothing else.
 */
export function isAboutRequested(
  { identifiedBy }: Operation,
  params: ReadPlan["params"],
  data: unknown,
): boolean {
  if (identifiedBy === undefined) return true
  const ids = Object.values(params)
  const rows: readonly unknown[] = Array.isArray(data) ? data : [data]
  return rows.every((row) => ids.every((id) => identifiedBy.some((field) => readField(row, field) === id)))
}

/** Whether no row of a list names another record than the one that the list was narrowed to. */
function isNarrowed({ narrowedBy = [] }: ReadOperation, query: URLSearchParams, data: unknown): boolean {
  const rows: readonly unknown[] = Array.isArray(data) ? data : []
  return narrowedBy.every((field) => {
    const wanted = query.get(field)
    return wanted === null || rows.every((row) => (readField(row, field) ?? wanted) === wanted)
  })
}

/** What is nested too deep to be walked is no record of the service. */
function sizeOf(value: unknown, api: Api, status: number): number {
  try {
    return roughSize(value)
  } catch (error) {
    if (error instanceof RangeError) throw unreadable(api, status, "nested too deep")
    throw error
  }
}

function parseMeta(
  raw: unknown,
  requestedMeta: ResponseMeta | undefined,
): { meta: ResponseMeta | undefined; drift?: Drift } {
  const parsed = paginationMeta.safeParse(raw)
  if (parsed.success) return { meta: parsed.data }
  const kind = raw === undefined || raw === null ? "empty" : "other"
  return { meta: requestedMeta, drift: { field: "meta", kind } }
}
