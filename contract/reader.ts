import * as z from "zod/mini"
import { loosen, type Loosened } from "./loosen.ts"
import { driftOf, valueAt, type Drift } from "./drift.ts"

/** Named schemas of one record's fields, as the documents give them. */
export type Fields = Readonly<Record<string, z.ZodMiniType>>

/** What a tolerant read yields: the key fields for certain, every other field possibly missing or null. */
export type ReadRecord<Keys extends Fields, Rest extends Fields> = {
  [K in keyof Keys]: z.output<Keys[K]>
} & { [K in keyof Rest]?: Loosened<z.output<Rest[K]>> | null }

/** The outcome of reading one answer: the value and how it differs from the documents, or why it cannot be used. */
export type ReadOutcome<T> = { ok: true; value: T; drift: readonly Drift[] } | { ok: false; reason: string }

/**
 * A tolerant reader of something a service sends.
 * `documented` is the shape as the document gives it; `tolerant` is what the desk can live with: key fields
 * present, everything else may be missing, null, an unlisted value or joined by further fields.
 */
export interface Reader<T> {
  readonly documented: z.ZodMiniType<T>
  readonly tolerant: z.ZodMiniType<T>
  /** Parses tolerantly and lists each difference from the document. A key `__proto__` is left out. Never throws. */
  read(raw: unknown): ReadOutcome<T>
}

function makeReader<T>(documented: z.ZodMiniType<T>, tolerant: z.ZodMiniType<T>): Reader<T> {
  return {
    documented,
    tolerant,
    read(raw) {
      // What the exact parse lets pass the tolerant one would give back just so, at twice the time.
      const exact = documented.safeParse(raw)
      if (exact.success) return { ok: true, value: exact.data, drift: [] }
      const parsed = tolerant.safeParse(raw)
      if (!parsed.success) return { ok: false, reason: summary(parsed.error.issues, raw) }
      return { ok: true, value: parsed.data, drift: driftOf(exact.error.issues, raw) }
    },
  }
}

/** Why an answer cannot be used, for people: never the library's own text, which is one setting for the whole process. */
function summary(issues: readonly { path: PropertyKey[] }[], raw: unknown): string {
  const path = issues[0]?.path ?? []
  if (path.length === 0) return "a different format than documented"
  const missing = valueAt(raw, path) === undefined
  return `${path.map(String).join(".")} ${missing ? "is missing" : "has a different format than documented"}`
}

/**
 * The reader of one record.
 * @param keys fields without which the record is of no use (its id)
 * @param rest every other documented field; wrap the ones the document lets be absent in `z.optional`
 */
export function recordReader<Keys extends Fields, Rest extends Fields>(
  keys: Keys,
  rest: Rest,
): Reader<ReadRecord<Keys, Rest>> {
  const exact = z.strictObject({ ...keys, ...rest })
  const loose: Record<string, z.ZodMiniType> = { ...keys }
  for (const [name, field] of Object.entries(rest)) loose[name] = z.nullish(loosen(field))
  // The one place where schemas built at run time are given their type: a documented record is also a tolerable one.
  const documented = exact as unknown as z.ZodMiniType<ReadRecord<Keys, Rest>>
  const tolerant = z.looseObject(loose) as unknown as z.ZodMiniType<ReadRecord<Keys, Rest>>
  return makeReader(documented, tolerant)
}

/** The reader of an array of records. One unusable record makes the whole answer unusable. */
export function listReader<T>(item: Reader<T>): Reader<T[]> {
  return makeReader(z.array(item.documented), z.array(item.tolerant))
}
