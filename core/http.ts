import type { ResponseMeta } from "../contract/response.ts"
import type { SessionUser } from "../contract/session.ts"
import type { AppError } from "./errors.ts"

/** A parsed request of an authenticated person. */
export interface ApiRequest {
  readonly method: string
  /** Path below `/api`, still encoded, such as `/program/members/mem_1`. */
  readonly path: string
  /** The query string after the `?`. */
  readonly search: string
  readonly body: unknown
  readonly user: SessionUser
  readonly requestId: string
  /** null where there is none, as in the demo. */
  readonly source: string | null
  /** A header by its name in lower case. Credentials are withheld. */
  readonly header: (name: string) => string | undefined
  readonly signal: AbortSignal
}

/** How a request has the services read (docs/api/laurel.md, Reads of the services). */
export function readOptionsOf({ user, header, signal }: ApiRequest) {
  const fresh = header("cache-control")?.includes("no-cache") ?? false
  return { person: user, fresh, signal, update: header("x-laurel-update") === "1" }
}

/** The shell's response. `body` undefined sends none. Bodies share data with the cache: never change one. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** The body as JSON, where already serialized. */
  readonly text?: string
  /** Whether it carries data of people: the shell logs who read it. */
  readonly personal?: boolean
}

const noStore = { "Cache-Control": "no-store" } as const

/** A success with data of Laurel's own; a browser does not cache it. */
export function success(data: unknown, options: { status?: number; meta?: ResponseMeta } = {}): ApiResponse {
  const { status = 200, meta } = options
  return { status, headers: noStore, body: { success: true, data, ...(meta && { meta }) } }
}

export const noContent: ApiResponse = { status: 204, headers: noStore, body: undefined }

export function errorResponse(failure: AppError, requestId: string): ApiResponse {
  const { code, message, details } = failure
  const error = { code, message, requestId, ...(details && { details }) }
  return {
    status: failure.status,
    headers: { ...noStore, ...failure.headers },
    body: { success: false, error },
  }
}
