import type * as z from "zod/mini"
import { limits } from "../contract/limits.ts"
import type { FieldProblem } from "../contract/response.ts"
import { type AppError, badRequest, invalid } from "./errors.ts"

/** Laurel's own sentences, given with each parse: the library's own texts are one setting for the whole process. */
const inOwnWords = { error: sentence }

function fieldProblems(issues: readonly z.core.$ZodIssue[]): FieldProblem[] {
  const found = new Map<string, string>()
  let bodyProblem: string | undefined
  for (const issue of issues) {
    const path = issue.path.map(String).join(".")
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) found.set(path === "" ? key : `${path}.${key}`, "Unknown field.")
    } else if (path === "") bodyProblem ??= issue.message
    else if (!found.has(path)) found.set(path, issue.message)
  }
  // A problem of the whole is usually the shadow of one that has a name.
  if (bodyProblem !== undefined && found.size === 0) found.set("body", bodyProblem)
  return [...found].map(([field, message]) => ({ field, message }))
}

function sentence(issue: z.core.$ZodRawIssue): string {
  const unit = issue.origin === "string" ? " characters" : ""
  switch (issue.code) {
    case "invalid_value":
      return `One of: ${issue.values.join(", ")}.`
    case "too_small":
      return `At least ${issue.minimum}${unit}.`
    case "too_big":
      return `At most ${issue.maximum}${unit}.`
    case "invalid_format":
      return formats[issue.format] ?? "Unexpected format."
    case "invalid_key":
      return issue.issues[0]?.message ?? "This name cannot be used."
    case "invalid_type":
      return issue.input === undefined ? "This is missing." : (types[issue.expected] ?? "Unexpected format.")
    default:
      return "Not allowed here."
  }
}

const formats: Readonly<Record<string, string>> = {
  date: "A date such as 2026-03-31.",
  datetime: "A time such as 2026-03-31T09:00:00Z.",
}

const types: Readonly<Record<string, string>> = {
  int: "A whole number.",
  number: "A whole number.",
  string: "Text.",
  boolean: "Yes or no.",
  object: "An object with fields.",
}

/** Parameters that are whole numbers in the documents and in Laurel's own lists. */
const numbers: ReadonlySet<string> = new Set([
  "page",
  "per_page",
  "limit",
  "min_points",
  "max_points",
  "expiring_days",
  "late_days",
])

/** Reads an address's parameters by a strict schema; an empty one counts as not given. @throws AppError 400 */
export function readQuery<T>(search: string, schema: z.ZodMiniType<T>): T {
  const parsed = schema.safeParse(recordOf(new URLSearchParams(search)), inOwnWords)
  if (!parsed.success) throw invalid(400, fieldProblems(parsed.error.issues))
  return parsed.data
}

/** For paths without parameters. @throws AppError 400 `validation` */
export function noQuery(search: string): void {
  const names = [...new Set(new URLSearchParams(search).keys())]
  if (names.length > 0) {
    throw invalid(
      400,
      names.map((field) => ({ field, message: "Unknown field." })),
    )
  }
}

function recordOf(params: URLSearchParams): Readonly<Record<string, string | number>> {
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

/** Parameters in a fixed order, so that equal queries are equal text. */
export function canonicalQuery(record: Readonly<Record<string, unknown>>): URLSearchParams {
  const params = new URLSearchParams()
  for (const name of Object.keys(record).toSorted()) {
    const value = record[name]
    if (typeof value === "string" || typeof value === "number") params.set(name, String(value))
  }
  return params
}

/** An error instead of dropping the key: input is kept or refused, never lost. */
const unusable: FieldProblem = { field: "__proto__", message: "This name cannot be used." }

/** Reads a body by a strict schema. @throws AppError 422 `validation` with one problem for each field */
export function readBody<T>(body: unknown, schema: z.ZodMiniType<T>): T {
  if ([body, ...(isNested(body) ? Object.values(body) : [])].some(namesPrototype))
    throw invalid(422, [unusable])
  const parsed = schema.safeParse(body, inOwnWords)
  if (!parsed.success) throw invalid(422, fieldProblems(parsed.error.issues))
  return parsed.data
}

/** Refuses a body nested too deep to be walked by recursion; needs no stack itself. @throws AppError 400 */
export function requireFlat(body: unknown): void {
  let level = [body].filter(isNested)
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === limits.bodyDepth) throw tooDeep()
    level = level.flatMap((value) => Object.values(value).filter(isNested))
  }
}

/** The refusal of a body that is nested too deep; also for one that could not even be parsed for its depth. */
export function tooDeep(): AppError {
  return badRequest(
    `The body is nested deeper than ${limits.bodyDepth} levels. Nothing was done. Send it flatter.`,
  )
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

function namesPrototype(value: unknown): boolean {
  return isNested(value) && Object.hasOwn(value, "__proto__")
}
