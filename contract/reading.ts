import * as z from "zod/mini"

/** A documented type after loosening: closed lists become any string, nested records lose their certainty. */
type Loosened<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends readonly (infer Item)[]
      ? Loosened<Item>[]
      : T extends Record<string, unknown>
        ? string extends keyof T
          ? T
          : { [K in keyof T]?: Loosened<T[K]> | null }
        : T

// Most fields are loosened to one of these: one schema of each serves all.
const anyText = z.string()
const anyNumber = z.number()
const textOrNone = z.nullish(anyText)
const numberOrNone = z.nullish(anyNumber)

/**
 * The tolerant twin of a documented field: any string, no formats and bounds, nested fields may be more, missing or
 * null. The basic type stays: text where a number is due is unreadable, not tolerable.
 */
function loosen(schema: z.ZodMiniType): z.ZodMiniType {
  const inner = schema as unknown as z.core.$ZodTypes
  const def = inner._zod.def
  switch (def.type) {
    case "string":
    case "enum":
      return anyText
    case "number":
      return anyNumber
    case "optional":
    case "nullable":
      return looseOrNone(asMini(def.innerType))
    case "array":
      return z.array(loosen(asMini(def.element)))
    case "object": {
      const loose: Record<string, z.ZodMiniType> = {}
      for (const [name, field] of Object.entries(def.shape)) loose[name] = looseOrNone(asMini(field))
      return z.looseObject(loose)
    }
    default:
      return schema
  }
}

/** The tolerant twin of a field that may be missing or null. */
function looseOrNone(field: z.ZodMiniType): z.ZodMiniType {
  const loose = loosen(field)
  if (loose === anyText) return textOrNone
  return loose === anyNumber ? numberOrNone : z.nullish(loose)
}

type Test = (value: unknown) => boolean

/**
 * Tells whether a parse would give a JSON value back just as it is, without the copy that a parse makes of each field.
 * False where it would not, and where only the parse can tell.
 */
function exactTest(schema: z.ZodMiniType): Test {
  const inner = schema as unknown as z.core.$ZodTypes
  const def = inner._zod.def
  const parse: Test = (value) => {
    const parsed = schema.safeParse(value)
    return parsed.success && parsed.data === value
  }
  if (def.checks !== undefined && def.checks.length > 0) return parse
  switch (def.type) {
    case "optional": {
      const test = exactTest(asMini(def.innerType))
      return (value) => value === undefined || test(value)
    }
    case "array": {
      const test = exactTest(asMini(def.element))
      return (value) => Array.isArray(value) && value.every(test)
    }
    case "object": {
      const fields = Object.entries(def.shape)
      const tests = new Map(fields.map(([name, field]) => [name, exactTest(asMini(field))]))
      const due = fields.flatMap(([name, field]) => (field._zod.def.type === "optional" ? [] : [name]))
      return (value) =>
        isRecord(value) &&
        Object.keys(value).every((name) => tests.get(name)?.(Reflect.get(value, name)) === true) &&
        due.every((name) => Object.hasOwn(value, name))
    }
    case "string": {
      const { format, pattern }: Partial<z.core.$ZodStringFormatDef> = def
      if (format === undefined) return (value) => typeof value === "string"
      // The pattern is not all that is checked of other formats.
      const isAll = format === "email" || format === "datetime"
      return isAll && pattern ? (value) => typeof value === "string" && pattern.test(value) : parse
    }
    default:
      return parse
  }
}

/** zod's core types name the same objects as its mini types; only their declared methods differ. */
function asMini(schema: z.core.$ZodType): z.ZodMiniType {
  return schema as z.ZodMiniType
}

type Fields = Readonly<Record<string, z.ZodMiniType>>

/** The result of a tolerant read: key fields are present, every other field may be missing or null. */
export type ReadRecord<Keys extends Fields, Rest extends Fields> = {
  [K in keyof Keys]: z.output<Keys[K]>
} & { [K in keyof Rest]?: Loosened<z.output<Rest[K]>> | null }

/** The outcome of reading one response: the value and how it differs from the documents, or why it cannot be used. */
export type ReadOutcome<T> = { ok: true; value: T; drift: readonly Drift[] } | { ok: false; reason: string }

/** A tolerant reader of what a service sends: key fields must be there, all else may be missing, null or new. */
export interface Reader<T> {
  readonly documented: z.ZodMiniType<T>
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
  const rawFields: unknown = Reflect.get(record, rawValuesField)
  return isRecord(rawFields) && Object.hasOwn(rawFields, field) ? Reflect.get(rawFields, field) : undefined
}

/** Undocumented fields of a record, unchanged; without Laurel's own `as_sent`. */
export function undocumentedFields(record: object, documented: readonly string[]): [string, unknown][] {
  return Object.entries(record).filter(([field]) => field !== rawValuesField && !documented.includes(field))
}

/** One way in which a response differs from its document. Never carries a person's data. */
export interface Drift {
  /** Path without list positions, such as `fulfillment.carrier`. */
  readonly field: string
  readonly said: string
  /** A short unlisted value of a closed list, otherwise only its kind. */
  readonly came: string
}

interface Issue {
  readonly code?: string
  readonly path: readonly PropertyKey[]
  readonly keys?: readonly string[]
  readonly values?: readonly unknown[]
  readonly expected?: string
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly format?: string
}

function makeReader<T>(
  documented: z.ZodMiniType<T>,
  tolerant: z.ZodMiniType<T>,
  repair: (raw: unknown, issues: readonly Issue[]) => unknown,
): Reader<T> {
  let test: Test | undefined
  const isExact = (raw: unknown): raw is T => (test ??= exactTest(documented))(raw)
  function read(raw: unknown, rounds: number): ReadOutcome<T> {
    if (isExact(raw)) return { ok: true, value: raw, drift: [] }
    const exact = documented.safeParse(raw)
    if (exact.success) return { ok: true, value: exact.data, drift: [] }
    let repaired = raw
    let reason: string | undefined
    for (let round = 0; round < rounds; round += 1) {
      const parsed = tolerant.safeParse(repaired)
      if (parsed.success) return { ok: true, value: parsed.data, drift: driftOf(exact.error.issues, raw) }
      reason ??= summary(parsed.error.issues, raw)
      repaired = repair(repaired, parsed.error.issues)
    }
    return { ok: false, reason: reason ?? anotherFormat }
  }
  return {
    documented,
    tolerant,
    read: (raw) => read(raw, 1),
    // Several fields may be damaged one inside the other; each round names at least one more.
    show: (raw) => read(raw, 4),
  }
}

const anotherFormat = "a different format than documented"

/** Why a response cannot be used, for people: never the library's own text, which is one setting for the whole process. */
function summary(issues: readonly Pick<Issue, "path">[], raw: unknown): string {
  const path = issues[0]?.path ?? []
  if (path.length === 0) return anotherFormat
  const isMissing = valueAt(raw, path) === undefined
  return `${path.map(String).join(".")} ${isMissing ? "is missing" : `has ${anotherFormat}`}`
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/**
 * Shows text as text and leaves other damage empty. The raw value is added, except where a record of known fields
 * was expected: it may be a secret. `keyFields` are those without which the record is unusable, with replacements for
 * them.
 */
function repairRecord(
  raw: unknown,
  issues: readonly Issue[],
  keyFields: ReadonlyMap<string, string>,
): unknown {
  if (!isRecord(raw)) return { ...Object.fromEntries(keyFields), [rawValuesField]: {} }
  const repaired: Record<string, unknown> = { ...raw }
  const before = repaired[rawValuesField]
  const rawFields: Record<string, unknown> = isRecord(before) ? { ...before } : {}
  for (const issue of issues) {
    const [field, ...inside] = issue.path
    if (typeof field !== "string") continue
    const came = repaired[field]
    if (inside.length > 0) {
      repaired[field] = withoutPart(came, inside)
      continue
    }
    const expected = dueAt(issue)
    const instead = keyFields.get(field)
    // A larger number was rounded on its way: it may be another record's id.
    if (instead !== undefined) repaired[field] = Number.isSafeInteger(came) ? String(came) : instead
    else if (expected === "record" && Array.isArray(came) && came.length === 0) repaired[field] = {}
    else if (expected === "string") repaired[field] = JSON.stringify(came) ?? null
    // Not null, which can mean something: without a limit, of a stock.
    else repaired[field] = undefined
    if (expected !== "object" && came !== undefined) rawFields[field] = came
  }
  return { ...repaired, [rawValuesField]: rawFields }
}

function withoutPart(value: unknown, [step, ...rest]: readonly PropertyKey[]): unknown {
  if (step === undefined || !isRecord(value)) return null
  return { ...value, [step]: withoutPart(Reflect.get(value, step), rest) }
}

/** The reader of one record: `keys` are fields without which it is of no use, `rest` every other documented field. */
export function recordReader<Keys extends Fields, Rest extends Fields>(
  keys: Keys,
  rest: Rest,
): Reader<ReadRecord<Keys, Rest>> {
  const exact = z.strictObject({ ...keys, ...rest })
  const loose: Record<string, z.ZodMiniType> = { ...keys }
  for (const [name, field] of Object.entries(rest)) loose[name] = looseOrNone(field)
  // The one place where schemas built at run time are given their type: a documented record is also a tolerable one.
  const documented = exact as unknown as z.ZodMiniType<ReadRecord<Keys, Rest>>
  const tolerant = z.looseObject(loose) as unknown as z.ZodMiniType<ReadRecord<Keys, Rest>>
  // A record with unreadable keys may be another record.
  const reader = makeReader(documented, tolerant, (raw, issues) => {
    const isKey = issues.some(({ path }) => path.length === 0 || Object.hasOwn(keys, path[0] ?? ""))
    return isKey ? raw : repairRecord(raw, issues, new Map())
  })
  const fields = Object.entries({ ...keys, ...rest })
  const isComplete = (row: unknown) =>
    fields.every(([name, field]) => {
      const value = valueAt(row, [name])
      return (value ?? null) !== null || field.safeParse(value).success
    })
  return { ...reader, isComplete }
}

/** The reader of an array of records; a shown row gets a placeholder, no id, for each of `keys` that is unreadable. */
export function listReader<T>(item: Reader<T>, keys: readonly string[]): Reader<T[]> {
  return makeReader(z.array(item.documented), z.array(item.tolerant), (raw, issues) => {
    if (!Array.isArray(raw)) return raw
    const rows: unknown[] = [...raw]
    const damaged = Map.groupBy(issues, ({ path }) => path[0])
    for (const [at, found] of damaged) {
      if (typeof at !== "number") continue
      const inside = found.map((issue) => ({ ...issue, path: issue.path.slice(1) }))
      rows[at] = repairRecord(rows[at], inside, new Map(keys.map((key) => [key, `(unreadable ${at + 1})`])))
    }
    return rows
  })
}

const longestShownValue = 40

/** Turns the issues of an exact parse into differences, one for each field and kind. */
export function driftOf(issues: readonly Issue[], raw: unknown): Drift[] {
  const found = issues.flatMap((issue): Drift[] => {
    const field = issue.path.filter((step) => typeof step === "string").join(".")
    if (issue.code !== "unrecognized_keys") {
      const said =
        issue.values?.map(String).join(", ") ?? issue.format ?? dueAt(issue) ?? "a different format"
      return [{ field: field || "answer", said, came: cameAs(valueAt(raw, issue.path), issue) }]
    }
    return (issue.keys ?? []).map((key) => ({
      field: field === "" ? key : `${field}.${key}`,
      said: "not documented",
      came: "an extra field",
    }))
  })
  return [...new Map(found.map((drift) => [`${drift.field}|${drift.came}`, drift])).values()]
}

/** The basic type expected by an issue, as reported by zod or by a check of Laurel's. */
function dueAt({ expected, params }: Issue): string | undefined {
  const due = expected ?? params?.["expected"]
  return typeof due === "string" ? due : undefined
}

function cameAs(value: unknown, { values }: Issue): string {
  if (value === undefined) return "missing"
  if (value === null) return "null"
  if (values !== undefined && typeof value === "string" && value.length <= longestShownValue)
    return JSON.stringify(value)
  return Array.isArray(value) ? "a list" : `another ${typeof value}`
}

export function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let at: unknown = raw
  for (const step of path) {
    if (typeof at !== "object" || at === null) return undefined
    at = Reflect.get(at, step)
  }
  return at
}

/** A service's time in ms since 1970; undefined if it is not a time. */
export function timeOf(text: string | null | undefined): number | undefined {
  const at = Date.parse(text ?? "")
  return Number.isNaN(at) ? undefined : at
}
