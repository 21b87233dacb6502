import { redact, visibleFields } from "../../contract/redaction.ts"
import type { RedactedKind } from "../../contract/redaction.ts"
import type { Role } from "../../contract/roles.ts"
import type { CachedResponse, View } from "../cache/cache.ts"
import { etagOf, matchesEtag } from "../cache/etag.ts"
import type { DeskAnswer } from "../http.ts"
import type { ReadResult } from "./reads.ts"

const encoder = new TextEncoder()

/** Who gets an answer, and what they already have. */
export interface Reader {
  readonly role: Role
  readonly ifNoneMatch: string | undefined
  /** Monotonic ms now. */
  readonly now: number
}

/**
 * The answer to a read: the fields the role sees, with the copy's age. The tag is made after redaction, so two
 * roles never share one.
 */
export function renderRead(result: ReadResult, kind: RedactedKind | undefined, reader: Reader): DeskAnswer {
  const { response, stale } = result
  const view = viewFor(response, kind, reader.role)
  const headers: Record<string, string> = {
    "Cache-Control": "private, no-cache",
    ETag: view.etag,
    Age: String(Math.max(0, Math.floor((reader.now - response.answeredAt) / 1000))),
    "X-Laurel-At": String(Math.round(response.at)),
  }
  if (stale !== undefined) {
    headers["X-Laurel-Stale"] = "1"
    headers["X-Laurel-Stale-Reason"] = stale
  }
  if (matchesEtag(reader.ifNoneMatch, view.etag)) return { status: 304, headers, body: undefined }
  return { status: 200, headers, body: view.body, bytes: view.bytes }
}

function viewFor(response: CachedResponse, kind: RedactedKind | undefined, role: Role): View {
  const name = kind === undefined || visibleFields[kind][role] === "all" ? "all" : role
  const known = response.views.get(name)
  if (known !== undefined) return known
  const data = kind === undefined ? response.data : redactData(kind, role, response.data)
  const body =
    response.meta === undefined ? { success: true, data } : { success: true, data, meta: response.meta }
  const text = JSON.stringify(body)
  const view: View = { body, bytes: encoder.encode(text), etag: etagOf(text) }
  response.views.set(name, view)
  return view
}

/** A record or a list of records as a role may see it. */
export function redactData(kind: RedactedKind, role: Role, data: unknown): unknown {
  if (Array.isArray(data)) return data.map((row: unknown) => redactData(kind, role, row))
  return typeof data === "object" && data !== null ? redact(kind, role, data) : data
}
