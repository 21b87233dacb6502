import type * as z from "zod/mini"
import type { FieldProblem } from "../../contract/desk/answer.ts"
import { invalid } from "./failure.ts"
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

function fieldsOf(body: unknown): readonly unknown[] {
  return typeof body === "object" && body !== null ? Object.values(body) : []
}

function namesPrototype(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__")
}
