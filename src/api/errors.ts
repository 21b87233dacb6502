import type { DeskErrorBody } from "../../contract/desk/answer.ts"
import type * as Atlas from "../../contract/errors/atlas.ts"
import type { AtlasAction } from "../../contract/errors/entry.ts"
import { deskErrorWords, type ErrorWords, type Tone } from "./desk-error-words.ts"

/** What an error answer said beside its code: problems by field, and what the service itself answered. */
export type ErrorDetails = NonNullable<DeskErrorBody["details"]>

interface ApiErrorInit {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
  readonly details?: ErrorDetails | undefined
}

/** An answer that says no. Every refusal of the server reaches the desk as one of these. */
export class ApiError extends Error {
  override readonly name = "ApiError"
  /** HTTP status. */
  readonly status: number
  /** Code of `contract/errors`, matched exactly. */
  readonly code: string
  /** Identifies the request in the server's log; absent when no server was reached. */
  readonly requestId: string | undefined
  /** Seconds until asking again makes sense. */
  readonly retryAfter: number | undefined
  readonly details: ErrorDetails | undefined

  constructor(init: ApiErrorInit) {
    super(init.message)
    this.status = init.status
    this.code = init.code
    this.requestId = init.requestId
    this.retryAfter = init.retryAfter
    this.details = init.details
  }
}

/** An answer came and cannot be read: a web page instead of data, cut short, or another shape than agreed. */
export class UnreadableAnswer extends Error {
  override readonly name = "UnreadableAnswer"
  /** HTTP status of the answer. */
  readonly status: number
  readonly requestId: string | undefined

  constructor(reason: string, status: number, requestId?: string, cause?: unknown) {
    super(reason, { cause })
    this.status = status
    this.requestId = requestId
  }
}

/** No answer came at all: no network, or the desk's server is not running. */
export class Offline extends Error {
  override readonly name = "Offline"

  constructor(cause?: unknown) {
    super("Laurel’s server didn’t respond.", { cause })
  }
}

let explainUpstream: typeof Atlas.explainUpstream | undefined

/**
 * Fetches the error atlas, once. `request` does it before it throws what a service refused, so that the words are
 * there when the page asks for them, and a page that never met such an error does not carry them.
 */
export async function fetchAtlas(): Promise<void> {
  explainUpstream ??= (await import("../../contract/errors/atlas.ts")).explainUpstream
}

/** An error in a person's words. */
export interface Explanation {
  readonly tone: Tone
  /** What is so, in a few words. */
  readonly title: string
  /** What happened, what was and was not done. */
  readonly body: string
  /** What to do about it. */
  readonly next?: string | undefined
  /** A step the page can offer as a link or a button. */
  readonly action?: AtlasAction | undefined
  /** For whoever looks it up: status, code and request id. Empty when there is none. */
  readonly detail: string
}

/**
 * The one place where errors become sentences. What a service refused is explained by the error atlas, what the
 * desk refused by its own words; the server's message fills in where neither says what happened.
 */
export function explain(error: unknown): Explanation {
  if (error instanceof ApiError) return explainRefusal(error)
  if (error instanceof UnreadableAnswer) {
    return {
      ...deskErrorWords.unreadable_answer,
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
      body: "The server didn’t respond. Nothing will be sent until it does.",
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
    // What the service itself said about this one request beats the general sentence.
    const tone = entry.status >= 500 ? "warning" : "danger"
    const body = error.code === "refused_by_service" ? error.message || entry.happened : entry.happened
    return { tone, title: entry.title, body, next: entry.next, action: entry.action, detail }
  }
  const words = wordsOf(error.code)
  if (words === undefined) {
    return { tone: "danger", title: "Request refused", body: error.message, detail }
  }
  return { ...words, body: words.body ?? error.message, detail }
}

function wordsOf(code: string): ErrorWords | undefined {
  const all: Readonly<Record<string, ErrorWords>> = deskErrorWords
  return Object.hasOwn(all, code) ? all[code] : undefined
}

function detailOf(status: number, code: string, requestId: string | undefined): string {
  const what = `${status} ${code}`
  return requestId === undefined ? what : `${what}, request ${requestId}`
}
