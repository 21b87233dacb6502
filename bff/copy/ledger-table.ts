import { type RawBuilder, sql } from "kysely"
import * as z from "zod/mini"
import { isStorable } from "../../contract/program/common.ts"
import { transactionReader } from "../../contract/program/points.ts"
import type {
  BookEntry,
  BookLedger,
  LedgerCopy,
  LedgerOwner,
  LedgerQuery,
  LedgerTotals,
} from "../../core/copy/copy-store.ts"
import { entryColumns } from "../../core/copy/ledger-columns.ts"
import { ledgerOrder, type LedgerStep } from "../../core/copy/ledger-order.ts"
import { fold, foldedWords } from "../../core/copy/member-columns.ts"
import { recordset } from "../store/table.ts"
import type { MemberTable } from "./member-table.ts"
import { type CopyPlace, copyTable, every, like, recordTable } from "./record-table.ts"

const types = {
  member_id: "text",
  id_key: "text",
  type: "text",
  reason: "text",
  reference: "text",
  tag: "text",
  points: "double precision",
  balance_after: "double precision",
  created_at: "bigint",
  s_entry: "text",
} as const

/** An entry, and whose ledger it was read from. */
const entryReader = z.object({ memberId: z.string(), entry: transactionReader.tolerant })
type Entry = Readonly<z.output<typeof entryReader>>

export type LedgerTable = ReturnType<typeof ledgerTable>

export function ledgerTable(place: CopyPlace, members: MemberTable) {
  const { db, dialect } = place
  const table = recordTable(place, {
    name: "ledger_entry",
    types,
    shapes: ["one"],
    idOf: ({ memberId, entry }: Entry) => entryId(memberId, entry.transaction_id),
    read: (raw): Entry => entryReader.parse(raw),
    columnsOf: ({ memberId, entry }) => entryColumns(memberId, entry),
  })
  const state = copyTable(place, "ledger")
  return {
    ...table,
    state,
    create: async (within: CopyPlace["db"]): Promise<void> => {
      await table.create(within)
      await sql`create index ledger_entry_member on ${table.list} (member_id, created_at)`.execute(within)
      await sql`drop table if exists ${state}`.execute(within)
      await sql`create table ${state} (member_id text primary key, read_from bigint,
        outdated_at bigint, balance double precision, member_balance double precision,
        misses bigint not null, due_at bigint not null)`.execute(within)
    },
    clear: async (within: CopyPlace["db"]): Promise<void> => {
      await table.clear(within)
      await sql`delete from ${state}`.execute(within)
    },
    /** Nothing stays of the ledgers of members who were deleted. */
    forgetDeleted: async (memberIds: readonly string[]): Promise<void> => {
      const rows = memberIds.filter(isStorable).map((id) => ({ id }))
      const deleted = sql`(select id from ${members.held} where gone_at is not null and id in (
        select id from ${recordset(dialect, { id: "text" }, rows)}))`
      await db.transaction().execute(async (within) => {
        await sql`delete from ${table.held} where n in (
          select n from ${table.list} where member_id in ${deleted})`.execute(within)
        for (const one of [table.list, state])
          await sql`delete from ${one} where member_id in ${deleted}`.execute(within)
      })
    },
  }
}

interface OwnerRow {
  readonly member_id: string
  readonly n: number
  readonly points_balance: number | null
  readonly read_from: number | null
  readonly balance: number | null
  readonly member_balance: number | null
  readonly misses: number | null
  readonly due_at: number | null
  readonly is_urgent: number
}

const differs = (one: string, other: string) =>
  sql`(${sql.ref(one)} <> ${sql.ref(other)} or (${sql.ref(one)} is null) <> (${sql.ref(other)} is null))`
/** The member's balance is neither the ledger's nor the one that the last read was held against. */
export const hasMoved = sql`(${differs("m.points_balance", "ledger.balance")}
  and ${differs("m.points_balance", "ledger.member_balance")})`

/** The ledgers of a copy. */
export function ledgerCopy({ db, dialect }: CopyPlace, table: LedgerTable, members: MemberTable): LedgerCopy {
  const { list, state } = table
  const owners = async (where: RawBuilder<unknown>, limit: number): Promise<OwnerRow[]> => {
    const { rows } = await sql<OwnerRow>`
      select member.id as member_id, member.n as n, m.points_balance as points_balance, ledger.read_from as read_from,
        ledger.balance as balance, ledger.member_balance as member_balance, ledger.misses as misses,
        ledger.due_at as due_at,
        case when ledger.member_id is null then 0 when ledger.misses > 0 or ledger.read_from is null or ${hasMoved}
          then 1 else 0 end as is_urgent
      from ${members.list} as m inner join ${members.held} as member on member.n = m.n
        left join ${state} as ledger on ledger.member_id = member.id
      where ${where}
      order by is_urgent desc, coalesce(ledger.due_at, 0), member.n limit ${limit}`.execute(db)
    return rows
  }
  const owner = async (memberId: string) => (await owners(sql`member.id = ${memberId}`, 1)).map(ownerOf)[0]

  return {
    put: async (memberId, entries) => {
      if (!isStorable(memberId) || (await owner(memberId)) === undefined) return 0
      return table.put(
        entries.map(({ record, asOf }) => ({ record: { memberId, entry: record }, asOf })),
        "one",
      )
    },
    drop: (memberId, ids, asOf) =>
      table.drop(
        ids.map((id) => entryId(memberId, id)),
        asOf,
      ),
    steps: async (memberId) => {
      const { rows } = await sql<LedgerStep & { id: string }>`
        select held.id as id, o.points as points, o.balance_after as balance_after, o.created_at as created_at
        from ${list} as o inner join ${table.held} as held on held.n = o.n
        where o.member_id = ${memberId} order by o.n`.execute(db)
      return rows.map((row) => ({ ...row, id: row.id.slice(entryId(memberId, "").length) }))
    },
    list: async (query) => {
      const found = await find(db, table, query)
      const page = found.slice((query.page - 1) * query.perPage, query.page * query.perPage)
      const records = await table.byNumber(page.map(({ n }) => n))
      return { rows: page.flatMap(({ n }) => records.get(n)?.entry ?? []), total: found.length }
    },
    owner,
    ...bookReads({ db, dialect }, table, members),
    due: async (now, limit) => {
      const isDue = sql`(ledger.member_id is null or ledger.due_at <= ${now} or ${hasMoved})`
      return (await owners(isDue, limit)).map((row) => ({ ...ownerOf(row), isUrgent: row.is_urgent > 0 }))
    },
    setState: async (memberId, startedAt, { readFrom, balance, memberBalance, misses, dueAt }) => {
      const isOutdated = sql`coalesce(ledger.outdated_at, 0) >= ${startedAt}`
      await sql`insert into ${state} as ledger (member_id, read_from, balance, member_balance, misses, due_at)
        values (${memberId}, ${readFrom}, ${balance}, ${memberBalance}, ${misses}, ${dueAt})
        on conflict (member_id) do update set balance = excluded.balance, member_balance = excluded.member_balance,
          misses = excluded.misses,
          read_from = case when ${isOutdated} then null else excluded.read_from end,
          due_at = case when ${isOutdated} then 0 else excluded.due_at end`.execute(db)
    },
    outdate: async (memberIds, at) => {
      const rows = memberIds.filter(isStorable).map((id) => ({ id }))
      await sql`update ${state} set outdated_at = ${at}, read_from = null, due_at = 0
        where member_id in (select id from ${recordset(dialect, { id: "text" }, rows)})`.execute(db)
    },
    ofCompany: async (names) => {
      const ids = sql`(select member.id from ${members.list} as m inner join ${members.held} as member
        on member.n = m.n where m.company in (${sql.join(names.map(fold))}))`
      const { rows } = await sql<LedgerTotals>`
        select (select count(read_from) from ${state} where member_id in ${ids}) as read,
          coalesce(sum(case when type = 'award' then points end), 0) as awarded,
          coalesce(sum(case when type = 'redeem' then 0 - points end), 0) as redeemed,
          max(created_at) as "lastAt"
        from ${list} where member_id in ${ids}`.execute(db)
      return rows[0] ?? { read: 0, awarded: 0, redeemed: 0, lastAt: null }
    },
    progress: async () => {
      const { rows } = await sql<{ read: number; since: number | null }>`
        select count(ledger.read_from) as read, min(ledger.read_from) as since from ${state} as ledger`.execute(
        db,
      )
      return rows[0] ?? { read: 0, since: null }
    },
  }
}

/** What the books read of the ledgers. */
function bookReads(
  { db, dialect }: Pick<CopyPlace, "db" | "dialect">,
  table: LedgerTable,
  members: MemberTable,
): Pick<LedgerCopy, "ledgers" | "entries" | "lacking" | "readSince"> {
  const { list, state } = table
  return {
    ledgers: async (after, limit) => {
      const { rows: owners } = await sql<Omit<BookLedger, "entries">>`
        select member.id as "memberId", member.n as n, m.email as email, m.points_balance as balance, m.created_at as "createdAt",
          ledger.read_from as "readFrom", ledger.member_balance as "memberBalance"
        from ${members.list} as m inner join ${members.held} as member on member.n = m.n
          left join ${state} as ledger on ledger.member_id = member.id
        where m.n > ${after} order by m.n limit ${limit}`.execute(db)
      const ids = owners.map(({ memberId: id }) => ({ id }))
      const { rows } = await sql<BookEntry & { member_id: string }>`
        select o.member_id as member_id, held.id as id, o.n as n, o.type as type, o.reason as reason,
          o.reference as reference, o.tag as tag, o.points as points, o.balance_after as balance_after, o.created_at as created_at
        from ${list} as o inner join ${table.held} as held on held.n = o.n
        where o.member_id in (select id from ${recordset(dialect, { id: "text" }, ids)}) order by o.n`.execute(
        db,
      )
      const byMember = Map.groupBy(rows, ({ member_id }) => member_id)
      return owners.map((owner) => ({
        ...owner,
        entries: (byMember.get(owner.memberId) ?? []).map(({ member_id, ...entry }) => ({
          ...entry,
          id: entry.id.slice(entryId(member_id, "").length),
        })),
      }))
    },
    entries: (keys) => table.get(keys.map(({ memberId, id }) => entryId(memberId, id))),
    lacking: async (keys) => {
      const wanted = keys
        .map(({ memberId, id, since }, at) => ({ at, member: memberId, entry: entryId(memberId, id), since }))
        .filter(({ entry }) => isStorable(entry))
      const { rows } = await sql<{ at: number }>`
        select given."at" as "at"
        from ${recordset(dialect, { at: "bigint", member: "text", entry: "text", since: "bigint" }, wanted)}
          inner join ${state} as ledger on ledger.member_id = given.member
          inner join ${members.held} as member on member.id = given.member
          left join ${table.held} as held on held.id = given.entry and held.gone_at is null
        where ledger.read_from > given.since and member.gone_at is null and held.id is null
        order by 1`.execute(db)
      return rows.flatMap(({ at }) => keys[at] ?? [])
    },
    readSince: async (at) => {
      const { rows } = await sql<{ read: number; from: number | null; to: number | null }>`
        select count(*) as read, min(ledger.read_from) as "from", max(ledger.read_from) as "to"
        from ${state} as ledger where ledger.read_from >= ${at}`.execute(db)
      return rows[0] ?? { read: 0, from: null, to: null }
    },
  }
}

interface FoundRow extends LedgerStep {
  readonly n: number
  readonly fits: number
  readonly sort_key: string | number | null
}

/** A member's entries that fit, in order. Their order depends on all of them, so it is found here. */
async function find(db: CopyPlace["db"], { list }: LedgerTable, query: LedgerQuery): Promise<FoundRow[]> {
  const { field, descending } = query.sort
  const { rows } = await sql<FoundRow>`
    select n, points, balance_after, created_at, ${sql.ref(field)} as sort_key,
      case when ${conditionsOf(query)} then 1 else 0 end as fits
    from ${list} where member_id = ${query.memberId} order by n`.execute(db)
  const ordered = ledgerOrder(rows).filter(({ fits }) => fits > 0)
  const newestFirst = ordered.toReversed()
  if (field === "created_at") return descending ? newestFirst : ordered
  // What an entry lacks comes last in both directions.
  const [present, empty] = [true, false].map((isThere) =>
    newestFirst.filter(({ sort_key }) => (sort_key !== null && sort_key !== "") === isThere),
  )
  const sign = descending ? -1 : 1
  const sorted = present?.toSorted((one, other) => sign * compare(one.sort_key, other.sort_key)) ?? []
  return [...sorted, ...(empty ?? [])]
}

function compare(one: string | number | null, other: string | number | null): number {
  if (typeof one === "number" && typeof other === "number") return one - other
  return String(one) < String(other) ? -1 : Number(String(one) > String(other))
}

function conditionsOf({ search = "", type, from, to }: LedgerQuery): RawBuilder<unknown> {
  const words = foldedWords(search)
  return every([
    ...words.map((word) => like("s_entry", word)),
    ...(type === undefined ? [] : [sql`type = ${fold(type)}`]),
    ...(from === undefined ? [] : [sql`coalesce(created_at, ${from}) >= ${from}`]),
    ...(to === undefined ? [] : [sql`coalesce(created_at, ${to}) <= ${to}`]),
  ])
}

function ownerOf(row: OwnerRow): LedgerOwner {
  const { member_id: memberId, n, points_balance, read_from, balance, member_balance, misses, due_at } = row
  const state =
    misses === null || due_at === null
      ? undefined
      : { readFrom: read_from, balance, memberBalance: member_balance, misses, dueAt: due_at }
  return { memberId, n, balance: points_balance, state }
}

/** The id of an entry in the copy: ids of one member’s entries may be those of another’s. */
export function entryId(memberId: string, id: string): string {
  return `${memberId} ${id}`
}
