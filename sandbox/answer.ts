import type { Context } from "hono"
import { invalid, type Refusal } from "./refusal.ts"
import type { SandboxSettings } from "./settings.ts"
import type { CallEnv } from "./world.ts"

/** Position of a page in its list; `total` is shown in the meta of paginated lists. */
export interface PageMeta {
  readonly page: number
  readonly per_page: number
  readonly total: number
}

/** A success in the program API's envelope (docs/api/program.md, Envelope). */
export function envelope(
  c: Context<CallEnv>,
  data: unknown,
  status: 200 | 201 = 200,
  meta?: PageMeta,
): Response {
  return c.json(meta === undefined ? { success: true, data } : { success: true, data, meta }, status)
}

/** An error in the program API's envelope. */
export function programError(status: number, code: string, message: string): Response {
  return Response.json({ success: false, error: { code, message } }, { status })
}

/** An error of the gift-card API in the shape the settings ask for (docs/api/giftcard.md, Not shown). */
export function giftcardError(settings: SandboxSettings, refusal: Refusal): Response {
  const { status, code, message, data } = refusal
  const beside = data === undefined ? {} : { data }
  const shapes = {
    object: () => ({ error: code === undefined ? { message } : { code, message }, ...beside }),
    flat: () => (code === undefined ? { message, ...beside } : { code, message, ...beside }),
    string: () => ({ error: code ?? message, ...beside }),
    none: () => ({ message, ...beside }),
    errorCode: () => ({ ...(code !== undefined && { errorCode: code }), message, ...beside }),
    errors: () => ({ errors: [code === undefined ? { message } : { code, message }], ...beside }),
    numeric: () => ({ code: status, message, ...beside }),
  }
  return Response.json(shapes[settings.giftcardErrorShape](), { status })
}

/** A time as both APIs write it. */
export function iso(ms: number): string {
  return new Date(ms).toISOString()
}

/** A time that may be missing. */
export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : iso(ms)
}

/** Treats the fields that have no value the way the settings say: left out, null, or empty text. */
export function withAbsent(
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
