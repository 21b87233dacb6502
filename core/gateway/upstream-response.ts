import { parseExact } from "../../contract/exact-json.ts"
import type { UpstreamCall, UpstreamEnd } from "../ports.ts"

/** Names of secret fields at any depth, in any spelling (docs/api/giftcard.md, Issue a card). */
const secretFields: ReadonlySet<string> = new Set(["redeemurl", "redeemlink", "giftcardcode"])

/**
 * Removes every secret from a response, in place: redeem links at any depth, and the `code` of an order in both its
 * shapes. An error's `code` stays. Called where a response arrives, so that no secret is ever held further in.
 */
export function dropSecrets(value: unknown, isFulfilment = false): unknown {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) {
    for (const item of value) dropSecrets(item, isFulfilment)
    return value
  }
  const holdsCode = isFulfilment || Object.hasOwn(value, "order_id")
  for (const name of Object.keys(value)) {
    const plain = name.replaceAll(/[_-]/g, "").toLowerCase()
    if (secretFields.has(plain) || (holdsCode && plain === "code")) Reflect.deleteProperty(value, name)
    else dropSecrets(Reflect.get(value, name), isFulfilment || plain === "fulfillment")
  }
  return value
}

/** What a JSON text with a secret has: the fields' names in every spelling, or an escape that could hide one. */
const trace = new RegExp(
  `${[...secretFields, "fulfillment"].map((name) => name.split("").join("[_-]*")).join("|")}|order_id|\\\\u`,
  "iu",
)

/** The secret at its documented place: a card's redeem link or an order's digital code in either of its shapes. */
function secretIn(body: unknown): string | undefined {
  const data = fieldOf(body, "data")
  if (fieldOf(data, "order_id") !== undefined)
    return usable(fieldOf(fieldOf(data, "fulfillment"), "code")) ?? usable(fieldOf(data, "code"))
  const link = usable(fieldOf(data, "redeemUrl"))
  return link !== undefined && /^https?:\/\/\S+$/.test(link) ? link : undefined
}

/** Takes a redeem link, and the token at its end, out of an issue's `message`, which is kept with the card. */
function hideLinkInMessage(body: unknown): void {
  const link = secretIn(body)
  const message = fieldOf(body, "message")
  if (link === undefined || typeof message !== "string" || typeof body !== "object" || body === null) return
  const token = link.split(/[/?#=]/).findLast((part) => part.length >= shortestKey)
  const hidden = [link, ...(token === undefined ? [] : [token])].reduce(
    (text, secret) => text.replaceAll(secret, "[link]"),
    message,
  )
  Reflect.set(body, "message", hidden)
}

function usable(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}

/** Shorter than this and it is no key, but a piece of ordinary text. */
const shortestKey = 8

/** Takes a service's key out of a text: a refusal may repeat it, and is shown to people and written into the log. */
export function keyHider(key: string): (text: string) => string {
  if (key.length < shortestKey) return (text) => text
  const inJson = JSON.stringify(key).slice(1, -1)
  const forms = [...new Set([key, inJson, inJson.replaceAll("/", "\\/")])]
  return (text) => forms.reduce((rest, form) => rest.replaceAll(form, "[key]"), text)
}

/** Whole pairs stay; a NUL or half a surrogate pair, which no store takes, can come as an escape only. */
const escapes = /(\\\\|\\ud[89ab]..\\ud[c-f]..)|\\u(?:0000|d[89a-f]..)/gi

/** Longest response that is read, in bytes. */
export const maxResponseBytes = 16_000_000
/** Deepest nesting of a response that is parsed: a parser that recurses would run out of its stack. */
const deepestResponse = 200

const statusesWithoutBody: ReadonlySet<number> = new Set([204, 205])

/** Parses a response: JSON without its secrets, which `onSecret` receives, or why it cannot be used, as for redirects. */
export function parseUpstreamResponse(
  status: number,
  text: string,
  onSecret?: UpstreamCall["onSecret"],
): UpstreamEnd {
  if (status >= 300 && status < 400) return { kind: "unreadable", status, what: "a redirect" }
  if (statusesWithoutBody.has(status)) return { kind: "answer", status, body: undefined }
  const content = text
    .replace(/^\uFEFF/, "")
    .replace(escapes, (_, pair: string | undefined) => pair ?? "\uFFFD")
  if (content.trim() === "") return { kind: "unreadable", status, what: "an empty response" }
  if (isTooDeep(content)) return { kind: "unreadable", status, what: "a response nested too deep" }
  try {
    const body = parseExact(content)
    const secret = onSecret === undefined ? undefined : secretIn(body)
    if (secret !== undefined) onSecret?.(secret)
    if (!trace.test(text)) return { kind: "answer", status, body }
    hideLinkInMessage(body)
    return { kind: "answer", status, body: dropSecrets(body) }
  } catch {
    const page = content.trimStart().startsWith("<")
    return { kind: "unreadable", status, what: page ? "a web page" : "invalid or incomplete JSON" }
  }
}

/** Whether brackets outside of texts are nested too deep; it needs no stack itself. */
function isTooDeep(json: string): boolean {
  let depth = 0
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"?|[[{\]}]/gs)) {
    if (token === "[" || token === "{") depth += 1
    else if (token === "]" || token === "}") depth -= 1
    if (depth > deepestResponse) return true
  }
  return false
}

/** The response with what its headers say of time; `now` is ms since 1970. */
export function withServiceTimes(
  end: UpstreamEnd,
  header: (name: "date" | "retry-after") => string | null | undefined,
  now: number,
): UpstreamEnd {
  if (end.kind !== "answer") return end
  const serviceTime = serviceTimeOf(header("date") ?? undefined)
  const retryAfter = retryAfterSeconds(header("retry-after") ?? undefined, serviceTime ?? now)
  return { ...end, serviceTime, retryAfter }
}

/** Seconds of a `Retry-After`: a number, or a date counted from `now` (ms since 1970). */
export function retryAfterSeconds(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text)
  // A date always begins with its weekday; the platform would read a date into almost anything.
  const at = /^[A-Za-z]{3}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}

/** A `Date` header in ms since 1970; undefined when there is none that can be read. */
function serviceTimeOf(header: string | undefined): number | undefined {
  const at = header === undefined ? Number.NaN : Date.parse(header)
  return Number.isNaN(at) ? undefined : at
}
