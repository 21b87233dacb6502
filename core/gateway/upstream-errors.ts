import { giftcardErrors } from "../../contract/error-catalogue.ts"
import type { Api } from "../../contract/response.ts"
import { AppError } from "../errors.ts"
import type { UpstreamResult } from "../ports.ts"

/** Calls longer than this count as slow, in ms. */
export const slowMs = 2000

/** HTTP status of a result, readable or not; undefined when nothing came. */
export function statusOf(result: UpstreamResult): number | undefined {
  return result.kind === "answer" || result.kind === "unreadable" ? result.status : undefined
}

/** Whether the service throttled the request: it was not carried out. */
export function isLimited(result: UpstreamResult): boolean {
  return statusOf(result) === 429
}

/** Whether a result says that something is wrong with the service or the key, in a few words; else undefined. */
export function serviceProblem(result: UpstreamResult): string | undefined {
  switch (result.kind) {
    case "not_sent":
      return `couldn’t be reached: ${result.what}`
    case "no_answer":
      return `didn’t respond: ${result.what}`
    case "unreadable":
      return isLimited(result) ? undefined : `sent an unreadable response: ${result.what}`
    case "answer":
      if (result.status === 401 || result.status === 403) return `refused the key (${result.status})`
      return result.status >= 500 ? `had an error (${result.status})` : undefined
    default:
      return result satisfies never
  }
}

export function labelOf(result: UpstreamResult): string {
  if (isLimited(result)) return "limited"
  if (result.kind !== "answer") return result.kind
  if (result.status >= 500) return "fault"
  if (result.status === 401 || result.status === 403) return "key_refused"
  return result.status >= 400 ? "refused" : "ok"
}

/** The services as sentences name them. */
export const serviceNames: Readonly<Record<Api, string>> = {
  program: "the program service",
  giftcard: "the gift-card service",
}

/** The same at the beginning of a sentence. */
export const serviceNamesFirst: Readonly<Record<Api, string>> = {
  program: "The program service",
  giftcard: "The gift-card service",
}

const longestMessage = 500

/** Both services document them for requests that were not carried out, so an unreadable body is a refusal too. */
export const refusesUnread: ReadonlySet<number> = new Set([400, 422])

/** These keep their status. Others are between Laurel and the service: a browser would send again after a 408. */
const refusesInput: ReadonlySet<number> = new Set([400, 402, 409, 410, 422])

/** What a service's refusal means here. 401 and 403 are about Laurel's key and, like faults, become a 502. */
export function serviceRefusal(api: Api, status: number, body: unknown): AppError {
  const { code, message } = readServiceError(body)
  return refusal(api, status, status === 404, message, code)
}

function refusal(
  api: Api,
  status: number,
  isMissing: boolean,
  message: string | undefined,
  code: string | undefined,
): AppError {
  const name = serviceNamesFirst[api]
  const own = isMissing
    ? `${name} does not have this record.`
    : `${name} refused with ${status} and gave no reason. Try again in a moment.`
  const shown = refusesInput.has(status) ? status : 502
  return new AppError({
    status: isMissing ? 404 : shown,
    code: isMissing ? "not_found" : "refused_by_service",
    message: message?.slice(0, longestMessage).toWellFormed() ?? own,
    details: { api, upstream_status: status, upstream_code: code ?? null },
  })
}

const ambiguous = "AMBIGUOUS_EXTERNAL_REF"

/**
 * What the refusal of a card's lookup means. A 409 is documented for one thing only, readable or not. What is sent for
 * a missing card is not: a refusal without a documented code is "not found" (docs/open-points.md).
 */
function lookUpRefusal(status: number, body: unknown): AppError {
  const { code, message } = readServiceError(body)
  if (status === 409)
    return refusal(
      "giftcard",
      409,
      false,
      message ?? "Several cards have this reference. Choose a template.",
      ambiguous,
    )
  const documented = giftcardErrors.some((entry) => entry.code !== null && entry.code === code)
  const isMissing = status === 404 || (!documented && [400, 410, 422].includes(status))
  return refusal("giftcard", status, isMissing, message, code)
}

/** Whether a lookup was refused because several cards have the reference. */
export function isAmbiguous(error: unknown): error is AppError {
  return error instanceof AppError && error.details?.upstream_code === ambiguous
}

/** The failure of a read that ended in anything but a success. */
export function readFailure(api: Api, result: UpstreamResult): AppError {
  if (result.kind === "answer") {
    const { status, body } = result
    return api === "giftcard" ? lookUpRefusal(status, body) : serviceRefusal(api, status, body)
  }
  if (result.kind !== "unreadable") return troubleFailure(api, result)
  if (api === "giftcard" && result.status === 409) return lookUpRefusal(409, undefined)
  return refusesUnread.has(result.status)
    ? serviceRefusal(api, result.status, undefined)
    : troubleFailure(api, result)
}

/** The failure that a result without a usable response is. */
export function troubleFailure(api: Api, result: Exclude<UpstreamResult, { kind: "answer" }>): AppError {
  if (result.kind === "unreadable") return unreadable(api, result.status, result.what)
  const name = serviceNamesFirst[api]
  const wasSent = result.kind === "no_answer"
  return new AppError({
    status: wasSent ? 504 : 502,
    code: "upstream_unreachable",
    message: wasSent
      ? `${name} didn’t respond: ${result.what}. Try again in a moment.`
      : `${name} couldn’t be reached: ${result.what}. Nothing was sent. Try again in a moment.`,
    details: { api },
  })
}

/** The error for an unusable response. `what` names the reason without any of its content. */
export function unreadable(api: Api, status: number, what: string): AppError {
  // The key was refused, or the service had a fault: that says more than the form of the response.
  if (status === 401 || status === 403 || status >= 500) return serviceRefusal(api, status, undefined)
  return new AppError({
    status: 502,
    code: "unreadable_answer",
    message: `${serviceNamesFirst[api]} sent an unreadable response: ${what}. Try again in a moment.`,
    details: { api, upstream_status: status },
  })
}

type ServiceError = Readonly<{ code: string | undefined; message: string | undefined }>

const codeForm = /^[A-Z][A-Z0-9_]{2,60}$/

/**
 * Reads an error body of either service: the documented `error.code` (docs/api/program.md, Errors), or, because the
 * gift-card service's shape is not documented (docs/api/giftcard.md, Not shown), a flat `code` or `errorCode`, the
 * entries of `errors`, or a string. A number gives way to a word, because it often only repeats the status.
 */
export function readServiceError(body: unknown): ServiceError {
  if (typeof body === "string") return fromText(body)
  const outer = fieldsOf(body)
  const inner = fieldsOf(outer["error"])
  const listed = [inner["errors"], outer["errors"]].flatMap((list) => (Array.isArray(list) ? list : []))
  const bare = [outer["error"], ...listed].flatMap((one) => (typeof one === "string" ? fromText(one) : []))
  const places = [inner, outer, ...listed.map(fieldsOf)]
  const codes = places.flatMap(({ code, errorCode }) => [...codeOf(code), ...codeOf(errorCode)])
  codes.push(...bare.flatMap(({ code }) => code ?? []))
  const messages = [
    ...places.flatMap(({ message }) => (typeof message === "string" && message !== "" ? message : [])),
    ...bare.flatMap(({ message }) => message ?? []),
  ]
  return { code: codes.find((code) => !/^[\d.]+$/.test(code)) ?? codes[0], message: messages[0] }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function codeOf(value: unknown): string[] {
  if (typeof value === "number") return Number.isFinite(value) ? [String(value)] : []
  return typeof value === "string" && value !== "" ? [value] : []
}

function fromText(text: string): ServiceError {
  return codeForm.test(text) ? { code: text, message: undefined } : { code: undefined, message: text }
}

/** Whether a body says that the request failed, whatever its status says (docs/api/program.md, Envelope). */
export function isFailureEnvelope(body: unknown): boolean {
  return typeof body === "object" && body !== null && "success" in body && body.success === false
}
