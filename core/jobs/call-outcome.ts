import { type CatalogueEntry, explainUpstream } from "../../contract/error-catalogue.ts"
import { pauseCodes } from "../../contract/job.ts"
import { rowOutcome } from "../../contract/row-outcomes.ts"
import { isLimited, readServiceError, refusesUnread, isFailureEnvelope } from "../gateway/upstream-errors.ts"
import type { Api } from "../../contract/response.ts"
import type { UpstreamResult } from "../ports.ts"
import { cutText } from "./job-record.ts"
import type { RowOutcome } from "./job-kind.ts"

// Classifies a call's response by an allow-list: anything not listed is `unknown` (docs/jobs.md, The outcome of a call).

/** What a call's response proves about the request. */
export type CallOutcome =
  /** The request never reached the service, or was rejected without processing. */
  | { readonly kind: "not_done"; readonly limited: boolean; readonly how: string }
  | {
      readonly kind: "success"
      readonly data: unknown
      /** The raw response: the gift-card service also uses the status and fields outside `data`. */
      readonly response: { readonly status: number; readonly body: unknown }
    }
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  /** No request of this kind will succeed: the whole job pauses. */
  | { readonly kind: "systemic"; readonly status: number; readonly code: string; readonly message: string }
  | {
      readonly kind: "unknown"
      readonly how: string
      readonly responded: boolean
      /** The service's error, where the status alone says something else. */
      readonly serviceError?: RowOutcome
      /** An undocumented refusal: looked up, and never repeated automatically. */
      readonly sendOnce?: true
    }

const refusals: ReadonlySet<number> = new Set([400, 404, 409, 422])
/** Statuses with which the service refuses every request of this kind. */
const refusesAll: ReadonlySet<number> = new Set([401, 402, 403])

/** Needs the `api`, because a 409 of the gift-card service proves something else than one of the program service. */
export function readCallOutcome(api: Api, outcome: UpstreamResult): CallOutcome {
  if (isLimited(outcome))
    return { kind: "not_done", limited: true, how: "the service asked Laurel to wait (429)" }
  const seconds = `after ${(outcome.ms / 1000).toFixed(1)} s`
  switch (outcome.kind) {
    case "not_sent":
      return { kind: "not_done", limited: false, how: `not sent: ${outcome.what}` }
    case "no_answer":
      return { kind: "unknown", how: `${outcome.what}, ${seconds}`, responded: false }
    case "unreadable":
      // The status is enough without the body.
      if (refusesUnread.has(outcome.status) || isCardConflict(api, outcome.status))
        return readResponse(api, outcome.status, undefined, seconds)
      return {
        kind: "unknown",
        how: `status ${outcome.status} with ${outcome.what}, ${seconds}`,
        responded: false,
        ...undocumentedRefusal(api, outcome.status, undefined),
      }
    case "answer":
      return readResponse(api, outcome.status, outcome.body, seconds)
    default:
      return outcome satisfies never
  }
}

function readResponse(api: Api, status: number, body: unknown, seconds: string): CallOutcome {
  if (status >= 200 && status < 300) return readSuccess(status, body, seconds)
  // The only record in an issue request is its template, which many rows share.
  if (api === "giftcard" && status === 404) return templateNotFound
  const error = readError(body)
  const entry = explainUpstream(api, status, error.code)
  // An entry found by status alone is a guess: it must not pause the whole job.
  const known = entry?.code === error.code ? entry : undefined
  if (refusesAll.has(status) || known?.systemic) return systemic(status, error.code, entry)
  if (isCardConflict(api, status) && known === undefined) return unexplainedConflict
  if (isRefusal(status, error.code)) {
    const unexplained = known?.happened ?? `The service refused with ${status} and gave no reason.`
    return { kind: "refused", code: error.code ?? String(status), message: error.message ?? unexplained }
  }
  const undocumented = undocumentedRefusal(api, status, error)
  return { kind: "unknown", how: `status ${status}, ${seconds}`, responded: status < 500, ...undocumented }
}

function systemic(status: number, code: string | undefined, entry: CatalogueEntry | undefined): CallOutcome {
  const message =
    entry === undefined ? `The service refused with ${status}.` : `${entry.happened} ${entry.next}`
  return { kind: "systemic", status, code: code ?? entry?.code ?? String(status), message }
}

function readSuccess(status: number, body: unknown, seconds: string): CallOutcome {
  if (!isFailureEnvelope(body) && !holdsOnlyError(body)) {
    const data = typeof body === "object" && body !== null && "data" in body ? body.data : undefined
    return { kind: "success", data, response: { status, body } }
  }
  // Status and body contradict each other: only a lookup can tell.
  const { code = String(status), message } = readError(body)
  const what = message === undefined ? "an error without a reason" : `the error “${message}”`
  return {
    kind: "unknown",
    how: `status ${status} with ${what}, ${seconds}`,
    responded: true,
    ...(message !== undefined && { serviceError: { code, message } }),
  }
}

/** A code that repeats the status may come from a proxy: it is no refusal by the service. */
function isRefusal(status: number, code: string | undefined): boolean {
  return refusesUnread.has(status) || (refusals.has(status) && code !== undefined && code !== String(status))
}

/**
 * A 4xx that docs/api/giftcard.md, Errors, does not list, such as 405 or 418, proves nothing about a card. Other kinds
 * look up every unusable response and need no special case.
 */
function undocumentedRefusal(api: Api, status: number, error: ReturnType<typeof readError> | undefined) {
  if (api !== "giftcard" || status < 400 || status > 499 || status === 408) return undefined
  const message = error?.message ?? `The service refused with ${status} and gave no reason.`
  return { sendOnce: true, serviceError: { code: error?.code ?? String(status), message } } as const
}

/** An error in place of the record: the gift-card envelope is not documented (docs/api/giftcard.md, Not shown). */
function holdsOnlyError(body: unknown): boolean {
  if (typeof body !== "object" || body === null || "data" in body || !("error" in body)) return false
  return body.error !== null && body.error !== undefined && body.error !== false
}

function isCardConflict(api: Api, status: number): boolean {
  return api === "giftcard" && status === 409
}

/** A 409 can mean that the card exists: without a documented code only a lookup of its reference can tell. */
const unexplainedConflict: CallOutcome = { kind: "refused", ...rowOutcome("conflict_unexplained") }

const templateNotFound: CallOutcome = {
  kind: "systemic",
  status: 404,
  code: pauseCodes.templateNotFound,
  message:
    "The gift-card service has no card template with this id. No card was issued. Check the template’s id in the settings, then resume.",
}

const longestMessage = 500

function readError(body: unknown): { code: string | undefined; message: string | undefined } {
  const { code, message } = readServiceError(body)
  return { code: storable(code) || undefined, message: storable(message) }
}

function storable(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined
  return cutText(text.toWellFormed().replaceAll("\u0000", "\uFFFD"), longestMessage)
}
