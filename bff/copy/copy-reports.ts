import { type RawBuilder, sql } from "kysely"
import { fold } from "../../core/copy/member-columns.ts"
import type { ActivitySum, CopyReports, EntriesQuery, EntriesSum } from "../../core/reports/report-store.ts"
import { dayNumberOf, recordset } from "../store/table.ts"
import { entryId, hasMoved, type LedgerTable } from "./ledger-table.ts"
import type { MemberTable } from "./member-table.ts"
import { orderReports } from "./order-reports.ts"
import type { OrderTable } from "./order-table.ts"
import { type CopyPlace, every } from "./record-table.ts"
import type { RewardTable } from "./reward-table.ts"

interface Tables {
  readonly members: MemberTable
  readonly orders: OrderTable
  readonly rewards: RewardTable
  readonly ledgers: LedgerTable
}

const activityBuckets = ["d30", "d90", "d365", "older", "never", "unread"] as const
const dayMs = 86_400_000

/** The sums that reports are made of. Each is one statement, whatever number of records it counts. */
export function copyReports(place: CopyPlace, tables: Tables): CopyReports {
  const { db, dialect } = place
  const { members, orders, ledgers } = tables
  const entry = sql`${ledgers.list} as e`

  /** Entries with what corrections add to them. */
  function corrected(corrections: EntriesQuery["corrections"]) {
    if (corrections.length === 0) return { points: sql`e.points`, count: sql`count(*)`, join: sql`` }
    const added = new Map<string, number>()
    for (const { memberId, entryId: id, points } of corrections) {
      const key = entryId(memberId, id)
      added.set(key, (added.get(key) ?? 0) + points)
    }
    const rows = [...added].map(([id, points]) => ({ id, points }))
    const given = recordset(dialect, { id: "text", points: "double precision" }, rows)
    return {
      points: sql`e.points + coalesce(c.points, 0)`,
      // An award that was taken back completely, and what took it back, are no entries.
      count: sql`count(case when c.n is null or e.points + c.points <> 0 then 1 end)`,
      join: sql`left join (select held.n as n, given.points as points from ${given}
        inner join ${ledgers.held} as held on held.id = given.id) as c on c.n = e.n`,
    }
  }

  function ofMembers({ company, tier }: EntriesQuery): readonly RawBuilder<unknown>[] {
    const conditions = [
      ...(company === undefined ? [] : [sql`company in (${sql.join(company.map(fold))})`]),
      ...(tier === undefined ? [] : [sql`tier = ${fold(tier)}`]),
    ]
    if (conditions.length === 0) return []
    return [sql`e.member_id in (select id from ${members.list} where ${every(conditions)})`]
  }

  return {
    ...orderReports(place, tables),
    entries: async (query) => {
      const { by, from, to, offsets, type, reason } = query
      const { points, count, join } = corrected(query.corrections)
      const where = every([
        sql`e.created_at >= ${from} and e.created_at < ${to}`,
        ...(type === undefined ? [] : [sql`e.type = ${fold(type)}`]),
        ...(reason === undefined ? [] : [sql`e.reason = ${fold(reason)}`]),
        ...ofMembers(query),
      ])
      const sums = (key: RawBuilder<unknown>, example: RawBuilder<unknown>) => sql`
        select ${key} as grp, e.type as type, coalesce(sum(${points}), 0) as points, ${count} as entries,
          ${example} as example
        from ${entry} ${join} where ${where} group by ${key}, e.type`
      const byMember = by === "company" || by === "tier"
      const statement = byMember
        ? // First by member, so that members are joined once for each and not for every entry.
          sql`select coalesce(m.${sql.ref(by)}, '') as grp, s.type as type, sum(s.points) as points,
              cast(sum(s.entries) as bigint) as entries, min(m.n) as example
            from (${sums(sql`e.member_id`, sql`0`)}) as s left join ${members.list} as m on m.id = s.grp
            group by coalesce(m.${sql.ref(by)}, ''), s.type`
        : by === "day"
          ? sums(dayNumberOf("e.created_at", offsets), sql`0`)
          : sums(sql.ref(`e.${by}`), sql`min(e.n)`)
      const { rows } = await sql<
        Omit<EntriesSum, "group" | "label"> & { grp: string | number; example: number | null }
      >`
        ${statement}`.execute(db)
      if (by === "day") {
        return rows.map(({ grp, type, points, entries }) => {
          return { group: String(grp), label: String(grp), type, points, entries }
        })
      }
      const first = new Map<string | number, number>()
      for (const { grp, example } of rows)
        if (grp !== "" && example !== null) first.set(grp, Math.min(first.get(grp) ?? example, example))
      const numbers = [...first.values()]
      const texts = new Map(
        byMember
          ? [...(await members.byNumber(numbers))].map(([n, member]) => [n, member[by]])
          : [...(await ledgers.byNumber(numbers))].map(([n, { entry: record }]) => [n, record[by]]),
      )
      return rows.map(({ grp, type, points, entries }) => {
        const group = String(grp)
        return { group, label: texts.get(first.get(grp) ?? -1) || group, type, points, entries }
      })
    },
    undatedEntries: async () => {
      const { rows } = await sql<{ undated: number }>`
        select count(*) as undated from ${entry} where e.created_at is null`.execute(db)
      return rows[0]?.undated ?? 0
    },
    activity: async ({ by, now }) => {
      const column = sql.ref(`m.${by}`)
      const isUnread = sql`(ledger.member_id is null or (ledger.read_from is null and ledger.outdated_at is null))`
      const last = sql`case when e.at is null or o.at > e.at then o.at else e.at end`
      const within = (days: number) => sql`coalesce(${last}, 0) >= ${now - days * dayMs}`
      const bucket = sql`case when ${isUnread} then 'unread' when ${last} is null then 'never' when ${within(30)} then 'd30'
        when ${within(90)} then 'd90' when ${within(365)} then 'd365' else 'older' end`
      const counts = activityBuckets.map(
        (name) => sql`count(case when bucket = ${name} then 1 end) as ${sql.ref(name)}`,
      )
      const { rows } = await sql<Omit<ActivitySum, "group" | "label"> & { grp: string; example: number }>`
        select grp, count(*) as members, ${sql.join(counts)}, min(n) as example
        from (
          select m.n as n, ${column} as grp, ${bucket} as bucket from ${members.list} as m
            left join ${ledgers.state} as ledger on ledger.member_id = m.id
            left join ${latest(sql`${ledgers.list}`)} as e on e.member_id = m.id
            left join ${latest(sql`${orders.list}`)} as o on o.member_id = m.id
        ) as member group by grp`.execute(db)
      const records = await members.byNumber(rows.map(({ example }) => example))
      return rows.map(({ grp, example, ...sum }) => {
        return { ...sum, group: grp, label: grp === "" ? "" : records.get(example)?.[by] || grp }
      })
    },
    ledgersRead: async () => {
      const { rows } = await sql<{ read: number; members: number }>`
        select count(*) as members, count(case when ledger.read_from is not null and not ${hasMoved} then 1 end) as read
        from ${members.list} as m left join ${ledgers.state} as ledger on ledger.member_id = m.id`.execute(db)
      return rows[0] ?? { read: 0, members: 0 }
    },
  }
}

/** The time of the last record of each member. */
const latest = (table: RawBuilder<unknown>) =>
  sql`(select member_id, max(created_at) as at from ${table} group by member_id)`
