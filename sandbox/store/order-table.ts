import type { ChangeLog } from "./change-log.ts"
import type { OrderRecord } from "./records.ts"

/** Filters of the order list; times in ms, `to` not included. */
export interface OrderFilter {
  readonly status?: string | undefined
  readonly memberId?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly newestFirst: boolean
}

/** The number in an order id such as `ord_20398`. */
export function orderNumber(id: string): number {
  return Number(id.slice("ord_".length))
}

/** The orders, oldest first. */
export class OrderTable {
  private readonly log: ChangeLog
  private readonly list: OrderRecord[]
  private readonly indexes = new Map<string, number>()
  /** The highest order number given so far. */
  highest = 0

  constructor(seeded: readonly OrderRecord[], log: ChangeLog) {
    this.log = log
    this.list = [...seeded]
    this.list.forEach((order, index) => this.indexes.set(order.id, index))
  }

  get all(): readonly OrderRecord[] {
    return this.list
  }

  get(id: string): OrderRecord | undefined {
    const index = this.indexes.get(id)
    return index === undefined ? undefined : this.list[index]
  }

  /** Adds an order or replaces one. */
  put(order: OrderRecord): void {
    const index = this.indexes.get(order.id) ?? this.list.length
    this.indexes.set(order.id, index)
    this.list[index] = order
    this.highest = Math.max(this.highest, orderNumber(order.id))
    this.log.note("order", order.id, order)
  }

  /** One page; the service never says how many there are. */
  page(filter: OrderFilter, offset: number, limit: number): OrderRecord[] {
    const hits = this.list.filter(
      (order) =>
        (filter.status === undefined || order.status === filter.status) &&
        (filter.memberId === undefined || order.memberId === filter.memberId) &&
        (filter.from === undefined || order.created >= filter.from) &&
        (filter.to === undefined || order.created < filter.to),
    )
    if (filter.newestFirst) hits.reverse()
    return hits.slice(offset, offset + limit)
  }
}
