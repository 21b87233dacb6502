import { orderUpdateRow, seenOrder, type SeenOrder } from "../../../../contract/desk/order-update-row.ts"
import { rowOutcomeWords } from "../../../../contract/errors/row-outcomes.ts"
import { orderReader, shipmentOf, type Order } from "../../../../contract/program/order.ts"
import { readBody } from "../../body.ts"
import { DeskFailure } from "../../failure.ts"
import { planById } from "../../gateway/read-plan.ts"
import { fillPath } from "../../match.ts"
import { askerOf, type JobContext } from "../job-context.ts"
import type { KindRules, Look, Ready } from "../job-kind.ts"
import { readNow } from "../job-reads.ts"
import type { JobRecord, RowRecord } from "../job-store.ts"

/**
 * Changes of orders (docs/api/program.md, Orders). The service has no version of an order, so it is read right before:
 * changed since the person looked is a conflict, what is so already is not sent, and only changed fields are.
 */
export const orderUpdate: KindRules = {
  kind: "order-update",
  api: "program",
  hasPoints: false,
  newRow(raw) {
    const input = readBody(raw, orderUpdateRow)
    const label = input.order_id
    return { input, memberId: null, email: null, label, points: null, reason: null, reverses: null }
  },
  prepare: async () => undefined,
  ready: lookBefore,
  effect: (_, row) => ({
    operation: "PATCH /orders/{order_id}",
    api: "program",
    method: "PATCH",
    path: fillPath("/orders/{order_id}", { order_id: readBody(row.input, orderUpdateRow).order_id }),
    body: workOf(row).send,
  }),
  read(data, row) {
    const read = orderReader.read(data)
    const { order_id } = readBody(row.input, orderUpdateRow)
    if (!read.ok || read.value.order_id !== order_id || !isAtTarget(row, read.value)) return undefined
    return { upstreamId: order_id, balanceAfter: null }
  },
  // The same order is updated again and again.
  claimScope: undefined,
  holdWhileSent: (row) => ({ scope: "program:order-update", key: row.label ?? "" }),
  look: lookAfter,
  absence: "settled",
  resends: 1,
  tells: ["orders"],
  invalidates: () => ({ gone: [], old: ["orders"] }),
}

const fields = ["status", "tracking_number", "carrier"] as const
type Fields = Readonly<Record<(typeof fields)[number], string>>
type Wanted = Partial<Fields>

/** The three fields of an order as text; none is empty text. */
function fieldsOf(order: Order): Fields {
  const { tracking_number = "", carrier = "" } = shipmentOf(order)
  return { status: order.status ?? "", tracking_number, carrier }
}

function wantedOf(row: RowRecord): Wanted {
  const { status, tracking_number, carrier } = readBody(row.input, orderUpdateRow)
  return {
    ...(status !== undefined && { status }),
    ...(tracking_number !== undefined && { tracking_number }),
    ...(carrier !== undefined && { carrier }),
  }
}

function isAtTarget(row: RowRecord, order: Order): boolean {
  const now = fieldsOf(order)
  const wanted = wantedOf(row)
  return fields.every((field) => wanted[field] === undefined || wanted[field] === now[field])
}

/** What was read before sending, and what was sent. */
function workOf({ work }: RowRecord): { readonly base: SeenOrder; readonly send: SeenOrder } {
  const base = seenOrder.safeParse(work?.["base"])
  const send = seenOrder.safeParse(work?.["send"])
  return { base: base.success ? base.data : {}, send: send.success ? send.data : {} }
}

async function readOrder(context: JobContext, job: JobRecord, row: RowRecord): Promise<Order> {
  const { order_id } = readBody(row.input, orderUpdateRow)
  const { data } = await readNow(context, askerOf(job), planById("GET /orders/{order_id}", { order_id }))
  return orderReader.tolerant.parse(data)
}

async function lookBefore(context: JobContext, job: JobRecord, row: RowRecord): Promise<Ready> {
  let order: Order
  try {
    order = await readOrder(context, job, row)
  } catch (error) {
    if (!(error instanceof DeskFailure) || error.code !== "not_found") throw error
    return { kind: "failed", outcome: { code: "order_not_found", message: rowOutcomeWords.order_not_found } }
  }
  if (isAtTarget(row, order))
    return { kind: "done", done: { upstreamId: order.order_id, balanceAfter: null } }
  const now = fieldsOf(order)
  const wanted = wantedOf(row)
  const { expected } = readBody(row.input, orderUpdateRow)
  if (expected !== undefined && fields.some((field) => differs(expected[field], now[field]))) {
    const outcome = { code: "changed_there", message: rowOutcomeWords.changed_there }
    return { kind: "conflict", outcome, work: { before: expected, theirs: now, yours: wanted } }
  }
  const send = Object.fromEntries(
    fields.flatMap((field) =>
      wanted[field] === undefined || wanted[field] === now[field] ? [] : [[field, wanted[field]]],
    ),
  )
  return { kind: "go", work: { base: now, send } }
}

/** A field the person did not see is not compared; none and empty are the same. */
function differs(seen: string | null | undefined, now: string): boolean {
  return seen !== undefined && (seen ?? "") !== now
}

/** At its target it was done; as it was read before, it was not; anything else is somebody else's change. */
async function lookAfter(context: JobContext, job: JobRecord, row: RowRecord): Promise<Look> {
  try {
    const order = await readOrder(context, job, row)
    const now = fieldsOf(order)
    if (isAtTarget(row, order)) {
      const found = {
        upstreamId: order.order_id,
        createdAt: undefined,
        points: null,
        text: order.status ?? null,
        reference: now.tracking_number,
      }
      return { kind: "read", complete: true, found: [{ ...found, marked: true }] }
    }
    const { base, send } = workOf(row)
    const touched = fields.filter((field) => send[field] !== undefined)
    const asBefore = touched.every((field) => !differs(base[field], now[field]))
    return asBefore ? { kind: "read", complete: true, found: [] } : { kind: "changed" }
  } catch (error) {
    if (error instanceof DeskFailure && error.code === "not_found") return { kind: "no_record" }
    throw error
  }
}
