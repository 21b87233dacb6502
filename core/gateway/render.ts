import { redact, visibleFields } from "../../contract/redaction.ts"
import type { RedactedKind } from "../../contract/redaction.ts"
import type { Role } from "../../contract/roles.ts"
import type { ApiResponse } from "../http.ts"
import type { ReadResult } from "./reads.ts"

/** Who gets a response, and what they already have. */
interface Reader {
  readonly role: Role
  readonly ifNoneMatch: string | undefined
  /** Monotonic ms now. */
  readonly now: number
}

/**
 * The response to a read: the fields the role sees, with its age. The tag is made after redaction, so two roles never
 * share one.
 */
export function renderRead(
  { response, stale }: ReadResult,
  kind: RedactedKind | undefined,
  { role, ifNoneMatch, now }: Reader,
): ApiResponse {
  const data = kind === undefined ? response.data : redactData(kind, role, response.data)
  const body = { success: true, data, ...(response.meta !== undefined && { meta: response.meta }) }
  const etag = etagOf(JSON.stringify(body))
  const headers = {
    "Cache-Control": "private, no-cache",
    ETag: etag,
    Age: String(Math.max(0, Math.floor((now - response.answeredAt) / 1000))),
    "X-Laurel-At": String(Math.round(response.at)),
    ...(stale !== undefined && { "X-Laurel-Stale": "1", "X-Laurel-Stale-Reason": stale }),
  }
  return matchesEtag(ifNoneMatch, etag)
    ? { status: 304, headers, body: undefined }
    : { status: 200, headers, body }
}

/** A record or a list of records as a role may see it. */
export function redactData(kind: RedactedKind, role: Role, data: unknown): unknown {
  if (visibleFields[kind][role] === "all") return data
  if (Array.isArray(data)) return data.map((row: unknown) => redactData(kind, role, row))
  return typeof data === "object" && data !== null ? redact(kind, role, data) : data
}

/** A tag of a body's text: 53 bits of cyrb53, enough to tell one reader's responses apart. */
export function etagOf(text: string): string {
  let one = 0xdeadbeef
  let other = 0x41c6ce57
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    one = Math.imul(one ^ unit, 2654435761)
    other = Math.imul(other ^ unit, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909)
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  const bits = 4294967296 * (2097151 & other) + (one >>> 0)
  return `"${bits.toString(36)}-${text.length.toString(36)}"`
}

/** Whether an `If-None-Match` names this tag. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(",").some((part) => {
    const named = part.trim().replace(/^W\//, "")
    return named === etag || named === "*"
  })
}
