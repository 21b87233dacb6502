import { type RawBuilder, sql } from "kysely"
import type { ZoneOffsets } from "../../contract/zoned-days.ts"
import { formatJobId, parseJobId } from "../../core/jobs/job-record.ts"

/**
 * A table is defined once: which field of a record is kept in which column, and how. The columns' types for Kysely, the
 * insert, the update and the reading derive from it. Migrations are apart: they are history.
 */

type SqlType = "bigint" | "double precision" | "text"
type Row = Readonly<Record<string, unknown>>
type Columns = Record<string, unknown>

/** How one field of a record is kept, in one column or several. */
interface Field<Value, ColumnTypes> {
  readonly types: Readonly<Record<string, SqlType>>
  readonly write: (value: Value, into: Columns) => void
  /** Unchecked: the record's schema is applied to the whole. */
  readonly read: (row: Row) => unknown
  /** Never there: it carries the columns' types. */
  readonly columns?: ColumnTypes
}
/** A field whose value the record's schema vouches for. */
interface AnyField {
  readonly types: Readonly<Record<string, SqlType>>
  write(value: unknown, into: Columns): void
  read(row: Row): unknown
}
type Fields = Readonly<Record<string, AnyField>>

type ColumnsOfField<F> = F extends { readonly columns?: infer ColumnTypes }
  ? Exclude<ColumnTypes, undefined>
  : never
type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never
type ColumnsOfFields<F extends Fields> = Together<{ [Name in keyof F]: ColumnsOfField<F[Name]> }[keyof F]>
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : ""
export type ColumnsOf<T> = T extends Table<infer _, infer ColumnTypes> ? ColumnTypes : never

type Kind<Value, Stored> = <Name extends string>(name: Name) => Field<Value, Readonly<Record<Name, Stored>>>

function kind<Value, Stored>(
  type: SqlType,
  write: (value: Value) => Stored,
  read: (stored: unknown) => unknown = (stored) => stored,
): Kind<Value, Stored> {
  return (name) => ({
    types: { [name]: type },
    write: (value, into) => {
      into[name] = write(value)
    },
    read: (row) => read(row[name]),
  })
}

const readJson = (stored: unknown): unknown => JSON.parse(String(stored))

export const text = kind("text", (value: string) => value)
export const integer = kind("bigint", (value: number) => value)
export const real = kind("double precision", (value: number) => value)
/** A time in ms, rounded to what a column takes. */
export const time = kind("bigint", wholeMs)
/** A time that the contract writes as ISO 8601, kept in ms. */
export const isoTime = kind("bigint", Date.parse, (stored) => new Date(Number(stored)).toISOString())
export const flag = kind(
  "bigint",
  (value: boolean) => Number(value),
  (stored) => stored === 1,
)
export const json = kind("text", (value: unknown) => JSON.stringify(value), readJson)
export const times = kind("text", (value: readonly number[]) => JSON.stringify(value.map(wholeMs)), readJson)
export const jobId = kind(
  "bigint",
  (id: string) => parseJobId(id) ?? 0,
  (stored) => formatJobId(Number(stored)),
)
/** Jobs' ids as their numbers, each with a comma after it. */
export const jobIds = kind(
  "text",
  (ids: readonly string[]) => ids.map((id) => `${parseJobId(id) ?? 0},`).join(""),
  (stored) => (String(stored).match(/\d+/g) ?? []).map((number) => formatJobId(Number(number))),
)

/** Fields of one kind, each in the column of its name: `memberId` in `member_id`. */
export function each<Value, Stored, Name extends string>(of: Kind<Value, Stored>, ...names: Name[]) {
  return Object.fromEntries(
    names.map((name) => [name, of(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))]),
  ) as { readonly [N in Name]: Field<Value, Readonly<Record<Snake<N>, Stored>>> }
}

export function nullable<Value, Stored>(of: Kind<Value, Stored>): Kind<Value | null, Stored | null> {
  return (name) => orNullField(of(name))
}

/** Several columns that are null together. */
export function orNull<Value, ColumnTypes>(
  field: Field<Value, ColumnTypes>,
): Field<Value | null, { readonly [Name in keyof ColumnTypes]: ColumnTypes[Name] | null }> {
  return orNullField(field)
}

function orNullField<Value, ColumnTypes>(field: Field<Value, unknown>): Field<Value | null, ColumnTypes> {
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

export function fields<F extends Fields>(
  parts: F,
): Field<{ readonly [Name in keyof F]: Parameters<F[Name]["write"]>[0] }, ColumnsOfFields<F>> {
  const entries = Object.entries<AnyField>(parts)
  return {
    types: Object.assign({}, ...entries.map(([, field]) => field.types)),
    write: (value: Row, into) => {
      for (const [name, field] of entries) field.write(value[name], into)
    },
    read: (row) => Object.fromEntries(entries.map(([name, field]) => [name, field.read(row)])),
  }
}

export interface Table<Rec, ColumnTypes> {
  readonly types: Readonly<Record<keyof ColumnTypes & string, SqlType>>
  write(record: Rec): ColumnTypes
  /** The columns of some of its fields, for an update; fields that are undefined stay as they are. */
  writeSome(some: Partial<Rec>): Partial<ColumnTypes>
  /** @throws ZodError when the columns do not make a record */
  readonly read: (row: Row) => Rec
}

/** Defines the table of a record: every field of its schema has its columns. */
export function tableOf<
  Rec extends object,
  F extends Fields & { readonly [Name in keyof Rec]-?: Field<Rec[Name], unknown> },
>(schema: { parse(value: unknown): Rec }, parts: F): Table<Rec, ColumnsOfFields<F>> {
  const all: AnyField = fields(parts)
  const known: Fields = parts
  return {
    types: all.types,
    write: (record) => {
      const into: Columns = {}
      all.write(record, into)
      return into as ColumnsOfFields<F>
    },
    writeSome: (some) => {
      const into: Columns = {}
      for (const [name, value] of Object.entries(some))
        if (value !== undefined) known[name]?.write(value, into)
      return into as Partial<ColumnsOfFields<F>>
    },
    read: (row) => schema.parse(all.read(row)),
  }
}

/**
 * Many records as one table `given` in one parameter: the statement's text stays the same however many there are, and
 * both databases read it in one statement. A missing field is null.
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

export function numberset(kind: "sqlite" | "postgres", numbers: readonly number[]): RawBuilder<number> {
  const list = JSON.stringify(numbers)
  return kind === "postgres"
    ? sql<number>`(select value::bigint from json_array_elements_text(${list}::json))`
    : sql<number>`(select value from json_each(${list}))`
}

/** The conditions of a filter whose values are given. */
export function given<Filter extends object>(filter: Filter) {
  const entries = Object.entries(filter).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof Filter]?: Exclude<Filter[Name], undefined> }
}

/** Whether a column has characters beyond ASCII: only such texts have format characters or several spellings. */
export function beyondAscii(kind: "sqlite" | "postgres", column: string): RawBuilder<boolean> {
  const text = sql.ref(column)
  return kind === "sqlite"
    ? sql`length(cast(${text} as blob)) <> length(${text})`
    : sql`octet_length(${text}) <> char_length(${text})`
}

export function wholeMs(at: number): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Math.round(at)))
}

/** A pattern for `like … escape '\'` that finds the text anywhere. */
export function containing(searched: string): string {
  return `%${searched.replace(/[\\%_]/g, String.raw`\$&`)}%`
}

/** The number of the day of a time, by the offsets of a time zone. */
export function dayNumberOf(column: string, offsets: ZoneOffsets): RawBuilder<unknown> {
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
