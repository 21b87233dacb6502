import type { DeskErrorCode } from "../../contract/desk/answer.ts"
import type { AtlasAction } from "../../contract/errors/entry.ts"

/** How loud a note is: `danger` refused, `warning` not known, `info` old or late. */
export type Tone = "danger" | "warning" | "info"

/** What one of Laurel's own errors means for the person who meets it. */
export interface ErrorWords {
  readonly tone: Tone
  readonly title: string
  /** What happened, and what was and was not done. Absent: the server's message says it better. */
  readonly body?: string
  readonly next?: string
  readonly action?: AtlasAction
}

/** Laurel's own errors in sentences, by code (docs/api/laurel.md, Errors). */
export const deskErrorWords: Readonly<Record<DeskErrorCode, ErrorWords>> = {
  bad_request: {
    tone: "danger",
    title: "The request was not understood",
    next: "Reload the page. If it happens again, give the request id to an administrator.",
  },
  body_too_large: {
    tone: "danger",
    title: "This is too much at once",
    body: "The desk takes up to 1 MB in one request. Nothing was saved.",
    next: "Shorten the text, or send it in parts.",
    action: "correct",
  },
  budget_spent: {
    tone: "info",
    title: "The minute's requests are used up",
    body: "Nothing was sent.",
    next: "Try again in a few seconds.",
    action: "wait",
  },
  conflict: { tone: "warning", title: "Somebody was faster", action: "retry" },
  forbidden: {
    tone: "danger",
    title: "Your role does not allow this",
    body: "Nothing was done.",
    next: "An administrator can change your role.",
  },
  guard_missing: {
    tone: "danger",
    title: "The request did not come from this page",
    body: "Nothing was done.",
    next: "Reload the page and try again.",
  },
  internal: {
    tone: "danger",
    title: "The desk's server had a fault",
    body: "It is in the server's log under the request id.",
    next: "Try again. If it stays, give the request id to an administrator.",
    action: "retry",
  },
  method_not_allowed: { tone: "danger", title: "This cannot be done here", body: "Nothing was done." },
  not_connected: {
    tone: "info",
    title: "This service is not connected",
    body: "The desk was started without an address for it.",
    next: "An administrator sets its address and key and starts the desk again.",
    action: "open-connections",
  },
  not_found: {
    tone: "danger",
    title: "There is no such record",
    body: "It may have been deleted, or the link is mistyped.",
    next: "Go back to the list and open it from there.",
  },
  outcome_unknown: {
    tone: "warning",
    title: "Not known yet",
    next: "Look at the record before you send it again.",
  },
  refused_by_service: { tone: "danger", title: "The service refused this" },
  session_required: {
    tone: "info",
    title: "You are signed out",
    body: "Nothing was done.",
    next: "Sign in again.",
  },
  store_unavailable: {
    tone: "danger",
    title: "The desk's own store does not answer",
    body: "Nothing was saved and nothing was sent.",
    next: "Try again in a moment. If it stays, tell an administrator.",
    action: "retry",
  },
  too_many_attempts: {
    tone: "warning",
    title: "Too many attempts",
    body: "Signing in is paused for a moment.",
    action: "wait",
  },
  unreadable_answer: {
    tone: "warning",
    title: "The service answered with something unreadable",
    body: "It may be under maintenance. What you see is the last readable answer, if there is one.",
    next: "Try again in a moment.",
    action: "retry",
  },
  upstream_unreachable: {
    tone: "warning",
    title: "The service does not answer",
    body: "The desk works; the service behind it could not be reached.",
    next: "Try again in a moment, or look at the service status.",
    action: "open-status",
  },
  use_jobs: { tone: "danger", title: "This goes through a job", body: "Nothing was done." },
  validation: { tone: "danger", title: "Something in it is not right yet", action: "correct" },
  wrong_credentials: {
    tone: "danger",
    title: "The e-mail or the password is not right",
    next: "An administrator can set a new password.",
    action: "correct",
  },
}
