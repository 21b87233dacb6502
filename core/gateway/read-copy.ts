import * as z from "zod/mini"
import type { DeskMeta } from "../../contract/response.ts"
import type { Api } from "../../contract/status.ts"
import type { Drift } from "../../contract/drift.ts"
import { saysFailed } from "../../contract/service-error.ts"
import { paginationMeta } from "../../contract/program/common.ts"
import type { Copy } from "../cache/cache.ts"
import { roughSize } from "../cache/rough-size.ts"
import type { UpstreamOutcome } from "../ports.ts"
import type { ReadPlan } from "./read-plan.ts"
import { readFailure, serviceRefusal, unreadable } from "./service-refusal.ts"

/** The outside of a success answer; what stands in `meta` is looked at by itself, so that it spoils nothing. */
const envelope = z.looseObject({
  success: z.optional(z.literal(true)),
  data: z.unknown(),
  meta: z.optional(z.unknown()),
})

/** What a read is for. */
export type ReadUse = "screens" | "money"

/** When a call was made. */
export interface CallTimes {
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
export function readCopy(
  plan: ReadPlan,
  outcome: UpstreamOutcome,
  times: CallTimes,
  use: ReadUse,
): { copy: Copy; drift: readonly Drift[] } {
  const { api } = plan.operation
  if (outcome.kind !== "answer" || outcome.status < 200 || outcome.status > 299)
    throw readFailure(api, outcome)
  const { data, meta, size, views, drift } = readOnce(plan, outcome.status, outcome.body, use)
  const { askedAt, answeredAt } = times
  const copy = { data, meta, askedAt, answeredAt, at: outcome.endedAt, tags: plan.tags, size, views }
  return { copy, drift }
}

/** What an answer was read as: all of a copy that does not depend on when it was asked. */
interface Content extends Pick<Copy, "data" | "meta" | "size" | "views"> {
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
