import * as z from "zod/mini"

/** A documented type as it is read: closed lists become any string, nested fields may be missing or null. */
type Loosened<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends Record<string, unknown>
      ? string extends keyof T
        ? T
        : { [K in keyof T]?: Loosened<T[K]> | null }
      : T

type Fields = Readonly<Record<string, z.ZodMiniType>>

/** The result of a tolerant read: key fields are present, every other field may be missing or null. */
export type ReadRecord<Keys extends Fields, Rest extends Fields> = {
  [K in keyof Keys]: z.output<Keys[K]>
} & { [K in keyof Rest]?: Loosened<z.output<Rest[K]>> | null }

/** How a field differs from its document: missing or null, not documented, or another value. */
export const driftKinds = ["empty", "extra", "other"] as const

/** A field, such as `fulfillment.carrier`, that differs from its document. Never carries its value. */
export type Drift = Readonly<{ field: string; kind: (typeof driftKinds)[number] }>

/** The value of a response and how it differs from its document, or why it cannot be used. */
export type ReadOutcome<T> = { ok: true; value: T; drift: readonly Drift[] } | { ok: false; reason: string }

/** A tolerant reader of what a service sends: key fields must be there, all else may be missing, null or new. */
export interface Reader<T> {
  /** For values that were read before, such as those from Laurel's own server. */
  readonly tolerant: z.ZodMiniType<T>
  /** Whether a list row has every field of the single record. */
  readonly isComplete?: (row: unknown) => boolean
  /** For money: a field of another basic type makes the whole response unusable. Never throws. */
  read(raw: unknown): ReadOutcome<T>
  /** For screens: a field of another basic type is shown as text or left empty, with what came under `as_sent`. */
  show(raw: unknown): ReadOutcome<T>
}

/** The field of a shown record that keeps what came in fields of another basic type than documented, by name. */
export const rawValuesField = "as_sent"

/** The raw value of a field with another basic type than documented; undefined for others. */
export function rawValue(record: object, field: string): unknown {
  return readField(readField(record, rawValuesField), field)
}

const placeholderStart = "(unreadable "

/** Whether a record's key came as documented: neither another basic type nor a placeholder. */
export function hasReadableKey<Key extends string>(record: Readonly<Record<Key, string>>, key: Key): boolean {
  return rawValue(record, key) === undefined && !record[key].startsWith(placeholderStart)
}

/** Undocumented fields of a record, unchanged; without Laurel's own `as_sent`. */
export function undocumentedFields(record: object, documented: readonly string[]): [string, unknown][] {
  return Object.entries(record).filter(([field]) => field !== rawValuesField && !documented.includes(field))
}

const anotherFormat = "a different format than documented"

interface Difference {
  readonly path: readonly string[]
  readonly kind: Drift["kind"]
  /** Documented type of a value with another basic type: text where a number is due is unusable, not tolerable. */
  readonly due?: string
}

type FieldType = Readonly<{ type: string; shape?: Fields; params?: { expected?: string } }>

/** The documented type of a field without `optional` and `nullable`. */
function typeOf(schema: z.core.$ZodType): FieldType {
  const { def } = (schema as z.core.$ZodTypes)._zod
  return def.type === "optional" || def.type === "nullable" ? typeOf(def.innerType) : (def as FieldType)
}

/** Adds how a value differs from its documented schema to `found`, and returns it as it can be shown. */
function readValue(schema: z.ZodMiniType, value: unknown, path: readonly string[], found: Difference[]) {
  const { type, shape, params } = typeOf(schema)
  if (shape !== undefined && isRecord(value)) {
    const shown: Record<string, unknown> = { ...value }
    for (const [name, field] of Object.entries(shape)) {
      const sent = readField(value, name)
      const inside: unknown = readValue(field, sent, [...path, name], found)
      if (inside !== sent) shown[name] = inside
    }
    const extra = Object.keys(value).filter((name) => !Object.hasOwn(shape, name))
    found.push(...extra.map((name): Difference => ({ path: [...path, name], kind: "extra" })))
    return shown
  }
  if (schema.safeParse(value).success) return value
  const due = params?.expected ?? (type === "enum" ? "string" : type)
  const isEmpty = value === undefined || value === null
  const isTolerable = isEmpty || due === (Array.isArray(value) ? "array" : typeof value)
  found.push({ path, kind: isEmpty ? "empty" : "other", ...(!isTolerable && { due }) })
  if (isTolerable) return value
  if (path.length > 1) return null
  if (due === "record" && Array.isArray(value) && value.length === 0) return {}
  // Not null, which can mean something: without a limit, of a stock.
  return due === "string" ? JSON.stringify(value) : undefined
}

/** `at`: the row of a list, which is shown even without a readable key. */
type ReadOne<T> = (raw: unknown, mayShow: boolean, at?: number) => ReadOutcome<T>
type RecordReader<T> = Reader<T> & { readonly readOne: ReadOne<T> }

/** The reader of one record: `keys` are fields without which it is of no use, `rest` every other documented field. */
export function recordReader<Keys extends Fields, Rest extends Fields>(
  keys: Keys,
  rest: Rest,
): RecordReader<ReadRecord<Keys, Rest>> {
  const fields: Fields = { ...keys, ...rest }
  const entries = Object.entries(fields)
  const schema = z.object(fields)
  const isKey = ({ path: [name, ...inside], kind }: Difference) =>
    name === undefined || (inside.length === 0 && kind !== "extra" && Object.hasOwn(keys, name))
  const readOne: ReadOne<ReadRecord<Keys, Rest>> = (raw, mayShow, at) => {
    const found: Difference[] = []
    const shown = readValue(schema, raw, [], found)
    const unusable = found.filter((one) => one.due !== undefined || isKey(one))
    const refused = mayShow ? unusable.find((one) => at === undefined && isKey(one)) : unusable[0]
    if (refused !== undefined) return { ok: false, reason: reasonOf(refused, at) }
    const drift = found.map(({ path, kind }) => ({ field: path.join(".") || "response", kind }))
    // The one place where a value that was compared gets its type.
    const typed = (value: unknown) => ({ ok: true, value: value as ReadRecord<Keys, Rest>, drift }) as const
    if (unusable.length === 0) return typed(raw)
    const placeholder = `${placeholderStart}${(at ?? 0) + 1})`
    const record: Record<string, unknown> = isRecord(shown)
      ? { ...shown }
      : Object.fromEntries(Object.keys(keys).map((key) => [key, placeholder]))
    const asSent: Record<string, unknown> = {}
    for (const { path, due } of unusable) {
      const [name = "", ...inside] = path
      const sent = readField(raw, name)
      // A larger number was rounded on its way: it may be another record's id.
      if (Object.hasOwn(keys, name)) record[name] = Number.isSafeInteger(sent) ? String(sent) : placeholder
      // A record of known fields may hold a secret.
      if (inside.length === 0 && due !== "object" && sent !== undefined) asSent[name] = sent
    }
    return typed({ ...record, [rawValuesField]: asSent })
  }
  return {
    readOne,
    tolerant: z.custom<ReadRecord<Keys, Rest>>((raw) => readOne(raw, false).ok),
    isComplete: (row) =>
      entries.every(([name, field]) => {
        const value = readField(row, name)
        return (value ?? null) !== null || field.safeParse(value).success
      }),
    read: (raw) => readOne(raw, false),
    show: (raw) => readOne(raw, true),
  }
}

/** The reader of an array of records; a shown row gets a placeholder for an unreadable key. */
export function listReader<T>({ readOne, tolerant }: RecordReader<T>): Reader<T[]> {
  const read = (raw: unknown, mayShow: boolean): ReadOutcome<T[]> => {
    if (!Array.isArray(raw)) return { ok: false, reason: anotherFormat }
    const value: T[] = []
    // One difference for each field and kind.
    const drift = new Map<string, Drift>()
    for (const [at, row] of raw.entries()) {
      const outcome = readOne(row, mayShow, at)
      if (!outcome.ok) return outcome
      value.push(outcome.value)
      for (const one of outcome.drift) drift.set(`${one.kind} ${one.field}`, one)
    }
    return { ok: true, value, drift: [...drift.values()] }
  }
  return { tolerant: z.array(tolerant), read: (raw) => read(raw, false), show: (raw) => read(raw, true) }
}

/** Why a response cannot be used, for people. */
function reasonOf({ path, kind }: Difference, at: number | undefined): string {
  if (path.length === 0 && at === undefined) return anotherFormat
  return `${[at ?? [], path].flat().join(".")} ${kind === "empty" ? "is missing" : `has ${anotherFormat}`}`
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** A field of an unknown value; undefined where there is none. */
export function readField(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}
