import { type RawBuilder, sql } from "kysely"
import type { MemberSortField } from "../../contract/copy.ts"
import { type Member, memberReader } from "../../contract/program/member.ts"
import type {
  BalanceTotals,
  CompanyTotals,
  MemberCopy,
  MemberFilter,
  MemberQuery,
} from "../../core/copy/copy-store.ts"
import {
  fieldKey,
  fieldText,
  fold,
  memberColumns,
  searchWords,
  shownField,
} from "../../core/copy/member-columns.ts"
import { type CopyPlace, either, every, like, recordTable } from "./record-table.ts"

const types = {
  id: "text",
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
  fields: "text",
} as const
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
} as const satisfies Readonly<Record<MemberSortField, keyof typeof types>>
/** What a role may search, by what it sees. */
export const scopeColumns = {
  name: ["s_name"],
  contact: ["s_name", "s_contact"],
  all: ["s_name", "s_contact", "s_metadata"],
} as const satisfies Readonly<Record<MemberQuery["scope"], readonly (keyof typeof types)[]>>

export type MemberTable = ReturnType<typeof memberTable>

export function memberTable(place: CopyPlace) {
  return recordTable(place, {
    name: "member",
    types,
    shapes: ["one"],
    idOf: ({ id }) => id,
    read: (raw): Member => memberReader.tolerant.parse(raw),
    columnsOf: memberColumns,
  })
}

/** The members of a copy. */
export function memberCopy(
  place: CopyPlace,
  table: MemberTable,
): Omit<MemberCopy, "progress" | "setProgress"> {
  const { db, dialect } = place
  return {
    ...table,
    put: (records) => table.put(records, "one"),
    list: ({ sort, page, perPage, ...filter }) => {
      const found = { where: conditionsOf(filter), descending: sort.descending, page, perPage }
      if (sort.field === "metadata")
        return table.find({ ...found, key: customField(dialect, sort.name, "sorted"), isText: true })
      if (sort.field === "match") return table.find({ ...found, key: matchKey(filter), isText: true })
      const column = sortColumns[sort.field]
      return table.find({ ...found, key: sql.ref(column), isText: types[column] === "text" })
    },
    facets: (filter) => memberFacets(place, table, filter),
    ids: async (filter) => {
      const { rows } = await sql<{ id: string }>`
        select held.id as id from ${table.list} as found inner join ${table.held} as held on held.n = found.n
        where ${conditionsOf(filter)} order by found.name_key, found.n`.execute(db)
      return rows.map(({ id }) => id)
    },
    balances: async () => {
      const { rows } = await sql<BalanceTotals>`
        select count(*) as members, coalesce(sum(points_balance), 0) as points,
          count(*) - count(points_balance) as "withoutBalance" from ${table.list}`.execute(db)
      return rows[0] ?? { members: 0, points: 0, withoutBalance: 0 }
    },
    companies: async () => {
      const { rows } = await sql<CompanyTotals>`
        select found.company, held.id as example, found.members, found.active, found.inactive, found.points,
          found.without_points
        from (
          select company, min(n) as n, count(*) as members, ${withStatus("active")} as active,
            ${withStatus("inactive")} as inactive, coalesce(sum(points_balance), 0) as points,
            count(*) - count(points_balance) as without_points
          from ${table.list} where company <> '' group by company
        ) as found inner join ${table.held} as held on held.n = found.n order by found.company`.execute(db)
      return rows
    },
  }
}

const withStatus = (status: string) => sql`sum(case when status = ${status} then 1 else 0 end)`

/** Most frequent values, names of custom fields and the sum of balances. */
async function memberFacets(
  { db, dialect }: CopyPlace,
  { held, list, recordOf, records }: MemberTable,
  filter: MemberFilter,
): ReturnType<MemberCopy["facets"]> {
  const where = conditionsOf(filter)
  const { custom } = filter
  const facet = async (
    column: RawBuilder<unknown>,
    valueOf: (member: Member) => string | null | undefined,
  ) => {
    const { rows } = await sql<Readonly<Record<string, unknown>> & { count: number }>`
      select found.count as count, ${records} from (
        select min(n) as n, count(*) as count from ${list}
        where ${where} and ${column} <> '' group by ${column} order by 2 desc, 1 limit ${mostValues}
      ) as found inner join ${held} as held on held.n = found.n order by found.count desc, found.n`.execute(
      db,
    )
    return rows.map((row) => ({ value: valueOf(recordOf(row)) ?? "", count: row.count }))
  }
  const { rows } = await sql<{ total: number; sum: number | null; known: number }>`
    select count(*) as total, sum(points_balance) as sum, count(points_balance) as known
    from ${list} where ${where}`.execute(db)
  const newest = await sql<Readonly<Record<string, unknown>>>`
    select ${records} from ${held} where gone_at is null order by n desc limit ${sampled}`.execute(db)
  const keys = newest.rows.flatMap((row) => Object.keys(recordOf(row).metadata ?? {}))
  const { total, sum, known } = rows[0] ?? { total: 0, sum: 0, known: 0 }
  return {
    total,
    statuses: await facet(sql.ref("status"), ({ status }) => status),
    tiers: await facet(sql.ref("tier"), ({ tier }) => tier),
    companies: await facet(sql.ref("company"), ({ company }) => company),
    metadata_keys: [...new Set(keys)].toSorted().slice(0, mostValues),
    field_values:
      custom === undefined
        ? []
        : await facet(customField(dialect, custom.name, "compared"), ({ metadata }) =>
            shownField(metadata?.[custom.name]),
          ),
    points: { sum: sum ?? 0, without: total - known },
  }
}

/** Values of a field, or custom fields, that are listed. */
const mostValues = 50
/** Newest members whose custom fields are listed. */
const sampled = 200

/** Members whose name has every word of the search come first, then those found by e-mail or company. */
function matchKey({ search = "", scope }: MemberFilter): RawBuilder<unknown> {
  const { words } = searchWords(search, scope)
  const [byName, byContact] = [
    containsAll(words, scopeColumns.name),
    containsAll(words, scopeColumns.contact),
  ]
  return sql`case when ${byName} then '1' when ${byContact} then '2' else '3' end || name_key`
}

const containsAll = (words: readonly string[], columns: readonly string[]) =>
  every(words.map((word) => either(columns.map((column) => like(column, word)))))

/** A custom field's text, as in `fieldsOf`: parsing the whole column would take PostgreSQL ten times as long. */
function customField(
  dialect: CopyPlace["dialect"],
  name: string,
  as: "compared" | "sorted",
): RawBuilder<unknown> {
  const key = fieldKey(name)
  const at = as === "compared" ? { item: 0, part: 1 } : { item: 1, part: 3 }
  return dialect === "postgres"
    ? sql`split_part(split_part(fields, ${`"${key}":["`}, 2), '"', ${sql.lit(at.part)})`
    : sql`json_extract(fields, ${`$."${key}"[${at.item}]`})`
}

/** Members that have a custom field with a value, or any. */
function hasField({ name, value }: NonNullable<MemberFilter["custom"]>): RawBuilder<unknown> {
  const field = `"${fieldKey(name)}":[`
  return like("fields", value === undefined ? field : `${field}${JSON.stringify(fieldText(value))},`)
}

function conditionsOf({ search = "", scope, custom, ...filters }: MemberFilter): RawBuilder<unknown> {
  const { words, phone } = searchWords(search, scope)
  const searched = containsAll(words, scopeColumns[scope])
  const exact = (["status", "tier", "company"] as const).flatMap((name) => {
    const values = [filters[name] ?? []].flat().map(fold)
    return values.length === 0 ? [] : [sql`${sql.ref(name)} in (${sql.join(values)})`]
  })
  return every([
    phone === undefined ? searched : either([searched, like("phone", phone)]),
    ...exact,
    ...(custom === undefined ? [] : [hasField(custom)]),
  ])
}
