import { type RawBuilder, sql } from "kysely"
import { jobIdOf, jobNumberOf } from "../../core/jobs/records.ts"

/**
 * A table is defined once: which field of a record is kept in which column, and how. The columns' types for Kysely, the
 * insert, the update and the reading derive from it. Migrations are apart: they are history.
 */

type SqlType = "bigint" | "double precision" | "text"
type Row = Readonly<Record<string, unknown>>
/** How one field of a record is kept, in one column or several. */
interface Field<Value, Kept> {
  readonly types: Readonly<Record<keyof Kept & string, SqlType>>
  readonly write: (value: Value, into: Record<string, unknown>) => void
  /** Unchecked: the record's schema is applied to the whole. */
  readonly read: (row: Row) => unknown
  /** Never there: it carries the columns' types. */
  readonly kept?: Kept
}
type AnyField = Field<never, unknown>
type Fields = Readonly<Record<string, AnyField>>

type KeptOf<F> = F extends Field<never, infer Kept> ? Kept : never
type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never
type KeptOfAll<F extends Fields> = Together<{ [Name in keyof F]: KeptOf<F[Name]> }[keyof F]>
type OrNull<Kept> = { readonly [Name in keyof Kept]: Kept[Name] | null }
/** Columns of a table as Kysely wants them. */
export type ColumnsOf<T> = T extends Table<infer _, infer Kept> ? Kept : never

function column<Name extends string, Value, Stored>(
  name: Name,
  type: SqlType,
  write: (value: Value) => Stored,
  read: (stored: unknown) => unknown = (stored) => stored,
): Field<Value, Readonly<Record<Name, Stored>>> {
  return {
    types: { [name]: type } as Readonly<Record<Name, SqlType>>,
    write: (value, into) => {
      into[name] = write(value)
    },
    read: (row) => read(row[name]),
  }
}

/** A text as it is. */
export const text = <Name extends string>(name: Name) => column(name, "text", (value: string) => value)

/** A whole number as it is. */
export const integer = <Name extends string>(name: Name) => column(name, "bigint", (value: number) => value)

/** A number that may have a fraction. */
export const real = <Name extends string>(name: Name) =>
  column(name, "double precision", (value: number) => value)

/** A time in ms, rounded to what a column takes. */
export const time = <Name extends string>(name: Name) => column(name, "bigint", wholeMs)

/** A time that the contract writes as ISO 8601, kept in ms. */
export const isoTime = <Name extends string>(name: Name) =>
  column(
    name,
    "bigint",
    (value: string) => Date.parse(value),
    (stored) => new Date(Number(stored)).toISOString(),
  )

/** Yes and no as 1 and 0. */
export const flag = <Name extends string>(name: Name) =>
  column(
    name,
    "bigint",
    (value: boolean) => Number(value),
    (stored) => stored === 1,
  )

/** Anything as JSON. */
export const json = <Name extends string>(name: Name) =>
  column(
    name,
    "text",
    (value: unknown) => JSON.stringify(value),
    (stored): unknown => JSON.parse(String(stored)),
  )

/** Times in ms as JSON. */
export const times = <Name extends string>(name: Name) =>
  column(
    name,
    "text",
    (value: readonly number[]) => JSON.stringify(value.map(wholeMs)),
    (stored): unknown => JSON.parse(String(stored)),
  )

/** A job's id as its number. */
export const jobId = <Name extends string>(name: Name) =>
  column(
    name,
    "bigint",
    (id: string) => jobNumberOf(id) ?? 0,
    (stored) => jobIdOf(Number(stored)),
  )

/** Jobs' ids as their numbers, each with a comma after it. */
export const jobIds = <Name extends string>(name: Name) =>
  column(
    name,
    "text",
    (ids: readonly string[]) => ids.map((id) => `${jobNumberOf(id) ?? 0},`).join(""),
    (stored) =>
      String(stored)
        .split(",")
        .filter((number) => number !== "")
        .map((number) => jobIdOf(Number(number))),
  )

/** A field that may be null, in columns that are null then. */
export function orNull<Value, Kept>(field: Field<Value, Kept>): Field<Value | null, OrNull<Kept>> {
  const names = Object.keys(field.types)
  const [first = ""] = names
  return {
    types: field.types,
    write: (value, into) => {
      if (value !== null) field.write(value, into)
      else for (const name of names) into[name] = null
    },
    read: (row) => (row[first] === null ? null : field.read(row)),
  }
}

/** An object's fields, each in its own columns. */
export function fields<F extends Fields>(
  parts: F,
): Field<{ readonly [Name in keyof F]: Parameters<F[Name]["write"]>[0] }, KeptOfAll<F>> {
  const entries = Object.entries<AnyField>(parts)
  return {
    types: Object.assign({}, ...entries.map(([, field]) => field.types)),
    write: (value, into) => {
      const record: Row = value
      for (const [name, field] of entries) field.write(record[name] as never, into)
    },
    read: (row) => Object.fromEntries(entries.map(([name, field]) => [name, field.read(row)])),
  }
}

/** A record's table. */
export interface Table<Rec, Kept> {
  /** Its columns with their types in SQL. */
  readonly types: Readonly<Record<keyof Kept & string, SqlType>>
  /** A record's columns. */
  write(record: Rec): Kept
  /** The columns of some of its fields, for an update; fields that are undefined stay as they are. */
  writeSome(some: Partial<Rec>): Partial<Kept>
  /** @throws ZodError when the columns do not make a record */
  readonly read: (row: Row) => Rec
}

/** Defines the table of a record: every field of its schema has its columns. */
export function tableOf<
  Rec extends object,
  F extends Fields & { readonly [Name in keyof Rec]-?: Field<Rec[Name], unknown> },
>(schema: { parse(value: unknown): Rec }, parts: F): Table<Rec, KeptOfAll<F>> {
  const all = fields(parts)
  return {
    types: all.types,
    write: (record) => {
      const into: Record<string, unknown> = {}
      all.write(record as never, into)
      return into as KeptOfAll<F>
    },
    writeSome: (some) => {
      const into: Record<string, unknown> = {}
      for (const [name, value] of Object.entries(some))
        if (value !== undefined) parts[name]?.write(value as never, into)
      return into as Partial<KeptOfAll<F>>
    },
    read: (row) => schema.parse(all.read(row)),
  }
}

/**
 * Many records as one table `given` in one parameter: the statement's text stays the same however many there are, and
 * both databases read it at once. A missing field is null.
 */
export function recordset<Name extends string>(
  kind: "sqlite" | "postgres",
  types: Readonly<Record<Name, SqlType>>,
  records: readonly Readonly<Record<Name, unknown>>[],
): RawBuilder<unknown> {
  const entries = Object.entries<SqlType>(types)
  if (kind === "postgres") {
    const columns = entries.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`)
    return sql`json_to_recordset(${JSON.stringify(records)}::json) as given (${sql.join(columns)})`
  }
  // By place: SQLite reads a list in half the time that an object takes.
  const lists = JSON.stringify(records.map((record: Row) => entries.map(([name]) => record[name])))
  const values = entries.map(
    ([name], at) => sql`json_extract(value, ${sql.lit(`$[${at}]`)}) as ${sql.ref(name)}`,
  )
  return sql`(select ${sql.join(values)} from json_each(${lists})) as given`
}

/** Many whole numbers as one parameter, for `in`. */
export function numberset(kind: "sqlite" | "postgres", numbers: readonly number[]): RawBuilder<number> {
  const list = JSON.stringify(numbers)
  return kind === "postgres"
    ? sql<number>`(select value::bigint from json_array_elements_text(${list}::json))`
    : sql<number>`(select value from json_each(${list}))`
}

/** A time in ms as a column takes it. */
export function wholeMs(at: number): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Math.round(at)))
}

/** A pattern for `like … escape '\'` that finds the text anywhere. */
export function containing(searched: string): string {
  return `%${searched.replace(/[\\%_]/g, String.raw`\$&`)}%`
}
