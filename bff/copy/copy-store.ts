import { type Kysely, type RawBuilder, sql } from "kysely"
import { parseExact } from "../../contract/exact-json.ts"
import { isStorable } from "../../contract/program/common.ts"
import { type Member, memberReader } from "../../contract/program/member.ts"
import {
  type CopiedRecord,
  type CopyStore,
  copyStamp,
  type MemberCopy,
  type MemberFilter,
  type MemberQuery,
  noProgress,
  syncProgress,
} from "../../core/copy/copy-store.ts"
import { fold, memberColumns, searchWords } from "../../core/copy/member-columns.ts"
import { clockSql, type Engine } from "../store/engine.ts"
import type { Database } from "../store/schema.ts"
import { containing, recordset } from "../store/table.ts"

/** Where a copy is kept; it uses no table of the store. */
export interface CopyPlace {
  readonly kind: CopyStore["kind"]
  readonly dialect: Engine["kind"]
  readonly db: Kysely<Database>
  readonly close: () => Promise<void>
}

/** A copy of another version is emptied and filled again. */
const version = "1"
const schema = "copy"

/** The narrow table that lists are found in. */
const listTypes = {
  name_key: "text",
  id_key: "text",
  email: "text",
  company: "text",
  phone: "text",
  points_balance: "double precision",
  tier: "text",
  status: "text",
  created_at: "bigint",
  updated_at: "bigint",
  s_name: "text",
  s_contact: "text",
  s_metadata: "text",
} as const
const listColumns = Object.keys(listTypes)
const sortColumns = {
  name: "name_key",
  id: "id_key",
  email: "email",
  company: "company",
  phone: "phone",
  points_balance: "points_balance",
  tier: "tier",
  status: "status",
  created_at: "created_at",
  updated_at: "updated_at",
} as const satisfies Readonly<Record<MemberQuery["sort"]["field"], keyof typeof listTypes>>
const scopeColumns = {
  name: ["s_name"],
  contact: ["s_name", "s_contact"],
  all: ["s_name", "s_contact", "s_metadata"],
} as const satisfies Readonly<Record<MemberQuery["scope"], readonly (keyof typeof listTypes)[]>>

/** The copy in SQLite or PostgreSQL: the same statements. @throws Error where its tables cannot be made */
export async function openCopyStore(place: CopyPlace): Promise<CopyStore> {
  const { db, dialect, kind } = place
  const table = (name: string) => sql.table(dialect === "postgres" ? `${schema}.${name}` : name)
  const tables = { member: table("member"), list: table("member_list"), state: table("state") }
  await prepare(place, tables)

  const readState = async (name: string): Promise<unknown> => {
    const { rows } = await sql<{ value: string }>`
      select value from ${tables.state} where name = ${name}`.execute(db)
    return rows[0] === undefined ? undefined : JSON.parse(rows[0].value)
  }
  const writeState = async (name: string, value: unknown): Promise<void> => {
    await sql`insert into ${tables.state} (name, value) values (${name}, ${JSON.stringify(value)})
      on conflict (name) do update set value = excluded.value`.execute(db)
  }
  return {
    kind,
    members: {
      ...memberCopy(place, tables),
      progress: async () => syncProgress.safeParse(await readState("members")).data ?? noProgress,
      setProgress: (progress) => writeState("members", progress),
    },
    now: () => now(place),
    stamp: async () => copyStamp.safeParse(await readState("stamp")).data,
    setStamp: (stamp) => writeState("stamp", stamp),
    clear: () =>
      db.transaction().execute(async (within) => {
        await sql`delete from ${tables.list}`.execute(within)
        await sql`delete from ${tables.member}`.execute(within)
        await sql`delete from ${tables.state} where name <> 'version'`.execute(within)
      }),
    tidy: async (deletedBefore) => {
      await sql`delete from ${tables.member} where gone_at < ${deletedBefore}`.execute(db)
      // A clock that was set back would keep every newer record out until it is there again.
      const at = await now(place)
      await sql`update ${tables.member} set as_of = ${at} where as_of > ${at}`.execute(db)
    },
    close: place.close,
  }
}

type Tables = Readonly<Record<"member" | "list" | "state", RawBuilder<unknown>>>
type MemberRows = Omit<MemberCopy, "progress" | "setProgress">

async function now({ db, dialect }: CopyPlace): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${clockSql[dialect]} as now`.execute(db)
  return rows[0]?.now ?? Date.now()
}

/** Makes the tables; those of another version are replaced. */
async function prepare({ db, dialect }: CopyPlace, tables: Tables): Promise<void> {
  const isPostgres = dialect === "postgres"
  // The order of bytes, as SQLite sorts: the folded texts have no case and accents.
  const text = isPostgres ? sql`text collate "C" not null` : sql`text not null`
  const columns = Object.entries(listTypes).map(
    ([name, type]) => sql`${sql.ref(name)} ${type === "text" ? text : sql.raw(type)}`,
  )
  await db.transaction().execute(async (within) => {
    if (isPostgres) {
      await sql`select pg_advisory_xact_lock(hashtextextended('laurel copy', 0))`.execute(within)
      // A database administrator may have created the schema for a role that cannot.
      const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(within)
      if (rows.length === 0) await sql`create schema ${sql.ref(schema)}`.execute(within)
    }
    await sql`create table if not exists ${tables.state} (name text primary key, value text not null)`.execute(
      within,
    )
    const found = await sql<{ value: string }>`
      select value from ${tables.state} where name = 'version'`.execute(within)
    if (found.rows[0]?.value === version) return
    for (const name of [tables.list, tables.member]) await sql`drop table if exists ${name}`.execute(within)
    await sql`delete from ${tables.state}`.execute(within)
    await sql`create table ${tables.member} (
      n ${sql.raw(isPostgres ? "bigserial" : "integer")} primary key, id text not null unique, raw text not null,
      as_of bigint not null, gone_at bigint)`.execute(within)
    await sql`create table ${tables.list} (n bigint primary key, ${sql.join(columns)})`.execute(within)
    await sql`insert into ${tables.state} (name, value) values ('version', ${version})`.execute(within)
  })
}

function memberCopy({ db, dialect }: CopyPlace, { member, list }: Tables): MemberRows {
  const given = <Name extends string>(
    types: Parameters<typeof recordset<Name>>[1],
    rows: readonly Readonly<Record<Name, unknown>>[],
  ) => recordset(dialect, types, rows)
  const numbersOf = (rows: readonly { readonly n: number }[]) => given({ n: "bigint" }, rows)

  return {
    put: async (records) => {
      const newest = newestById(records)
      if (newest.size === 0) return 0
      // In one order, so that two instances never wait for each other.
      const rows = [...newest.values()].toSorted((one, other) => (one.record.id < other.record.id ? -1 : 1))
      return db.transaction().execute(async (within) => {
        const sent = rows.map(({ record, asOf }) => ({
          id: record.id,
          raw: JSON.stringify(record),
          as_of: asOf,
        }))
        const changed = await sql<{ n: number; id: string }>`
          insert into ${member} as held (id, raw, as_of)
          select id, raw, as_of from ${given({ id: "text", raw: "text", as_of: "bigint" }, sent)} where true
          on conflict (id) do update set raw = excluded.raw, as_of = excluded.as_of, gone_at = null
          where held.as_of <= excluded.as_of and (held.raw <> excluded.raw or held.gone_at is not null)
          returning n, id`.execute(within)
        if (changed.rows.length === 0) return 0
        const columns = changed.rows.flatMap(({ n, id }) => {
          const found = newest.get(id)
          return found === undefined ? [] : [{ n, ...memberColumns(found.record) }]
        })
        const names = sql.join(listColumns.map((name) => sql.ref(name)))
        const taken = sql.join(
          listColumns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`),
        )
        await sql`insert into ${list} (n, ${names})
          select n, ${names} from ${given({ n: "bigint", ...listTypes }, columns)} where true
          on conflict (n) do update set ${taken}`.execute(within)
        return changed.rows.length
      })
    },

    drop: async (ids, asOf) => {
      const rows = [...new Set(ids)]
        .filter(isStorable)
        .toSorted()
        .map((id) => ({ id }))
      if (rows.length === 0) return
      await db.transaction().execute(async (within) => {
        const dropped = await sql<{ n: number }>`
          insert into ${member} as held (id, raw, as_of, gone_at)
          select id, '', cast(${asOf} as bigint), cast(${asOf} as bigint) from ${given({ id: "text" }, rows)} where true
          on conflict (id) do update set raw = '', as_of = excluded.as_of, gone_at = excluded.gone_at
          where held.as_of <= excluded.as_of returning n`.execute(within)
        await sql`delete from ${list} where n in (select n from ${numbersOf(dropped.rows)})`.execute(within)
      })
    },

    get: async (ids) => {
      const rows = ids.filter(isStorable).map((id) => ({ id }))
      const found = await sql<{ raw: string }>`select raw from ${member}
        where gone_at is null and id in (select id from ${given({ id: "text" }, rows)})`.execute(db)
      return found.rows.map(({ raw }) => memberOf(raw))
    },

    list: async (query) => {
      const where = conditionsOf(query)
      const column = sortColumns[query.sort.field]
      // What a record lacks comes last in both directions.
      const isEmpty = listTypes[column] === "text" ? sql`sort_key = ''` : sql`sort_key is null`
      const order = sql`order by ${isEmpty}, sort_key ${sql.raw(query.sort.descending ? "desc" : "asc")}, found.n`
      const found = await sql<{ raw: string; total: number }>`
        select held.raw as raw, found.total as total from (
          select n, sort_key, count(*) over () as total from (
            select n, ${sql.ref(column)} as sort_key from ${list} where ${where}
          ) as found ${order} limit ${query.perPage} offset ${(query.page - 1) * query.perPage}
        ) as found inner join ${member} as held on held.n = found.n ${order}`.execute(db)
      const [first] = found.rows
      if (first !== undefined || query.page === 1)
        return { rows: found.rows.map(({ raw }) => memberOf(raw)), total: first?.total ?? 0 }
      // Beyond the last page no row carries the count.
      const counted = await sql<{
        total: number
      }>`select count(*) as total from ${list} where ${where}`.execute(db)
      return { rows: [], total: counted.rows[0]?.total ?? 0 }
    },

    facets: (filter) => memberFacets(db, { member, list }, filter),

    idsBefore: async (asOf) => {
      const { rows } = await sql<{ id: string }>`
        select id from ${member} where gone_at is null and as_of < ${asOf}`.execute(db)
      return rows.map(({ id }) => id)
    },

    count: async () => {
      const { rows } = await sql<{ live: number }>`select count(*) as live from ${list}`.execute(db)
      return rows[0]?.live ?? 0
    },
  }
}

/** Most frequent values, names of custom fields and the sum of balances. */
async function memberFacets(
  db: CopyPlace["db"],
  { member, list }: Pick<Tables, "list" | "member">,
  filter: Parameters<MemberRows["facets"]>[0],
): ReturnType<MemberRows["facets"]> {
  const where = conditionsOf(filter)
  const facet = async (column: "status" | "tier" | "company") => {
    const { rows } = await sql<{ count: number; raw: string }>`
      select found.count as count, held.raw as raw from (
        select min(n) as n, count(*) as count from ${list}
        where ${where} and ${sql.ref(column)} <> '' group by ${sql.ref(column)} order by 2 desc, 1 limit ${mostValues}
      ) as found inner join ${member} as held on held.n = found.n order by found.count desc, found.n`.execute(
      db,
    )
    return rows.map(({ count, raw }) => ({ value: memberOf(raw)[column] ?? "", count }))
  }
  const { rows } = await sql<{ total: number; sum: number | null; known: number }>`
    select count(*) as total, sum(points_balance) as sum, count(points_balance) as known
    from ${list} where ${where}`.execute(db)
  const newest = await sql<{ raw: string }>`
    select raw from ${member} where gone_at is null order by n desc limit ${sampled}`.execute(db)
  const keys = newest.rows.flatMap(({ raw }) => Object.keys(memberOf(raw).metadata ?? {}))
  const { total, sum, known } = rows[0] ?? { total: 0, sum: 0, known: 0 }
  return {
    total,
    statuses: await facet("status"),
    tiers: await facet("tier"),
    companies: await facet("company"),
    metadata_keys: [...new Set(keys)].toSorted().slice(0, mostValues),
    points: { sum: sum ?? 0, without: total - known },
  }
}

/** Values of a field, or custom fields, that are listed. */
const mostValues = 50
/** Newest members whose custom fields are listed. */
const sampled = 200

function conditionsOf({ search = "", scope, ...filters }: MemberFilter): RawBuilder<unknown> {
  const { words, phone } = searchWords(search, scope)
  const found = words.map((word) => either(scopeColumns[scope].map((column) => like(column, word))))
  const searched = found.length === 0 ? sql`1 = 1` : sql.join(found, sql` and `)
  const exact = (["status", "tier", "company"] as const).flatMap((name) => {
    const value = filters[name]
    return value === undefined ? [] : [sql`${sql.ref(name)} = ${fold(value)}`]
  })
  return sql.join(
    [phone === undefined ? searched : either([searched, like("phone", phone)]), ...exact],
    sql` and `,
  )
}

/** Of two answers about one record the later asked one counts. */
function newestById(records: readonly CopiedRecord<Member>[]): Map<string, CopiedRecord<Member>> {
  const newest = new Map<string, CopiedRecord<Member>>()
  for (const one of records) {
    if (!isStorable(one.record.id)) continue
    if ((newest.get(one.record.id)?.asOf ?? -Infinity) <= one.asOf) newest.set(one.record.id, one)
  }
  return newest
}

function memberOf(raw: string): Member {
  return memberReader.tolerant.parse(parseExact(raw))
}

const like = (column: string, text: string) => sql`${sql.ref(column)} like ${containing(text)} escape '\\'`
const either = (some: RawBuilder<unknown>[]) => sql`(${sql.join(some, sql` or `)})`
