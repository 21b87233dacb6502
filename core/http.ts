import type { SessionUser } from "../contract/users.ts"

/** A request to the desk after the shell has read it and knows who asks. */
export interface DeskRequest {
  readonly method: string
  /** Path below `/api`, still encoded, such as `/program/members/mem_1`. */
  readonly path: string
  /** The parameters as they came: what stands behind the `?`. */
  readonly search: string
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown
  readonly user: SessionUser
  readonly requestId: string
  /** Address the request came from; null where there is none, as in the demo. */
  readonly source: string | null
  /** A header by its name in lower case. Those that say who asks are nobody's business behind the door. */
  readonly header: (name: string) => string | undefined
  readonly signal: AbortSignal
}

/**
 * What the shell sends back. `body` undefined sends none. Bodies are shared between answers: never change one.
 * `bytes` are the same body as JSON where they are at hand already, so that a kept answer is not written out again.
 */
export interface DeskAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly bytes?: Uint8Array<ArrayBuffer>
  /** Whether it carries data of people: the shell logs who read it. */
  readonly personal?: boolean
}
