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
    title: "The request wasn’t understood",
    next: "Reload the page. If it happens again, give the request id to an administrator.",
  },
  body_too_large: {
    tone: "danger",
    title: "This is too large",
    body: "A request can be up to 1 MB. Nothing was saved.",
    next: "Shorten the text or send it in parts.",
    action: "correct",
  },
  budget_spent: {
    tone: "info",
    title: "Request limit reached for this minute",
    body: "Nothing was sent.",
    next: "Try again in a few seconds.",
    action: "wait",
  },
  conflict: { tone: "warning", title: "Someone else changed this first", action: "retry" },
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
    title: "The service is limiting requests",
    body: "The service behind Laurel refused further requests for now. Nothing was done.",
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
