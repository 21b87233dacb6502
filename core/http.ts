import type { DeskMeta } from "../contract/response.ts"
import type { SessionUser } from "../contract/users.ts"
import type { DeskFailure } from "./errors.ts"

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

const noStore = { "Cache-Control": "no-store" } as const

/** An answer with data of the desk's own; a browser keeps no copy of it. */
export function success(data: unknown, options: { status?: number; meta?: DeskMeta } = {}): DeskAnswer {
  const body =
    options.meta === undefined ? { success: true, data } : { success: true, data, meta: options.meta }
  return { status: options.status ?? 200, headers: noStore, body }
}

/** An answer without a body. */
export const noContent: DeskAnswer = { status: 204, headers: noStore, body: undefined }

/** A failure as it is answered. */
export function errorResponse(failure: DeskFailure, requestId: string): DeskAnswer {
  const { code, message, details } = failure
  const error = details === undefined ? { code, message, requestId } : { code, message, requestId, details }
  return {
    status: failure.status,
    headers: { ...noStore, ...failure.headers },
    body: { success: false, error },
  }
}
