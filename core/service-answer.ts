import { parseExact } from "../contract/exact-json.ts"
import type { UpstreamCall } from "./ports.ts"
import { dropSecrets, hideLinkInMessage, mayHoldSecrets, secretIn } from "./secrets.ts"

/** An answer that arrived whole, read or not. */
export type ArrivedAnswer =
  | { readonly kind: "answer"; readonly status: number; readonly body: unknown }
  | { readonly kind: "unreadable"; readonly status: number; readonly what: string }

/** Longest answer that is read, in bytes. */
export const longestAnswerBytes = 8_000_000

const statusesWithoutBody: ReadonlySet<number> = new Set([204, 205])

/**
 * Reads an answer that arrived whole: JSON without its secrets, or why it cannot be used. Redirects are never
 * followed: a service that moved is a matter of the desk's set-up.
 * @param mayHold whether secrets may stand in the text, for a caller who has looked already
 * @param onSecret hears the secret before it is dropped
 */
export function readServiceAnswer(
  status: number,
  text: string,
  mayHold = mayHoldSecrets(text),
  onSecret?: UpstreamCall["onSecret"],
): ArrivedAnswer {
  if (status >= 300 && status < 400) return { kind: "unreadable", status, what: "a redirect" }
  if (statusesWithoutBody.has(status)) return { kind: "answer", status, body: undefined }
  const content = text.startsWith("\uFEFF") ? text.slice(1) : text
  if (content.trim() === "") return { kind: "unreadable", status, what: "an empty response" }
  try {
    const body = parseExact(content)
    const secret = onSecret === undefined ? undefined : secretIn(body)
    if (secret !== undefined) onSecret?.(secret)
    if (mayHold) hideLinkInMessage(body)
    return { kind: "answer", status, body: mayHold ? dropSecrets(body) : body }
  } catch {
    const page = content.trimStart().startsWith("<")
    return { kind: "unreadable", status, what: page ? "a web page" : "invalid or incomplete JSON" }
  }
}

/**
 * Seconds of a `Retry-After`: a number, or a date counted from `now` (ms since 1970); undefined for anything else.
 */
export function retryAfterSeconds(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text)
  // A date always begins with its weekday; the platform would read a date into almost anything.
  const at = /^[A-Za-z]{3}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}

/** A `Date` header in ms since 1970; undefined when there is none that can be read. */
export function serviceTimeOf(header: string | undefined): number | undefined {
  const at = header === undefined ? Number.NaN : Date.parse(header)
  return Number.isNaN(at) ? undefined : at
}
