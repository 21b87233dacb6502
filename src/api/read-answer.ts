import * as z from "zod/mini"
import { deskError, deskMeta } from "../../contract/desk/answer.ts"
import { parseExact } from "../../contract/exact-json.ts"
import { ApiError, UnreadableAnswer } from "./errors.ts"
import type { Answer } from "./request.ts"

/** The outside of every answer. Reading is tolerant: a gift-card answer carries no `success`. */
const envelope = z.looseObject({ data: z.unknown(), meta: z.optional(z.nullable(deskMeta)) })

/**
 * Reads one answer of the desk's server.
 * @throws ApiError when it refuses; UnreadableAnswer when it is not what was agreed
 */
export function readAnswer<T>(response: Response, text: string, schema: z.ZodMiniType<T>): Answer<T> {
  const requestId = response.headers.get("X-Request-Id") ?? undefined
  const body = parseJson(response, text, requestId)
  if (!response.ok) throw refusal(response, body, requestId)

  const outside = body === undefined ? { data: undefined, meta: undefined } : envelope.safeParse(body).data
  if (outside === undefined) throw new UnreadableAnswer("no data", response.status, requestId)
  const inside = schema.safeParse(outside.data)
  if (!inside.success) {
    throw new UnreadableAnswer(z.prettifyError(inside.error), response.status, requestId, inside.error)
  }
  const age = secondsOf(response.headers.get("Age")) ?? 0
  return {
    data: inside.data,
    meta: outside.meta ?? undefined,
    age,
    at: Date.now() - age * 1000,
    stale: response.headers.get("X-Laurel-Stale") === "1",
  }
}

function parseJson(response: Response, text: string, requestId: string | undefined): unknown {
  if (text === "") return undefined
  try {
    return parseExact(text)
  } catch (error) {
    throw new UnreadableAnswer("not JSON", response.status, requestId, error)
  }
}

function refusal(response: Response, body: unknown, requestId: string | undefined): Error {
  const parsed = deskError.safeParse(body)
  if (!parsed.success) return new UnreadableAnswer("an error without a code", response.status, requestId)
  const { code, message, details, requestId: named } = parsed.data.error
  const retryAfter = secondsOf(response.headers.get("Retry-After"))
  return new ApiError({ status: response.status, code, message, requestId: named, retryAfter, details })
}

/** A header that counts seconds; a missing, negative or unreadable one is none. */
function secondsOf(header: string | null): number | undefined {
  if (header === null || !/^\d+$/.test(header.trim())) return undefined
  return Number(header)
}
