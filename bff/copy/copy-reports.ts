import { type RawBuilder, sql } from "kysely"
import type { ZoneOffsets } from "../../contract/zoned-days.ts"
import { fold } from "../../core/copy/member-columns.ts"
import type { CopyReports, EntriesQuery, EntriesSum } from "../../core/reports/report-store.ts"
import { recordset } from "../store/table.ts"
import { entryId, hasMoved, type LedgerTable } from "./ledger-table.ts"
import type { MemberTable } from "./member-table.ts"
import { type CopyPlace, every } from "./record-table.ts"

interface Tables {
  readonly members: MemberTable
  readonly ledgers: LedgerTable
}

/** The sums that reports are made of. Each is one statement, whatever number of records it counts. */
export function copyReports({ db, dialect }: CopyPlace, { members, ledgers }: Tables): CopyReports {
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

  /** The first record of each group, whose text is shown for it. */
  async function examples(table: LedgerTable | MemberTable, numbers: readonly number[]) {
    const { rows } = await sql<Readonly<Record<string, unknown>> & { n: number }>`
      select held.n as n, ${table.records} from ${table.held} as held where held.n in (
        select n from ${recordset(
          dialect,
          { n: "bigint" },
          numbers.map((n) => ({ n })),
        )})`.execute(db)
    return rows
  }

  return {
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
          ? sums(dayOf("e.created_at", offsets), sql`0`)
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
          ? (await examples(members, numbers)).map((row) => [row.n, members.recordOf(row)[by]])
          : (await examples(ledgers, numbers)).map((row) => [row.n, ledgers.recordOf(row).entry[by]]),
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
    ledgersRead: async () => {
      const { rows } = await sql<{ read: number; members: number }>`
        select count(*) as members, count(case when ledger.read_from is not null and not ${hasMoved} then 1 end) as read
        from ${members.list} as m left join ${ledgers.state} as ledger on ledger.member_id = m.id`.execute(db)
      return rows[0] ?? { read: 0, members: 0 }
    },
  }
}

/** The number of the day of a time, by the offsets of a time zone. */
function dayOf(column: string, offsets: ZoneOffsets): RawBuilder<unknown> {
  const [last, ...earlier] = offsets.toReversed()
  const cases = earlier
    .toReversed()
    .map(({ until, offset }) => sql`when ${sql.ref(column)} < ${sql.lit(until)} then ${sql.lit(offset)}`)
  const offset =
    cases.length === 0
      ? sql.lit(last?.offset ?? 0)
      : sql`case ${sql.join(cases, sql` `)} else ${sql.lit(last?.offset ?? 0)} end`
  return sql`(${sql.ref(column)} + ${offset}) / 86400000`
}
