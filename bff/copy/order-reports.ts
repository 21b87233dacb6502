import { type RawBuilder, sql } from "kysely"
import { shipmentOf } from "../../contract/program/order.ts"
import type { CopyReports, OrdersSum, ShippingSum } from "../../core/reports/report-store.ts"
import { dayNumberOf } from "../store/table.ts"
import type { OrderTable } from "./order-table.ts"
import { type CopyPlace, every } from "./record-table.ts"
import type { RewardTable } from "./reward-table.ts"

type OrderReports = Pick<CopyReports, "redemptions" | "shipping" | "openOrders" | "undatedOrders">

/** The sums that reports make of orders. */
export function orderReports(
  { db }: CopyPlace,
  { orders, rewards }: { readonly orders: OrderTable; readonly rewards: RewardTable },
): OrderReports {
  const joinedReward = sql`left join ${rewards.held} as reward on reward.id = o.reward_id
    left join ${rewards.list} as r on r.n = reward.n`
  /** Of an unknown type it may need a parcel. */
  const needsParcel = sql`(o.type <> 'digital' and (o.type <> '' or coalesce(r.type, '') <> 'digital'))`
  const isCancelled = sql`o.status = 'cancelled'`

  return {
    redemptions: async ({ by, from, to, offsets }) => {
      const key = {
        day: dayNumberOf("o.created_at", offsets),
        reward: sql`o.reward_id`,
        category: sql`coalesce(r.category, '')`,
      }[by]
      const { rows } = await sql<
        Omit<OrdersSum, "group" | "label"> & { grp: string | number; example: number | null }
      >`
        select ${key} as grp, count(case when ${isCancelled} then null else 1 end) as orders,
          coalesce(sum(case when ${isCancelled} then 0 else o.points_spent end), 0) as points,
          count(case when ${isCancelled} then 1 end) as cancelled,
          coalesce(sum(case when ${isCancelled} then o.points_spent end), 0) as "cancelledPoints",
          max(${by === "category" ? sql`r.n` : sql`o.n`}) as example
        from ${orders.list} as o ${by === "category" ? joinedReward : sql``}
        where o.created_at >= ${from} and o.created_at < ${to} group by ${key}`.execute(db)
      const numbers = by === "day" ? [] : rows.flatMap(({ example }) => example ?? [])
      const names =
        by === "category"
          ? new Map([...(await rewards.byNumber(numbers))].map(([n, { category }]) => [n, category]))
          : new Map([...(await orders.byNumber(numbers))].map(([n, order]) => [n, order.reward_name]))
      return rows.map(({ grp, example, ...sum }) => {
        const group = String(grp)
        return { ...sum, group, label: group === "" ? "" : names.get(example ?? -1) || group }
      })
    },

    shipping: async ({ by, from, to, starts }) => {
      const key = {
        all: sql`0`,
        start: placeOf("o.shipped_at", starts),
        carrier: sql`o.carrier`,
        reward: sql`o.reward_id`,
      }[by]
      const wait = sql`o.shipped_at - o.created_at`
      const where = every([
        sql`o.shipped_at >= ${from} and o.shipped_at < ${to} and o.shipped_at >= o.created_at`,
        sql`not ${isCancelled}`,
        needsParcel,
      ])
      // The least wait that at least the share of all orders had: both databases rank, and only one has percentiles.
      const { rows } = await sql<
        Omit<ShippingSum, "group" | "label"> & { grp: string | number; example: number }
      >`
        select grp, max(total) as shipped, min(case when place * 2 >= total then wait end) as median,
          min(case when place * 10 >= total * 9 then wait end) as p90, max(example) as example
        from (
          select ${key} as grp, ${wait} as wait, o.n as example, count(*) over (partition by ${key}) as total,
            row_number() over (partition by ${key} order by ${wait}) as place
          from ${orders.list} as o ${joinedReward} where ${where}
        ) as ranked group by grp`.execute(db)
      const isNamed = by === "carrier" || by === "reward"
      const records = await orders.byNumber(isNamed ? rows.map(({ example }) => example) : [])
      return rows.map(({ grp, example, ...sum }) => {
        const [group, order] = [String(grp), records.get(example)]
        const name = by === "carrier" ? order && shipmentOf(order).carrier : order?.reward_name
        return { ...sum, group, label: group === "" ? "" : name || group }
      })
    },

    openOrders: async (lateBefore) => {
      const { rows } = await sql<{ open: number; late: number; oldest: number | null }>`
        select count(*) as open, count(case when o.created_at < ${lateBefore} then 1 end) as late,
          min(o.created_at) as oldest
        from ${orders.list} as o ${joinedReward}
        where o.status in ('pending', 'processing') and ${needsParcel}`.execute(db)
      return rows[0] ?? { open: 0, late: 0, oldest: null }
    },

    undatedOrders: async () => {
      const { rows } = await sql<{ undated: number }>`
        select count(*) as undated from ${orders.list} as o where o.created_at is null`.execute(db)
      return rows[0]?.undated ?? 0
    },
  }
}

/** The place of a time among the starts of months, from 0. */
function placeOf(column: string, starts: readonly number[]): RawBuilder<unknown> {
  const [, ...later] = starts
  if (later.length === 0) return sql`0`
  const cases = later.map((start, at) => sql`when ${sql.ref(column)} < ${sql.lit(start)} then ${sql.lit(at)}`)
  return sql`case ${sql.join(cases, sql` `)} else ${sql.lit(later.length)} end`
}
