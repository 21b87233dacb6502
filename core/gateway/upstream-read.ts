import * as z from "zod/mini"
import type { Drift } from "../../contract/drift.ts"
import { limits } from "../../contract/limits.ts"
import { paginationMeta } from "../../contract/program/common.ts"
import type { DeskMeta } from "../../contract/response.ts"
import { saysFailed } from "../../contract/service-error.ts"
import type { Api } from "../../contract/status.ts"
import type { Lane } from "../budget/rate-limiter.ts"
import type { CachedResponse } from "../cache/cache.ts"
import { roughSize } from "../cache/rough-size.ts"
import type { DriftLog } from "./drift-log.ts"
import { foundNoPermit, type Requester, type ServiceCaller } from "./caller.ts"
import { readFailure, serviceRefusal, unreadable } from "./outcome.ts"
import { fillPath, fillTag, operationById } from "../match.ts"
import type { ReadOperation } from "../policy.ts"
import type { Clock, UpstreamOutcome } from "../ports.ts"
import { canonicalQuery } from "../validation.ts"

/** One read of one thing: what is sent, under which key it is kept, and which writes make it old. */
export interface ReadPlan {
  readonly operation: ReadOperation
  readonly path: string
  readonly query: URLSearchParams
  readonly key: string
  readonly tags: readonly string[]
  /** Where a list stands by what was asked, for lists whose answers do not say. */
  readonly asked: DeskMeta | undefined
}

/**
 * Plans a read.
 * @throws DeskFailure 400 for an id that a path cannot hold
 */
export function planRead(
  operation: ReadOperation,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, unknown>> = {},
): ReadPlan {
  const path = fillPath(operation.path, params)
  const sent = canonicalQuery(query)
  return {
    operation,
    path,
    query: sent,
    key: keyOf(operation.api, path, sent.toString()),
    tags: (operation.tags ?? []).map((tag) => fillTag(tag, params)),
    asked: operation.shape === "page" || operation.shape === "open-page" ? askedMeta(sent) : undefined,
  }
}

/** The name under which an answer is kept. */
export function keyOf(api: Api, path: string, query: string): string {
  return `${api} ${path}?${query}`
}

/** Plans a read of an operation by its document's name. */
export function planById(
  id: string,
  params: Readonly<Record<string, string>>,
  query?: Readonly<Record<string, unknown>>,
): ReadPlan {
  const operation = operationById(id)
  if (operation.kind !== "read") throw new Error(`${id} is not a read.`)
  return planRead(operation, params, query)
}

function askedMeta(query: URLSearchParams): DeskMeta {
  return {
    page: Number(query.get("page") ?? 1),
    per_page: Number(query.get("per_page") ?? limits.perPage.default),
  }
}

/** The outside of a success answer; what stands in `meta` is looked at by itself, so that it spoils nothing. */
const envelope = z.looseObject({
  success: z.optional(z.literal(true)),
  data: z.unknown(),
  meta: z.optional(z.unknown()),
})

/** What a read is for. */
type ReadUse = "screens" | "money"

/** When a call was made. */
interface CallTimes {
  /** Monotonic ms. */
  readonly askedAt: number
  readonly answeredAt: number
}

/**
 * Turns how a read ended into a copy of its answer, and lists how it differs from the document.
 * @param use `money` for what is looked up to settle a row: a field of another basic type makes the answer unusable;
 *   for `screens` it is shown as far as that goes
 * @throws DeskFailure for everything that is not a usable answer
 */
export function parseResponse(
  plan: ReadPlan,
  outcome: UpstreamOutcome,
  times: CallTimes,
  use: ReadUse,
): { response: CachedResponse; drift: readonly Drift[] } {
  const { api } = plan.operation
  if (outcome.kind !== "answer" || outcome.status < 200 || outcome.status > 299)
    throw readFailure(api, outcome)
  const { data, meta, size, views, drift } = readOnce(plan, outcome.status, outcome.body, use)
  const { askedAt, answeredAt } = times
  const response = { data, meta, askedAt, answeredAt, at: outcome.endedAt, tags: plan.tags, size, views }
  return { response, drift }
}

/** What an answer was read as: all of a copy that does not depend on when it was asked. */
interface Content extends Pick<CachedResponse, "data" | "meta" | "size" | "views"> {
  readonly drift: readonly Drift[]
}

/** Answers that were read. The upstream hands out the same object for an answer that came again byte for byte. */
const known = new WeakMap<
  object,
  { readonly plan: ReadPlan; readonly use: ReadUse; readonly content: Content }
>()

function readOnce(plan: ReadPlan, status: number, body: unknown, use: ReadUse): Content {
  if (typeof body !== "object" || body === null) return readBody(plan, status, body, use)
  const before = known.get(body)
  const isSame = before?.plan.key === plan.key && before.plan.operation === plan.operation
  if (isSame && before.use === use) return before.content
  const content = readBody(plan, status, body, use)
  known.set(body, { plan, use, content })
  return content
}

function readBody(plan: ReadPlan, status: number, body: unknown, use: ReadUse): Content {
  const { api, reader, shape } = plan.operation
  if (saysFailed(body)) throw serviceRefusal(api, status, body)
  const outside = envelope.safeParse(body)
  if (!outside.success) throw unreadable(api, status, "a different format than documented")
  const inside = use === "money" ? reader.read(outside.data.data) : reader.show(outside.data.data)
  if (!inside.ok) throw unreadable(api, status, inside.reason)
  const { meta, drift } = readMeta(shape, outside.data.meta, plan.asked)
  return {
    data: inside.value,
    meta,
    size: sizeOf(inside.value, api, status),
    views: new Map(),
    drift: drift === undefined ? inside.drift : [...inside.drift, drift],
  }
}

/** The size of what was read. What is nested too deep to be walked is no record of the service. */
function sizeOf(value: unknown, api: Api, status: number): number {
  try {
    return roughSize(value)
  } catch (error) {
    if (error instanceof RangeError) throw unreadable(api, status, "nested too deep")
    throw error
  }
}

function readMeta(
  shape: ReadPlan["operation"]["shape"],
  raw: unknown,
  asked: DeskMeta | undefined,
): { meta: DeskMeta | undefined; drift?: Drift } {
  if (shape !== "page") return { meta: asked }
  const parsed = paginationMeta.safeParse(raw)
  if (parsed.success) return { meta: parsed.data }
  const came = raw === undefined || raw === null ? "missing" : "a different format"
  return { meta: asked, drift: { field: "meta", said: "page, per_page, total", came } }
}

/** How long a read waits for a place in the budget, in ms. */
export const permitWaitMs = 20_000

/** What a fetch stands on. */
export interface FetchDeps {
  readonly caller: ServiceCaller
  readonly clock: Clock
  readonly drift: DriftLog
}

/** How one fetch is made. */
export interface FetchOptions {
  readonly person: Requester
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
export async function fetchResponse(
  deps: FetchDeps,
  plan: ReadPlan,
  options: FetchOptions,
): Promise<CachedResponse> {
  const { clock, caller, drift } = deps
  const deadline = clock.monotonic() + permitWaitMs
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
  const found = parseResponse(plan, outcome, times, "screens")
  drift.add(plan.operation.api, plan.operation.id, found.drift)
  return found.response
}

function mayPass(outcome: UpstreamOutcome): boolean {
  if (outcome.kind === "no_answer") return true
  return (outcome.kind === "answer" || outcome.kind === "unreadable") && outcome.status >= 500
}
