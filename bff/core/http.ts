import type { SessionUser } from "../../contract/desk/session.ts"

/** A request to the desk after the shell has read it and knows who asks. */
export interface DeskRequest {
  readonly method: string
  /** Path below `/api`, still encoded, such as `/program/members/mem_1`. */
  readonly path: string
  readonly query: URLSearchParams
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown
  readonly user: SessionUser
  readonly requestId: string
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/**
 * What the shell sends back. `body` undefined sends none. Bodies are shared between answers: never change one.
 * `text` is the same body as JSON where it is at hand already, so that a cached answer is not written out again.
 */
export interface DeskAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly text?: string
}
