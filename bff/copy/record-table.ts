import { type RawBuilder, sql } from "kysely"
import { parseExact } from "../../contract/exact-json.ts"
import { isStorable } from "../../contract/program/common.ts"
import type { CopiedRecord, CopyStore } from "../../core/copy/copy-store.ts"
import type { Engine } from "../store/engine.ts"
import { containing, recordset } from "../store/table.ts"

/** Where a copy is kept; it uses no table of the store. */
export interface CopyPlace {
  readonly kind: CopyStore["kind"]
  readonly dialect: Engine["kind"]
  readonly db: Engine["db"]
  readonly close: () => Promise<void>
}

export const schema = "copy"
export const copyTable = ({ dialect }: CopyPlace, name: string) =>
  sql.table(dialect === "postgres" ? `${schema}.${name}` : name)

type Types = Readonly<Record<string, "bigint" | "double precision" | "text">>

/** How one kind of record is kept: whole in one table, and what lists search, filter and sort by in a narrow one. */
interface RecordKind<T, Shape extends string> {
  readonly name: string
  /** Columns of the narrow table; a text that a record lacks is empty. */
  readonly types: Types
  /** Shapes in which the service sends a record, kept apart: one may have what another lacks. */
  readonly shapes: readonly Shape[]
  readonly idOf: (record: T) => string
  readonly read: (raw: unknown) => T
  readonly columnsOf: (record: T) => Readonly<Record<string, string | number | null>>
  /** What is known of a record that came in two shapes. */
  readonly merged?: (older: T, younger: T) => T
}

/** One page of what was found in the narrow table, `o`. */
interface Found {
  readonly where: RawBuilder<unknown>
  /** Tables joined to it. */
  readonly join?: RawBuilder<unknown>
  readonly key: RawBuilder<unknown>
  /** A text that is missing is empty. */
  readonly isText: boolean
  readonly descending: boolean
  readonly page: number
  readonly perPage: number
}

type Row = Readonly<Record<string, unknown>>

type Base<T, Shape extends string> = ReturnType<typeof baseOf<T, Shape>>

/** The statements that every kind of record shares. "Older never replaces younger" is a condition in each. */
export function recordTable<T, Shape extends string>(place: CopyPlace, kind: RecordKind<T, Shape>) {
  const base = baseOf(place, kind)
  const { held, list, records, recordOf } = base
  return { held, list, records, recordOf, ...upkeepOf(base), ...writesTo(base), ...readsFrom(base) }
}

function baseOf<T, Shape extends string>(place: CopyPlace, kind: RecordKind<T, Shape>) {
  const { dialect } = place
  const { name, shapes } = kind
  const [held, list] = [copyTable(place, name), copyTable(place, `${name}_list`)]
  const records = sql.join(shapes.flatMap((shape) => [sql.ref(`raw_${shape}`), sql.ref(`at_${shape}`)]))
  const isOneOf = (ids: readonly string[]) => {
    const rows = [...new Set(ids)]
      .filter(isStorable)
      .toSorted()
      .map((id) => ({ id }))
    return recordset(dialect, { id: "text" }, rows)
  }
  /** The record of no shape is from later. */
  const isBefore = (operator: "<" | "<=", at: RawBuilder<unknown>) =>
    sql.join(
      shapes.map((shape) => sql`coalesce(held.${sql.ref(`at_${shape}`)}, 0) ${sql.raw(operator)} ${at}`),
      sql` and `,
    )

  function recordOf(row: Row): T {
    const sent = shapes.flatMap((shape) => {
      const raw = row[`raw_${shape}`]
      return typeof raw === "string" ? [{ raw, at: Number(row[`at_${shape}`]) }] : []
    })
    const [oldest, ...younger] = sent
      .toSorted((one, other) => one.at - other.at)
      .map(({ raw }) => kind.read(parseExact(raw)))
    if (oldest === undefined) throw new Error(`A row of ${name} has no record.`)
    return younger.reduce((older, next) => kind.merged?.(older, next) ?? next, oldest)
  }

  /** `records`: columns of `held` that `recordOf` reads. */
  return { place, kind, held, list, records, recordOf, isOneOf, isBefore }
}

function upkeepOf<T, Shape extends string>({ place, kind, held, list }: Base<T, Shape>) {
  const { db, dialect } = place
  const { shapes, types } = kind
  return {
    create: async (within: CopyPlace["db"]): Promise<void> => {
      // The order of bytes, as SQLite sorts: the folded texts have no case and accents.
      const text = dialect === "postgres" ? sql`text collate "C" not null` : sql`text not null`
      const columns = Object.entries(types).map(
        ([column, type]) => sql`${sql.ref(column)} ${type === "text" ? text : sql.raw(type)}`,
      )
      const sent = shapes.map(
        (shape) => sql`${sql.ref(`raw_${shape}`)} text, ${sql.ref(`at_${shape}`)} bigint`,
      )
      for (const one of [list, held]) await sql`drop table if exists ${one}`.execute(within)
      await sql`create table ${held} (n ${sql.raw(dialect === "postgres" ? "bigserial" : "integer")} primary key,
        id text not null unique, ${sql.join(sent)}, gone_at bigint)`.execute(within)
      await sql`create table ${list} (n bigint primary key, ${sql.join(columns)})`.execute(within)
    },

    clear: async (within: CopyPlace["db"]): Promise<void> => {
      for (const one of [list, held]) await sql`delete from ${one}`.execute(within)
    },

    /** Forgets ids deleted before a time; a clock that was set back would keep every newer record out until then. */
    tidy: async (deletedBefore: number, now: number): Promise<void> => {
      await sql`delete from ${held} where gone_at < ${deletedBefore}`.execute(db)
      for (const at of shapes.map((shape) => sql.ref(`at_${shape}`)))
        await sql`update ${held} set ${at} = ${now} where ${at} > ${now}`.execute(db)
    },
  }
}

function writesTo<T, Shape extends string>(base: Base<T, Shape>) {
  const { place, kind, held, list, records, recordOf, isOneOf, isBefore } = base
  const { db, dialect } = place
  const { shapes, types } = kind
  const names = sql.join(Object.keys(types).map((column) => sql.ref(column)))
  return {
    /** Writes what is new or changed, and returns how many records that were. */
    put: async (sent: readonly CopiedRecord<T>[], shape: Shape): Promise<number> => {
      const newest = newestById(sent, kind.idOf)
      if (newest.size === 0) return 0
      // In one order, so that two instances never wait for each other.
      const rows = [...newest]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([id, { record, asOf }]) => ({ id, raw: JSON.stringify(record), as_of: asOf }))
      const [raw, at] = [sql.ref(`raw_${shape}`), sql.ref(`at_${shape}`)]
      // What was true before is true again: it counts from now on.
      const isOverruled = shapes
        .filter((other) => other !== shape)
        .reduce((some, other) => sql`${some} or held.${at} < held.${sql.ref(`at_${other}`)}`, sql``)
      return db.transaction().execute(async (within) => {
        const changed = await sql<Row & { n: number }>`
          insert into ${held} as held (id, ${raw}, ${at})
          select id, raw, as_of
          from ${recordset(dialect, { id: "text", raw: "text", as_of: "bigint" }, rows)} where true
          on conflict (id) do update set ${raw} = excluded.${raw}, ${at} = excluded.${at}, gone_at = null
          where coalesce(held.${at}, 0) <= excluded.${at} and coalesce(held.gone_at, 0) <= excluded.${at}
            and (held.${raw} is null or held.${raw} <> excluded.${raw}${isOverruled})
          returning n, ${records}`.execute(within)
        if (changed.rows.length === 0) return 0
        const columns = changed.rows.map((row) => ({ ...kind.columnsOf(recordOf(row)), n: row.n }))
        const taken = sql.join(
          Object.keys(types).map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`),
        )
        await sql`insert into ${list} (n, ${names})
          select n, ${names} from ${recordset(dialect, { ...types, n: "bigint" }, columns)} where true
          on conflict (n) do update set ${taken}`.execute(within)
        return changed.rows.length
      })
    },

    /** The service has none of these any more, as of `asOf`: only id and time stay. */
    drop: async (ids: readonly string[], asOf: number): Promise<void> => {
      const emptied = sql.join(shapes.map((shape) => sql`${sql.ref(`raw_${shape}`)} = null`))
      await db.transaction().execute(async (within) => {
        const dropped = await sql<{ n: number }>`
          insert into ${held} as held (id, gone_at)
          select id, cast(${asOf} as bigint) from ${isOneOf(ids)} where true
          on conflict (id) do update set ${emptied}, gone_at = excluded.gone_at
          where ${isBefore("<=", sql`excluded.gone_at`)} and coalesce(held.gone_at, 0) <= excluded.gone_at
          returning n`.execute(within)
        const numbers = recordset(dialect, { n: "bigint" }, dropped.rows)
        await sql`delete from ${list} where n in (select n from ${numbers})`.execute(within)
      })
    },
  }
}

function readsFrom<T, Shape extends string>(base: Base<T, Shape>) {
  const { place, held, list, records, recordOf, isOneOf, isBefore } = base
  const { db, dialect } = place
  return {
    get: async (ids: readonly string[]): Promise<T[]> => {
      const { rows } = await sql<Row>`select ${records} from ${held}
        where gone_at is null and id in (select id from ${isOneOf(ids)})`.execute(db)
      return rows.map(recordOf)
    },

    /** Records by their numbers. */
    byNumber: async (numbers: readonly number[]): Promise<Map<number, T>> => {
      const wanted = numbers.map((n) => ({ n }))
      const { rows } = await sql<Row & { n: number }>`
        select held.n as n, ${records} from ${held} as held where held.n in (
          select n from ${recordset(dialect, { n: "bigint" }, wanted)})`.execute(db)
      return new Map(rows.map((row) => [row.n, recordOf(row)]))
    },

    find: async (found: Found): Promise<{ rows: T[]; total: number }> => {
      const { where, join = sql``, key, isText, descending, page, perPage } = found
      // What a record lacks comes last in both directions.
      const isEmpty = isText ? sql`coalesce(sort_key, '') = ''` : sql`sort_key is null`
      const order = sql`order by ${isEmpty}, sort_key ${sql.raw(descending ? "desc" : "asc")}, found.n`
      const { rows } = await sql<Row & { total: number }>`
        select ${records}, found.total as total from (
          select n, sort_key, count(*) over () as total from (
            select o.n as n, ${key} as sort_key from ${list} as o ${join} where ${where}
          ) as found ${order} limit ${perPage} offset ${(page - 1) * perPage}
        ) as found inner join ${held} as held on held.n = found.n ${order}`.execute(db)
      const [first] = rows
      if (first !== undefined || page === 1) return { rows: rows.map(recordOf), total: first?.total ?? 0 }
      // Beyond the last page no row carries the count.
      const counted = await sql<{ total: number }>`
        select count(*) as total from ${list} as o ${join} where ${where}`.execute(db)
      return { rows: [], total: counted.rows[0]?.total ?? 0 }
    },

    /** Ids held since before a time, of records that fit. */
    idsBefore: async (asOf: number, fits: RawBuilder<unknown> = sql`1 = 1`): Promise<string[]> => {
      const { rows } = await sql<{ id: string }>`
        select held.id as id from ${held} as held inner join ${list} as o on o.n = held.n
        where ${isBefore("<", sql`${asOf}`)} and ${fits}`.execute(db)
      return rows.map(({ id }) => id)
    },

    count: async (): Promise<number> => {
      const { rows } = await sql<{ live: number }>`select count(*) as live from ${list}`.execute(db)
      return rows[0]?.live ?? 0
    },
  }
}

/** Of two answers about one record the later asked one counts. */
function newestById<T>(
  records: readonly CopiedRecord<T>[],
  idOf: (record: T) => string,
): Map<string, CopiedRecord<T>> {
  const newest = new Map<string, CopiedRecord<T>>()
  for (const one of records) {
    const id = idOf(one.record)
    if (isStorable(id) && (newest.get(id)?.asOf ?? -Infinity) <= one.asOf) newest.set(id, one)
  }
  return newest
}

export const like = (column: string, text: string) =>
  sql`${sql.ref(column)} like ${containing(text)} escape '\\'`
export const either = (some: readonly RawBuilder<unknown>[]) => sql`(${sql.join(some, sql` or `)})`
export const every = (some: readonly RawBuilder<unknown>[]) =>
  some.length === 0 ? sql`1 = 1` : sql.join(some, sql` and `)
