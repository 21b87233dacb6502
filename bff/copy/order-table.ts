import { type RawBuilder, sql } from "kysely"
import type { OrderSortField } from "../../contract/copy.ts"
import { type Order, orderReader } from "../../contract/program/order.ts"
import { fold, foldedWords } from "../../core/copy/member-columns.ts"
import type { OrderCopy, OrderFilter, OrderShape } from "../../core/copy/copy-store.ts"
import { copiedOrder, mergedOrder, orderColumns } from "../../core/copy/order-columns.ts"
import { recordset } from "../store/table.ts"
import { type MemberTable, scopeColumns } from "./member-table.ts"
import { type CopyPlace, either, every, like, recordTable } from "./record-table.ts"

const types = {
  id: "text",
  id_key: "text",
  member_id: "text",
  reward_id: "text",
  reward_name: "text",
  reward_key: "text",
  type: "text",
  status: "text",
  points_spent: "double precision",
  tracking_key: "text",
  carrier: "text",
  created_at: "bigint",
  shipped_at: "bigint",
  s_order: "text",
} as const
const numberFields: ReadonlySet<OrderSortField> = new Set([
  "type",
  "points_spent",
  "created_at",
  "shipped_at",
])

export type OrderTable = ReturnType<typeof orderTable>

export function orderTable(place: CopyPlace) {
  return recordTable(place, {
    name: "order_record",
    types,
    shapes: ["list", "one"] satisfies OrderShape[],
    idOf: ({ order_id }) => order_id,
    read: (raw): Order => orderReader.tolerant.parse(raw),
    columnsOf: orderColumns,
    merged: mergedOrder,
  })
}

/** The orders of a copy. */
export function orderCopy(
  { db, dialect }: CopyPlace,
  table: OrderTable,
  members: MemberTable,
): Omit<OrderCopy, "progress" | "setProgress"> {
  const conditions = conditionsOn(dialect, members)
  return {
    ...table,
    put: (records, shape) =>
      table.put(
        records.map(({ record, asOf }) => ({ record: copiedOrder(record), asOf })),
        shape,
      ),
    list: ({ sort: { field, descending }, page, perPage, ...filter }) => {
      const { where, status, type } = conditions(filter)
      return table.find({
        where: every([where, status]),
        // Joined only for its order: the search looks members up once, not for each order.
        ...(field === "member" && {
          join: sql`left join ${members.held} as member on member.id = o.member_id
            left join ${members.list} as m on m.n = member.n`,
        }),
        key: field === "type" ? type : sortKeys[field],
        isText: !numberFields.has(field),
        descending,
        page,
        perPage,
      })
    },
    facets: async (filter) => {
      const { where, status, isToShip } = conditions(filter)
      const { rows } = await sql<{ value: string; count: number; to_ship: number }>`
        select o.status as value, count(*) as count, sum(case when ${isToShip} then 1 else 0 end) as to_ship
        from ${table.list} as o where ${where} group by o.status order by 2 desc, 1`.execute(db)
      const rewards = await sql<{ id: string; name: string; count: number }>`
        select found.reward_id as id, r.reward_name as name, found.count as count from (
          select o.reward_id as reward_id, count(*) as count, max(o.n) as n from ${table.list} as o
          where ${where} and ${status} and o.reward_id <> ''
          group by o.reward_id order by 2 desc, 1 limit ${mostRewards}
        ) as found inner join ${table.list} as r on r.n = found.n order by found.count desc, found.reward_id`.execute(
        db,
      )
      return {
        statuses: rows.map(({ value, count }) => ({ value, count })),
        to_ship: rows.reduce((sum, { to_ship }) => sum + to_ship, 0),
        rewards: rewards.rows,
      }
    },
    openBefore: (asOf) => table.idsBefore(asOf, isOpen),
  }
}

/** Rewards that are listed. */
const mostRewards = 50

const isOpen = sql`o.status in ('pending', 'processing')`

const sortKeys: Readonly<Record<Exclude<OrderSortField, "type">, RawBuilder<unknown>>> = {
  id: sql.ref("o.id_key"),
  // Orders of deleted members come last.
  member: sql.ref("m.name_key"),
  reward: sql.ref("o.reward_key"),
  status: sql.ref("o.status"),
  points_spent: sql.ref("o.points_spent"),
  tracking_number: sql.ref("o.tracking_key"),
  created_at: sql.ref("o.created_at"),
  shipped_at: sql.ref("o.shipped_at"),
  member_id: sql.ref("o.member_id"),
  reward_id: sql.ref("o.reward_id"),
}

function conditionsOn(dialect: CopyPlace["dialect"], members: MemberTable) {
  const isIn = (column: string, ids: readonly string[]) => {
    const rows = ids.map((id) => ({ id }))
    return sql`${sql.ref(column)} in (select id from ${recordset(dialect, { id: "text" }, rows)})`
  }
  /** The order's own type, else that of its reward. */
  const hasType = (type: string, rewards: OrderFilter["rewardTypes"]) => {
    const ids = rewards.flatMap((reward) => (reward.type === type ? [reward.id] : []))
    return sql`(o.type = ${type} or (o.type = '' and ${isIn("o.reward_id", ids)}))`
  }
  const found = (word: string, scope: OrderFilter["scope"]) => {
    // Custom fields of members say nothing about orders.
    const columns = scopeColumns[scope].filter((name) => name !== "s_metadata")
    const ofMembers = sql`o.member_id in (
      select id from ${members.list} where ${either(columns.map((column) => like(column, word)))})`
    return either([like("o.s_order", word), ofMembers])
  }

  return (filter: OrderFilter) => {
    const { search = "", scope, foundIds = [], status, memberId, rewardId, rewardTypes, from, to } = filter
    // One of an unknown type may need a parcel.
    const isToShip = sql`(${isOpen} and not ${hasType("digital", rewardTypes)})`
    const words = foldedWords(search)
    const searched = every(words.map((word) => found(word, scope)))
    const where = every([
      foundIds.length === 0 ? searched : either([searched, isIn("o.id", foundIds)]),
      ...(memberId === undefined ? [] : [sql`o.member_id = ${memberId}`]),
      ...(rewardId === undefined ? [] : [sql`o.reward_id = ${rewardId}`]),
      ...(filter.type === undefined ? [] : [hasType(filter.type, rewardTypes)]),
      ...(from === undefined ? [] : [sql`coalesce(o.created_at, ${from}) >= ${from}`]),
      ...(to === undefined ? [] : [sql`(o.created_at is null or o.created_at < ${to})`]),
    ])
    const ofStatus = status === "to-ship" ? isToShip : sql`o.status = ${fold(status ?? "")}`
    // Digital ones after those that need a parcel.
    const type = sql`case when ${hasType("digital", rewardTypes)} then 1 else 0 end`
    return { where, status: status === undefined ? sql`1 = 1` : ofStatus, type, isToShip }
  }
}
