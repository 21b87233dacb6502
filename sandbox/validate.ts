import type * as z from "zod/mini"
import { Refusal } from "./refusal.ts"

/**
 * Parses what a client sent. Throws the first problem as `field is required` or `field must be …`, with the
 * given status code name.
 */
export function validate<T>(schema: z.ZodMiniType<T>, raw: unknown, code = "invalid_request"): T {
  const parsed = schema.safeParse(raw)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const path = issue?.path ?? []
  const field = path.map(String).join(".") || "body"
  const missing = valueAt(raw, path) === undefined
  throw new Refusal(
    400,
    code,
    missing ? `${field} is required` : `${field} ${issue?.message ?? "is not valid"}`,
  )
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined
    value = Reflect.get(value, key)
  }
  return value
}
