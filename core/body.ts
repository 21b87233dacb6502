import type * as z from "zod/mini"
import type { FieldProblem } from "../contract/response.ts"
import { limits } from "../contract/limits.ts"
import { DeskFailure, invalid } from "./failure.ts"
import { fieldProblems, inOwnWords } from "./problems.ts"

/** Said instead of leaving the key out: what a person sends is kept or refused, never lost. */
const unusable: FieldProblem = { field: "__proto__", message: "This name cannot be used." }

/**
 * Reads a body by a strict schema.
 * @throws DeskFailure 422 `validation` with one problem for each field
 */
export function readBody<T>(body: unknown, schema: z.ZodMiniType<T>): T {
  if ([body, ...fieldsOf(body)].some(namesPrototype)) throw invalid(422, [unusable])
  const parsed = schema.safeParse(body, inOwnWords)
  if (!parsed.success) throw invalid(422, fieldProblems(parsed.error.issues))
  return parsed.data
}

/**
 * Refuses a body that is nested deeper than anything the desk takes, before something walks through it by recursion:
 * hashing, comparing and writing it would overflow the stack. Needs no stack itself.
 * @throws DeskFailure 400 `bad_request`
 */
export function requireFlat(body: unknown): void {
  let level = [body].filter(isNested)
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === limits.bodyDepth) throw tooDeep()
    level = level.flatMap((value) => Object.values(value).filter(isNested))
  }
}

/** The refusal of a body that is nested too deep; also for one that could not even be parsed for its depth. */
export function tooDeep(): DeskFailure {
  return new DeskFailure({
    status: 400,
    code: "bad_request",
    message: `The body is nested deeper than ${limits.bodyDepth} levels. Nothing was done. Send it flatter.`,
  })
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

function fieldsOf(body: unknown): readonly unknown[] {
  return typeof body === "object" && body !== null ? Object.values(body) : []
}

function namesPrototype(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__")
}
