import type { Context } from "hono"
import type * as z from "zod/mini"
import type { SandboxSettings } from "./config.ts"
import type { CallEnv } from "./world.ts"

/** A success in the program API's envelope (docs/api/program.md, Envelope). */
export function envelope(c: Context<CallEnv>, data: unknown, status: 200 | 201 = 200): Response {
  return c.json({ success: true, data }, status)
}

/** A page of a list whose total is known. */
export function pageEnvelope(
  c: Context<CallEnv>,
  data: readonly unknown[],
  { page, per_page }: { page: number; per_page: number },
  total: number,
): Response {
  return c.json({ success: true, data, meta: { page, per_page, total } })
}

/** An error in the program API's envelope. */
export function programError(status: number, code: string, message: string): Response {
  return Response.json({ success: false, error: { code, message } }, { status })
}

/** An error of the gift-card API in the shape the settings ask for (docs/api/giftcard.md, Not shown). */
export function giftcardError(settings: SandboxSettings, refusal: Refusal): Response {
  const { status, code, message, data } = refusal
  // JSON leaves out what is undefined.
  const shapes = {
    object: { error: { code, message } },
    flat: { code, message },
    string: { error: code ?? message },
    none: { message },
    errorCode: { errorCode: code, message },
    errors: { errors: [{ code, message }] },
    numeric: { code: status, message },
  }
  return Response.json({ ...shapes[settings.giftcardErrorShape], data }, { status })
}

/** A time as both APIs write it. */
export function iso(ms: number): string {
  return new Date(ms).toISOString()
}

/** Treats the fields that have no value the way the settings say: left out, null, or empty text. */
export function formatAbsentFields(
  settings: SandboxSettings,
  record: Record<string, unknown>,
): Record<string, unknown> {
  if (settings.absentFields === "null") return record
  const empty = settings.absentFields === "empty"
  const entries = Object.entries(record).map(([key, value]) => [key, value === null && empty ? "" : value])
  return Object.fromEntries(entries.filter(([, value]) => value !== null))
}

/** The JSON object a request carries. Throws 400 for anything else. */
export async function readBody(c: Context<CallEnv>): Promise<Record<string, unknown>> {
  const type = c.req.header("content-type") ?? ""
  if (!/^application\/json\b/i.test(type)) throw invalid("Content-Type must be application/json")
  const parsed = parseJson(await c.req.text())
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw invalid("The request body must be a JSON object")
  }
  return { ...parsed }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid("The request body is not valid JSON")
  }
}

/** Which of the two upstream APIs a request is for. */
export type Api = "program" | "giftcard"

/** A documented refusal, turned into the error body of its API. `code` undefined: the document names none. */
export class Refusal extends Error {
  override readonly name = "Refusal"
  readonly status: number
  readonly code: string | undefined
  /** Further fields of the error body, such as the existing card. */
  readonly data: unknown

  constructor(status: number, code: string | undefined, message: string, data?: unknown) {
    super(message)
    this.status = status
    this.code = code
    this.data = data
  }
}

/** A refusal whose code the document does not specify. */
export function unspecified(status: number, message: string): Refusal {
  return new Refusal(status, undefined, message)
}

/** 400 `invalid_request` of the program API. */
export function invalid(message: string): Refusal {
  return new Refusal(400, "invalid_request", message)
}

/** 404 `not_found` of the program API. */
export function notFound(what: string): Refusal {
  return new Refusal(404, "not_found", `${what} not found`)
}

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
  const problem = valueAt(raw, path) === undefined ? "is required" : (issue?.message ?? "is not valid")
  throw new Refusal(400, code, `${field} ${problem}`)
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined
    value = Reflect.get(value, key)
  }
  return value
}
