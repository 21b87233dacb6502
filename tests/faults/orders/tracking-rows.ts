import type { OrderUpdateRow } from "../../../contract/kinds/order-update.ts"
import type { Sandbox } from "../../../sandbox/app.ts"
import type { OrderRecord } from "../../../sandbox/store/records.ts"
import type { Random } from "../random.ts"

const carriers = ["Australia Post", "StarTrack", "DHL"]

/** Rows as in a tracking file, each for another order; half of them have `expected`. */
export function trackingRows(
  orders: readonly OrderRecord[],
  count: number,
  random: Random,
): OrderUpdateRow[] {
  if (orders.length < count) throw new Error(`The sandbox has ${orders.length} orders only.`)
  return orders.slice(-count).map((order, at): OrderUpdateRow => {
    const { id, status, tracking, carrier } = order
    return {
      order_id: id,
      tracking_number: `QX${String(random.integer(1e9, 9e9))}${at}`,
      ...(random.next() < 0.8 && { status: "shipped" }),
      ...(random.next() < 0.7 && { carrier: random.pick(carriers) }),
      ...(random.next() < 0.5 && { expected: { status, tracking_number: tracking, carrier } }),
    }
  })
}

/** A sentence for each order that is not at its target, or was changed more than once. */
export function missedOrders(
  sandbox: Sandbox,
  before: readonly OrderRecord[],
  rows: readonly OrderUpdateRow[],
): string[] {
  const changes = new Map<string, number>()
  for (const effect of sandbox.store.ledger) {
    if (effect.kind !== "order-update") continue
    const changed = Object.keys(effect.after).some((field) => effect.after[field] !== effect.before[field])
    if (changed) changes.set(effect.id, (changes.get(effect.id) ?? 0) + 1)
  }
  const wanted = new Set(rows.map((row) => row.order_id))
  const foreign = [...changes.keys()].filter((id) => !wanted.has(id)).map((id) => `${id} was changed unasked`)
  return rows.reduce((missed, { order_id, status, tracking_number, carrier }) => {
    const order = sandbox.store.orders.get(order_id)
    const was = before.find(({ id }) => id === order_id)
    const target = {
      status: status ?? was?.status,
      tracking: tracking_number ?? was?.tracking,
      // A new number clears the previous carrier, and these numbers match no carrier.
      carrier: carrier ?? (tracking_number !== undefined && was?.tracking ? null : was?.carrier),
    }
    const is = { status: order?.status, tracking: order?.tracking, carrier: order?.carrier }
    if (JSON.stringify(is) !== JSON.stringify(target))
      missed.push(`${order_id} is ${JSON.stringify(is)}, not ${JSON.stringify(target)}`)
    const times = changes.get(order_id) ?? 0
    if (times !== 1) missed.push(`${order_id} was changed ${times} times`)
    return missed
  }, foreign)
}
