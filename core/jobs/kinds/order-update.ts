import { plainNumber } from "../../../contract/orders.ts"
import {
  orderBaseline,
  type OrderBaseline,
  orderConflict,
  orderUpdateRow,
} from "../../../contract/kinds/order-update.ts"
import { limits } from "../../../contract/limits.ts"
import {
  type Order,
  orderListReader,
  orderReader,
  shipmentOf,
  withShipment,
} from "../../../contract/program/order.ts"
import { rowOutcome } from "../../../contract/row-outcomes.ts"
import type { AppEvent } from "../../../contract/status.ts"
import { planById } from "../../gateway/upstream-read.ts"
import { recogniseNumbers } from "../../orders/carriers.ts"
import { cachedOrders } from "../../orders/tracking-numbers.ts"
import { readBody } from "../../validation.ts"
import { changeInBatches, rowBatches } from "../engine-context.ts"
import {
  type FoundEffect,
  type JobContext,
  type KindRules,
  type Lookup,
  neverSentHere,
  type Precheck,
  rowRequest,
  typedId,
  unnamedSuccess,
} from "../job-kind.ts"
import type { RowRecord } from "../job-store.ts"
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
  request: (_, row) => rowRequest("PATCH /orders/{order_id}", sentBefore(row).send, { order_id: idOf(row) }),
  readResponse(data, row) {
    const read = orderReader.read(data)
    if (!read.ok || read.value.order_id !== idOf(row)) return undefined
    return isAtTarget(wantedOf(row), fieldsOf(read.value))
      ? { upstreamId: idOf(row), balanceAfter: null }
      : undefined
  },
  // No claim of effects: several rows may update the same order.
  claims: { whileSent: (row) => ({ scope: "program:order-update", key: row.label ?? "" }) },
  lookup: (context, row) => lookUpOrder(context, row).catch(noRecord),
  absence: "settled",
  resendSafety: "compared",
  maxCalls: 4,
  // Repeated values have no second effect, and the order is compared before each send.
  resends: 3,
  messages: { absent: "not_changed", missing: "order_not_found" },
  audit: {
    on: ({ label }) => ({ kind: "order", id: label ?? "", label: null }),
    changes(row) {
      const { base, send } = sentBefore(row)
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
    moved: sentBefore(row).send.status === undefined ? [] : ["status"],
  })
  return { topic: "orders", id: idOf(row), order }
}

/** The fields of an order that Laurel changes, compares and finds conflicts in. */
export const orderFields = ["status", "tracking_number", "carrier"] as const

type OrderField = (typeof orderFields)[number]
/** Empty text: no value. Missing: not sent by the service, or not to be changed. */
export type OrderFields = Readonly<Partial<Record<OrderField, string>>>

/** The order at the job's start, before the last send, and what was sent; the sides of a conflict. Null: cleared. */
type OrderNotes = Readonly<
  Record<"seen" | "base" | "send" | "before" | "theirs" | "yours", OrderFields | null> & {
    changed_by: { readonly name: string; readonly at: string } | null
  }
>
type Sides<Name extends string> = Readonly<Record<Name, OrderFields>>
type OrderVerdict =
  { readonly kind: "done" | "conflict" } | { readonly kind: "go"; readonly send: OrderFields }

/**
 * Compares the current order with what the person saw (docs/orders.md, Comparing). A field with neither
 * its seen nor its wanted value was changed by someone else; unseen fields are not compared.
 */
export function judgeOrder({ seen, now, wanted }: Sides<"seen" | "now" | "wanted">): OrderVerdict {
  if (isAtTarget(wanted, now)) return { kind: "done" }
  const inOrder = (field: OrderField) => [undefined, seen[field], wanted[field]].includes(now[field])
  if (!orderFields.every((field) => seen[field] === undefined || inOrder(field))) return { kind: "conflict" }
  return { kind: "go", send: fieldsToSend(wanted, now) }
}

function fieldsToSend(wanted: OrderFields, now: OrderFields): OrderFields {
  return pickFields((field) => (wanted[field] === now[field] ? undefined : wanted[field]))
}

/**
 * Classifies an order after a change without a usable response; `base` was read before `send` was sent. `not_done`: each
 * sent field has its old or its new value, but not all are new; `untold`: a sent field is missing.
 */
export function traceInOrder({ base, send, now, wanted }: Sides<"base" | "send" | "now" | "wanted">) {
  if (isAtTarget(wanted, now)) return "done"
  const sent = orderFields.filter((field) => send[field] !== undefined)
  if (sent.some((field) => now[field] === undefined)) return "untold"
  const isAsBefore = sent.every((field) => now[field] === base[field] || now[field] === send[field])
  return isAsBefore ? "not_done" : "changed"
}

function isAtTarget(wanted: OrderFields, now: OrderFields): boolean {
  return orderFields.every((field) => wanted[field] === undefined || wanted[field] === now[field])
}

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
  return readBody(input, orderUpdateRow).expected !== undefined
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
  const wanted = wantedOf(row)
  const seen = seenBefore(row)
  try {
    const { job, reads } = context
    const recent = reads.recent(orderPlan(row), isSingleOrShipDesk(job) ? scanReadMs : undefined)
    let now =
      recent === undefined ? await readOrder(context, row) : fieldsOf(orderReader.tolerant.parse(recent.data))
    let verdict = judgeOrder({ seen, now, wanted })
    // Read again before reporting a conflict, skipping the send, or using an incomplete response.
    const isUnsure = recent !== undefined && verdict.kind === "done"
    if (isUnsure || verdict.kind === "conflict" || now.status === undefined) {
      now = await readOrder(context, row)
      verdict = judgeOrder({ seen, now, wanted })
    }
    // Clears an earlier conflict.
    const over = { before: null, theirs: null, yours: null }
    if (verdict.kind === "go") {
      const send = fieldsToSend(await withItsCarrier(context, wanted, now), now)
      return { kind: "go", notes: { base: now, send, ...over } }
    }
    if (verdict.kind === "done")
      return { kind: "done", done: { upstreamId: idOf(row), balanceAfter: null, notes: { base: now } } }
    const notes = await conflictNotes(context, row, seen, now)
    const isRepeatedConflict = savedFields(row, "theirs") !== undefined
    return {
      kind: "conflict",
      outcome: rowOutcome(isRepeatedConflict ? "changed_again" : "changed_there"),
      notes,
    }
  } catch (error) {
    return refusal(row, refusedRead(error, "order_not_found"))
  }
}

async function lookUpOrder(context: JobContext, row: RowRecord): Promise<Lookup<OrderNotes>> {
  const restored = neverSentHere(row)
  let now = await readOrder(context, row)
  if (restored !== undefined) return lookUpAfterRestore(context, row, now, restored.sample)
  const sides = { ...sentBefore(row), wanted: wantedOf(row) }
  let trace = traceInOrder({ ...sides, now })
  if (trace === "changed" || trace === "untold") {
    now = await readOrder(context, row)
    trace = traceInOrder({ ...sides, now })
  }
  // The service answered with success but did not apply all fields: a resend would change nothing.
  const isNotApplied = trace === "not_done" && row.endedHow === unnamedSuccess
  if (trace === "changed" || isNotApplied) {
    const notes = await conflictNotes(context, row, sides.base, now)
    return { kind: "changed", notes, ...(isNotApplied && { code: "not_taken" }) }
  }
  return { kind: "read", complete: trace !== "untold", found: trace === "done" ? [foundAt(row, now)] : [] }
}

/** After a restore: at its target the row was done, as seen it was not, and without a seen state a person decides. */
async function lookUpAfterRestore(
  context: JobContext,
  row: RowRecord,
  now: OrderFields,
  sample: boolean,
): Promise<Lookup<OrderNotes>> {
  const wanted = wantedOf(row)
  const seen = seenBefore(row)
  const wasSeen = orderFields.every((field) => wanted[field] === undefined || seen[field] !== undefined)
  // A sample proves nothing if the order was at its target before.
  const isProof = !sample || (wasSeen && !isAtTarget(wanted, seen))
  if (isAtTarget(wanted, now))
    return { kind: "read", complete: true, found: isProof ? [foundAt(row, now)] : [] }
  if (sample || now.status === undefined) return { kind: "read", complete: false, found: [] }
  const isConflict = judgeOrder({ seen, now, wanted }).kind === "conflict"
  if (wasSeen && !isConflict) return { kind: "read", complete: true, found: [] }
  const notes = await conflictNotes(context, row, seen, now)
  return { kind: "changed", notes, ...(!isConflict && { code: "restore_unsure" }) }
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
  return readBody(row.input, orderUpdateRow).order_id
}

/** Missing shipment fields count as empty; a missing status means an incomplete order. */
function fieldsOf(order: Order): OrderFields {
  const { tracking_number = "", carrier = "" } = shipmentOf(order)
  const { status } = order
  return { ...(typeof status === "string" && { status }), tracking_number, carrier }
}

function pickFields(valueOf: (field: OrderField) => string | undefined): OrderFields {
  const values = orderFields.map((field) => [field, valueOf(field)] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

function wantedOf(row: Pick<RowRecord, "input">): OrderFields {
  const input = readBody(row.input, orderUpdateRow)
  return pickFields((field) => input[field])
}

/** Treats null as empty; unseen fields are missing. */
function seenFields(seen: OrderBaseline): OrderFields {
  return pickFields((field) => (seen[field] === undefined ? undefined : (seen[field] ?? "")))
}

function savedFields(
  row: Pick<RowRecord, "notes">,
  name: Exclude<keyof OrderNotes, "changed_by">,
): OrderFields | undefined {
  const read = orderBaseline.safeParse(row.notes?.[name])
  return read.success ? seenFields(read.data) : undefined
}

function sentBefore(row: Pick<RowRecord, "notes">) {
  return { base: savedFields(row, "base") ?? {}, send: savedFields(row, "send") ?? {} }
}

/**
 * The expected state of the order: as seen at the decision of a conflict, else as read before an earlier attempt, else
 * as the row's maker saw it, else as at the start of the job.
 */
function seenBefore(row: Pick<RowRecord, "input" | "notes">): OrderFields {
  const { expected } = readBody(row.input, orderUpdateRow)
  return (
    savedFields(row, "theirs") ??
    savedFields(row, "base") ??
    (expected === undefined ? undefined : seenFields(expected)) ??
    savedFields(row, "seen") ??
    {}
  )
}

/** The sides of a conflict, and who made the other change if the audit log shows it. */
async function conflictNotes(
  { store }: JobContext,
  row: RowRecord,
  before: OrderFields,
  theirs: OrderFields,
) {
  const [last] = await store.audit.list({ kind: "order", id: idOf(row), outcome: "done", per_page: 1 }, {})
  const changed = orderFields.filter((field) => (before[field] ?? "") !== (theirs[field] ?? ""))
  // Only if the entry explains all differences: other systems may also have changed the order.
  const explains = changed.every((name) =>
    last?.changes.some(({ field, to }) => field === name && (to ?? "") === (theirs[name] ?? "")),
  )
  const changed_by = last !== undefined && explains ? { name: last.actor.name, at: last.at } : null
  return { base: null, send: null, before, theirs, yours: wantedOf(row), changed_by }
}
