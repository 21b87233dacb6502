import { plainNumber } from "../../../contract/orders.ts"
import { orderConflict, orderUpdateRow, storedOrderUpdate } from "../../../contract/kinds/order-update.ts"
import { limits } from "../../../contract/limits.ts"
import {
  type Order,
  orderListReader,
  orderReader,
  shipmentOf,
  withShipment,
} from "../../../contract/program/order.ts"
import type { AppEvent } from "../../../contract/events.ts"
import { planById } from "../../gateway/upstream-read.ts"
import { recogniseNumbers } from "../../orders/carriers.ts"
import { cachedOrders } from "../../orders/tracking-numbers.ts"
import { readBody } from "../../validation.ts"
import { changeInBatches, rowBatches } from "../engine-context.ts"
import {
  type FoundEffect,
  type JobContext,
  type KindRules,
  type Precheck,
  rowRequest,
  typedId,
} from "../job-kind.ts"
import type { RowRecord } from "../job-store.ts"
import { comparedFields, type ComparedNotes, type Values } from "./compared-fields.ts"
import { isSingleOrShipDesk } from "../job-record.ts"
import { noRecord, readsFor, refusal, refusedRead, requirePathId } from "../service-reads.ts"
import { updatePlanned } from "../transitions.ts"

/**
 * Changes of orders (docs/api/program.md, Orders). Orders have no version, so each is read right before sending: a
 * change since the person saw it is a conflict, and only fields that differ are sent (docs/orders.md).
 */
export const orderUpdate: KindRules<OrderNotes> = {
  kind: "order-update",
  defaults: async ({ reads }) => ({
    isRecordId: (id) => cachedOrders(reads.cachedWithTag("orders")).has(id),
  }),
  newRow(raw, defaults) {
    const read = readBody(raw, orderUpdateRow)
    const label = typedId(read.order_id, "order_id", defaults)
    const input = { ...read, order_id: label }
    requirePathId("order_id", label)
    return { input, label }
  },
  prepare: noteSeenOrders,
  precheck: compareBeforeSending,
  request: (_, row) =>
    rowRequest("PATCH /orders/{order_id}", compared.sentBefore(row).send, { order_id: idOf(row) }),
  readResponse(data, row) {
    const read = orderReader.read(data)
    if (!read.ok || read.value.order_id !== idOf(row)) return undefined
    return compared.isAtTarget(wantedOf(row), fieldsOf(read.value))
      ? { upstreamId: idOf(row), balanceAfter: null }
      : undefined
  },
  // No claim of effects: several rows may update the same order.
  claims: { whileSent: (row) => ({ scope: "program:order-update", key: row.label ?? "" }) },
  lookup: (context, row) =>
    compared.lookUp(context, row, comparedRow(context, row), (now) => foundAt(row, now)).catch(noRecord),
  absence: "settled",
  resendSafety: "compared",
  maxCalls: 4,
  // Repeated values have no second effect, and the order is compared before each send.
  resends: 3,
  messages: { absent: "not_changed", missing: "order_not_found" },
  audit: {
    on: ({ label }) => ({ kind: "order", id: label ?? "", label: null }),
    changes(row) {
      const { base, send } = compared.sentBefore(row)
      const wanted = { ...send, ...wantedOf(row) }
      return orderFields.flatMap((field) =>
        wanted[field] === undefined ? [] : [{ field, from: base[field] ?? null, to: wanted[field] }],
      )
    },
  },
  cache: {
    topics: ["orders"],
    invalidates: () => ({ evict: [], stale: ["orders"] }),
    response: cacheOrder,
  },
  view({ state, notes }) {
    if (state !== "conflict") return {}
    const sides = orderConflict.safeParse({ ...notes, changed_by: notes?.["changed_by"] ?? undefined })
    return sides.success ? { conflict: sides.data } : {}
  },
}

/** Caches the order in a response, also in the lists that show it. */
function cacheOrder(
  context: JobContext,
  row: RowRecord,
  data: unknown,
  requestedAt: number,
): AppEvent | undefined {
  const read = orderReader.read(data)
  if (!read.ok || read.value.order_id !== idOf(row)) return undefined
  const { status, tracking_number, carrier } = fieldsOf(read.value)
  if (status === undefined) return undefined
  const order = { status, tracking_number: tracking_number ?? "", carrier: carrier ?? "" }
  context.reads.cacheWritten(orderPlan(row), read.value, requestedAt, {
    tag: "orders",
    rowOf: (cached) =>
      typeof cached === "object" && cached !== null && Reflect.get(cached, "order_id") === idOf(row)
        ? withShipment(cached, order)
        : cached,
    moved: compared.sentBefore(row).send.status === undefined ? [] : ["status"],
  })
  return { topic: "orders", id: idOf(row), order }
}

/** The fields of an order that Laurel changes, compares and finds conflicts in. */
export const orderFields = ["status", "tracking_number", "carrier"] as const

type OrderField = (typeof orderFields)[number]
export type OrderFields = Values<OrderField>
type OrderNotes = ComparedNotes<OrderField>

const compared = comparedFields(orderFields, {
  compares: "every field",
  isComplete: ({ status }) => status !== undefined,
})
export const { judge: judgeOrder, trace: traceInOrder } = compared

const rowsForPage = 20

/** Stores the initial state of orders for rows without `expected`. Orders not on these pages are read when sent. */
async function noteSeenOrders(context: JobContext): Promise<void> {
  const { job, store } = context
  const unseen: RowRecord[] = []
  for await (const rows of rowBatches(store.jobs, job.id))
    unseen.push(...rows.filter((row) => row.notes === null && row.attempts === 0 && !hasExpected(row)))
  const waiting = Map.groupBy(unseen, idOf)
  for (let page = 1; page <= Math.floor(unseen.length / rowsForPage) && waiting.size > 0; page += 1) {
    const plan = planById("GET /orders", {}, { page, per_page: limits.perPage.max })
    const { data } = await readsFor(context).read(plan)
    const orders = orderListReader.tolerant.parse(data)
    const changes = orders.flatMap((order) =>
      (waiting.get(order.order_id) ?? []).map((row) =>
        updatePlanned(row, { notes: { seen: fieldsOf(order) } satisfies Partial<OrderNotes> }),
      ),
    )
    for (const { order_id } of orders) waiting.delete(order_id)
    await changeInBatches(store.jobs, job.id, changes)
    if (orders.length < limits.perPage.max) return
  }
}

function hasExpected({ input }: RowRecord): boolean {
  return readBody(input, storedOrderUpdate).expected !== undefined
}

/** A new tracking number without a carrier gets its recognised carrier or none, not that of the old number. */
async function withItsCarrier(
  context: JobContext,
  wanted: OrderFields,
  now: OrderFields,
): Promise<OrderFields> {
  const { tracking_number: number = "", carrier } = wanted
  const inheritsCarrier = carrier === undefined && now.carrier
  if (!inheritsCarrier || number === "" || !now.tracking_number) return wanted
  if (plainNumber(number) === plainNumber(now.tracking_number)) return wanted
  const { found, carriers } = await recogniseNumbers(context, [number])
  const chosen = carriers.find(({ code }) => code === found[0]?.chosen)
  return { ...wanted, carrier: chosen?.name ?? "" }
}

/** How long a person's own read of a single order is reused, in ms, for example after a scan. */
const scanReadMs = 15_000

async function compareBeforeSending(context: JobContext, row: RowRecord): Promise<Precheck<OrderNotes>> {
  const of = comparedRow(context, row)
  const { wanted, seen } = of
  try {
    const { job, reads } = context
    const recent = reads.recent(orderPlan(row), isSingleOrShipDesk(job) ? scanReadMs : undefined)
    let now = recent === undefined ? await of.read() : fieldsOf(orderReader.tolerant.parse(recent.data))
    let verdict = judgeOrder({ seen, now, wanted })
    // Read again before reporting a conflict, skipping the send, or using an incomplete response.
    const isUnsure = recent !== undefined && verdict.kind === "done"
    if (isUnsure || verdict.kind === "conflict" || now.status === undefined) {
      now = await of.read()
      verdict = judgeOrder({ seen, now, wanted })
    }
    // Clears an earlier conflict.
    const over = { before: null, theirs: null, yours: null }
    if (verdict.kind === "go") {
      const send = compared.toSend(await withItsCarrier(context, wanted, now), now)
      return { kind: "go", notes: { base: now, send, ...over } }
    }
    if (verdict.kind === "done")
      return { kind: "done", done: { upstreamId: idOf(row), balanceAfter: null, notes: { base: now } } }
    return await compared.conflict(context, row, of, now)
  } catch (error) {
    return refusal(row, refusedRead(error, "order_not_found"))
  }
}

function comparedRow(context: JobContext, row: RowRecord) {
  return {
    wanted: wantedOf(row),
    seen: compared.seenBefore(row, readBody(row.input, storedOrderUpdate).expected),
    read: () => readOrder(context, row),
    on: { kind: "order", id: idOf(row) },
  } as const
}

function foundAt(row: RowRecord, { status, tracking_number }: OrderFields): FoundEffect {
  return { upstreamId: idOf(row), text: status, reference: tracking_number, tagged: true }
}

/** Throws AppError. */
async function readOrder(context: JobContext, row: RowRecord): Promise<OrderFields> {
  const { data } = await readsFor(context).read(orderPlan(row))
  return fieldsOf(orderReader.tolerant.parse(data))
}

function orderPlan(row: Pick<RowRecord, "input">) {
  return planById("GET /orders/{order_id}", { order_id: idOf(row) })
}

function idOf(row: Pick<RowRecord, "input">): string {
  return readBody(row.input, storedOrderUpdate).order_id
}

/** Missing shipment fields count as empty; a missing status means an incomplete order. */
function fieldsOf(order: Order): OrderFields {
  const { tracking_number = "", carrier = "" } = shipmentOf(order)
  const { status } = order
  return { ...(typeof status === "string" && { status }), tracking_number, carrier }
}

function wantedOf(row: Pick<RowRecord, "input">): OrderFields {
  const input = readBody(row.input, storedOrderUpdate)
  return compared.pick((field) => input[field])
}
