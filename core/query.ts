import type * as z from "zod/mini"
import type { FieldProblem } from "../contract/response.ts"
import { invalid } from "./failure.ts"
import { fieldProblems, inOwnWords } from "./problems.ts"

/** Parameters that are whole numbers in the documents and in the desk's own lists. */
const numbers: ReadonlySet<string> = new Set([
  "page",
  "per_page",
  "limit",
  "min_points",
  "max_points",
  "expiring_days",
])

/** Parameters of an address, as text and numbers. */
type QueryRecord = Readonly<Record<string, string | number>>

/**
 * Reads an address's parameters, which come as text, by a strict schema. An empty parameter counts as not given.
 * @throws DeskFailure 400 `validation` naming each parameter that is unknown, repeated or not acceptable
 */
export function readQuery<T>(search: string, schema: z.ZodMiniType<T>): T {
  const parsed = schema.safeParse(recordOf(new URLSearchParams(search)), inOwnWords)
  if (!parsed.success) throw invalid(400, fieldProblems(parsed.error.issues))
  return parsed.data
}

/**
 * Refuses every parameter, for addresses that take none.
 * @throws DeskFailure 400 `validation`
 */
export function noQuery(search: string): void {
  const names = [...new Set(new URLSearchParams(search).keys())]
  if (names.length > 0) {
    throw invalid(
      400,
      names.map((field) => ({ field, message: "Unknown field." })),
    )
  }
}

function recordOf(params: URLSearchParams): QueryRecord {
  // A map first: a parameter called __proto__ is then one more unknown name.
  const record = new Map<string, string | number>()
  const repeated: FieldProblem[] = []
  for (const [name, text] of params) {
    if (record.has(name)) repeated.push({ field: name, message: "Use it only once." })
    if (text === "") continue
    record.set(name, numbers.has(name) && /^-?\d{1,15}$/.test(text) ? Number(text) : text)
  }
  if (repeated.length > 0) throw invalid(400, repeated)
  return Object.fromEntries(record)
}

/** Parameters in a fixed order, so that equal questions are equal text. */
export function canonicalQuery(record: Readonly<Record<string, unknown>>): URLSearchParams {
  const params = new URLSearchParams()
  for (const name of Object.keys(record).toSorted()) {
    const value = record[name]
    if (typeof value === "string" || typeof value === "number") params.set(name, String(value))
  }
  return params
}
