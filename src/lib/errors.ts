import type * as Catalogue from "../../contract/error-catalogue.ts"
import type { CatalogueAction } from "../../contract/error-catalogue.ts"
import type { AppErrorBody, AppErrorCode } from "../../contract/response.ts"

type ErrorDetails = NonNullable<AppErrorBody["details"]>

type ApiErrorInit = Pick<ApiError, "status" | "code" | "message"> &
  Partial<Pick<ApiError, "requestId" | "retryAfter" | "details">>

/** An error response of the server. */
export class ApiError extends Error {
  override readonly name = "ApiError"
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined
  readonly details: ErrorDetails | undefined

  constructor({ status, code, message, requestId, retryAfter, details }: ApiErrorInit) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.details = details
  }
}

/** A response that cannot be parsed: HTML instead of data, truncated, or with an unexpected shape. */
export class UnreadableResponse extends Error {
  override readonly name = "UnreadableResponse"
  readonly status: number
  readonly requestId: string | undefined

  constructor(reason: string, status: number, requestId?: string, cause?: unknown) {
    super(reason, { cause })
    this.status = status
    this.requestId = requestId
  }
}

/** No response: no network, or Laurel's server is not running. */
export class Offline extends Error {
  override readonly name = "Offline"

  constructor(cause?: unknown) {
    super("Laurel’s server didn’t respond.", { cause })
  }
}

/** Signing in succeeded, but the browser rejected the session cookie. */
export class CookieRefused extends Error {
  override readonly name = "CookieRefused"
}

let explainUpstream: typeof Catalogue.explainUpstream | undefined

/** Loads the error catalogue once, on the first error of a service. */
export async function fetchCatalogue(): Promise<void> {
  explainUpstream ??= (await import("../../contract/error-catalogue.ts")).explainUpstream
}

interface Explanation {
  readonly tone: "danger" | "warning" | "info"
  readonly title: string
  readonly body: string
  readonly next?: string | undefined
  readonly action?: CatalogueAction | undefined
  /** For support: status, code and request id. May be empty. */
  readonly detail: string
}

/**
 * The text for an error. Service errors are explained by the error catalogue, the app's own by `appErrorLabels`;
 * otherwise by the server's message.
 */
export function explain(error: unknown): Explanation {
  const { body, next, ...rest } = explainKind(error)
  return { ...rest, body: withoutRepeats(body, next), next }
}

/** Removes sentences that are repeated in another text, such as "Try again in a moment." */
export function withoutRepeats(text: string, following: string | undefined): string {
  if (following === undefined) return text
  const comes = new Set(sentencesOf(following))
  return sentencesOf(text)
    .filter((sentence) => !comes.has(sentence))
    .join(" ")
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?])\s+/u).filter((sentence) => sentence !== "")
}

function explainKind(error: unknown): Explanation {
  if (error instanceof ApiError) return explainRefusal(error)
  if (error instanceof CookieRefused) {
    return {
      tone: "warning",
      title: "Your browser refused Laurel’s cookie",
      body: "E-mail and password are right, but you can’t stay signed in without it. Nothing was changed.",
      next: "Allow cookies for this address, or open Laurel at its usual https address, then sign in again.",
      detail: "",
    }
  }
  if (error instanceof UnreadableResponse) {
    return {
      ...appErrorLabels.unreadable_answer,
      title: "The response couldn’t be read",
      body: "It had an unexpected format, so nothing is shown.",
      next: "Try again. If it keeps happening, give the details to an administrator.",
      detail: detailOf(error.status, "unreadable_answer", error.requestId),
    }
  }
  if (error instanceof Offline) {
    return {
      tone: "warning",
      title: "Can’t reach Laurel",
      body: "The server didn’t respond.",
      next: "Check the network and try again.",
      action: "retry",
      detail: "",
    }
  }
  return {
    tone: "danger",
    title: "Something went wrong on this page",
    body: "Nothing was sent.",
    next: "Reload the page. If it happens again, tell an administrator what you did.",
    detail: error instanceof Error ? error.message : String(error),
  }
}

function explainRefusal(error: ApiError): Explanation {
  const { api, upstream_status: status, upstream_code: code } = error.details ?? {}
  const detail = detailOf(status ?? error.status, code ?? error.code, error.requestId)
  const entry =
    api !== undefined && status !== undefined ? explainUpstream?.(api, status, code ?? null) : undefined
  if (entry !== undefined) {
    // The service's message for this request is more specific than the catalogue's sentence.
    const tone = entry.status >= 500 ? "warning" : "danger"
    // More sentences follow, and the service's message may lack a full stop.
    const said = error.message.trim().replace(/[^.!?…]$/u, "$&.")
    const body = error.code === "refused_by_service" ? said || entry.happened : entry.happened
    return { tone, title: entry.title, body, next: entry.next, action: entry.action, detail }
  }
  const words = wordsOf(error.code)
  if (words === undefined) {
    return { tone: "danger", title: "Request refused", body: error.message, detail }
  }
  const { title, body = error.message, ...rest } = words
  if (title !== undefined) return { ...rest, title, body, detail }
  const [happened = "", ...following] = sentencesOf(body)
  return { ...rest, title: happened.replace(/\.$/u, ""), body: following.join(" "), detail }
}

function wordsOf(code: string): ErrorWords | undefined {
  const all: Readonly<Record<string, ErrorWords>> = appErrorLabels
  return Object.hasOwn(all, code) ? all[code] : undefined
}

function detailOf(status: number, code: string, requestId: string | undefined): string {
  const what = `${status} ${code}`
  return requestId === undefined ? what : `${what}, request ${requestId}`
}

/**
 * The text for one of Laurel's own errors; without a body the server's message is used, and without a title its first
 * sentence: it says what happened.
 */
type ErrorWords = Omit<Explanation, "title" | "body" | "detail"> & {
  readonly title?: string
  readonly body?: string
}

/** Texts for Laurel's own errors, by code (docs/api/laurel.md, Answers). */
export const appErrorLabels: Readonly<Record<AppErrorCode, ErrorWords>> = {
  bad_request: {
    tone: "danger",
    title: "The request wasn’t understood",
    next: "Reload the page. If it happens again, give the request id to an administrator.",
  },
  body_too_large: {
    tone: "danger",
    title: "This is too large",
    body: "Up to 1 MB can be sent at once. Nothing was saved.",
    next: "Shorten the text or send it in parts.",
    action: "correct",
  },
  budget_spent: {
    tone: "info",
    title: "Laurel is busy",
    body: "Nothing was sent.",
    next: "Try again in a few seconds.",
    action: "wait",
  },
  // An edit of two people, a state that does not allow the act, a month that is not over.
  conflict: { tone: "danger", action: "retry" },
  forbidden: {
    tone: "danger",
    title: "Your role does not allow this",
    body: "Nothing was done.",
    next: "Ask an administrator to change your role.",
  },
  guard_missing: {
    tone: "danger",
    title: "The request didn’t come from this page",
    body: "Nothing was done.",
    next: "Reload the page and try again.",
  },
  internal: {
    tone: "danger",
    title: "Something went wrong on Laurel’s server",
    body: "Details are in the server log under the request id.",
    next: "Try again. If it keeps happening, give the request id to an administrator.",
    action: "retry",
  },
  method_not_allowed: { tone: "danger", title: "This isn’t allowed here", body: "Nothing was done." },
  not_connected: {
    tone: "info",
    title: "This service is not connected",
    body: "Laurel was started without an address for it.",
    next: "Ask an administrator to set its address and key and restart Laurel.",
    action: "open-connections",
  },
  not_found: {
    tone: "danger",
    title: "Record not found",
    body: "It may have been deleted, or the link may be wrong.",
    next: "Go back to the list and open it from there.",
  },
  not_synced: { tone: "info", action: "wait" },
  outcome_unknown: {
    tone: "warning",
    title: "Outcome not known yet",
    next: "Check the record before you send it again.",
  },
  over_limit: { tone: "danger", title: "Above a limit" },
  refused_by_service: { tone: "danger", title: "Refused by the service" },
  session_required: {
    tone: "info",
    title: "You’re signed out",
    body: "Nothing was done.",
    next: "Sign in again.",
  },
  store_unavailable: {
    tone: "danger",
    title: "Laurel’s database isn’t responding",
    body: "Nothing was saved and nothing was sent.",
    next: "Try again in a moment. If it keeps happening, tell an administrator.",
    action: "retry",
  },
  too_many_attempts: {
    tone: "warning",
    title: "Too many attempts",
    body: "Sign-in is paused for a moment.",
    action: "wait",
  },
  unreadable_answer: {
    tone: "warning",
    title: "The service sent an unreadable response",
    body: "It may be under maintenance. You’re seeing the last readable response, if there is one.",
    next: "Try again in a moment.",
    action: "retry",
  },
  upstream_limited: {
    tone: "info",
    title: "The service is busy",
    body: "It asked Laurel to wait. Nothing was done.",
    next: "Try again in a few seconds.",
    action: "wait",
  },
  upstream_unreachable: {
    tone: "warning",
    title: "The service isn’t responding",
    body: "Laurel is working, but the service behind it couldn’t be reached.",
    next: "Try again in a moment, or check the service status.",
    action: "open-status",
  },
  use_jobs: { tone: "danger", title: "This has to be sent as a job", body: "Nothing was done." },
  validation: { tone: "danger", title: "Some fields need attention", action: "correct" },
  wrong_credentials: {
    tone: "danger",
    title: "Wrong e-mail or password",
    next: "Ask an administrator for a new password link.",
    action: "correct",
  },
}
