import * as z from "zod/mini"
import type { DeskMeta } from "../../../contract/desk/answer.ts"
import type { Api } from "../../../contract/desk/status.ts"
import type { Drift } from "../../../contract/drift.ts"
import { paginationMeta } from "../../../contract/program/envelope.ts"
import type { Copy } from "../cache/cache.ts"
import { roughSize } from "../cache/rough-size.ts"
import type { UpstreamOutcome } from "../ports.ts"
import type { ReadPlan } from "./read-plan.ts"
import { serviceRefusal, troubleFailure, unreadable } from "./service-refusal.ts"

/** The outside of a success answer; what stands in `meta` is looked at by itself, so that it spoils nothing. */
const envelope = z.looseObject({
  success: z.optional(z.literal(true)),
  data: z.unknown(),
  meta: z.optional(z.unknown()),
})

/** When a call was made. */
export interface CallTimes {
  /** Monotonic ms. */
  readonly askedAt: number
  readonly answeredAt: number
}

/**
 * Turns how a read ended into a copy of its answer, and lists how it differs from the document.
 * @throws DeskFailure for everything that is not a usable answer
 */
export function readCopy(
  plan: ReadPlan,
  outcome: UpstreamOutcome,
  times: CallTimes,
): { copy: Copy; drift: readonly Drift[] } {
  const { api, reader, shape } = plan.operation
  if (outcome.kind !== "answer") throw troubleFailure(api, outcome)
  if (outcome.status < 200 || outcome.status > 299) throw serviceRefusal(api, outcome.status, outcome.body)
  const outside = envelope.safeParse(outcome.body)
  if (!outside.success) throw unreadable(api, outcome.status, "another shape than documented")
  const inside = reader.read(outside.data.data)
  if (!inside.ok) throw unreadable(api, outcome.status, inside.reason)
  const { meta, drift } = readMeta(shape, outside.data.meta, plan.asked)
  const copy: Copy = {
    data: inside.value,
    meta,
    ...times,
    at: outcome.endedAt,
    tags: plan.tags,
    size: sizeOf(inside.value, api, outcome.status),
    views: new Map(),
  }
  return { copy, drift: drift === undefined ? inside.drift : [...inside.drift, drift] }
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
  const came = raw === undefined || raw === null ? "missing" : "another form"
  return { meta: asked, drift: { field: "meta", said: "page, per_page, total", came } }
}
