import type * as z from "zod/mini"
import { invalid } from "./failure.ts"
import { fieldProblems, inOwnWords } from "./problems.ts"

/**
 * Reads a body by a strict schema.
 * @throws DeskFailure 422 `validation` with one problem for each field
 */
export function readBody<T>(body: unknown, schema: z.ZodMiniType<T>): T {
  const parsed = schema.safeParse(body, inOwnWords)
  if (!parsed.success) throw invalid(422, fieldProblems(parsed.error.issues))
  return parsed.data
}
