import type { AppErrorBody, AppErrorCode, FieldProblem } from "../contract/response.ts"

interface FailureInit {
  readonly status: number
  readonly code: AppErrorCode
  /** What happened, what was and was not done, what to do next. */
  readonly message: string
  readonly details?: AppErrorBody["details"]
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** An error response. Thrown inside the core and converted at its edge. */
export class AppError extends Error {
  override readonly name = "AppError"
  readonly status: number
  readonly code: AppErrorCode
  readonly details: AppErrorBody["details"]
  readonly headers: Readonly<Record<string, string>>

  constructor(init: FailureInit) {
    super(init.message, { cause: init.cause })
    this.status = init.status
    this.code = init.code
    this.details = init.details
    this.headers = init.headers ?? {}
  }
}

export function notFound(message = "There’s nothing at this address."): AppError {
  return new AppError({ status: 404, code: "not_found", message })
}

export function badRequest(message: string): AppError {
  return new AppError({ status: 400, code: "bad_request", message })
}

/** A 409: the current state does not allow it. `message` says what was not done. */
export function conflict(message: string, details?: AppErrorBody["details"]): AppError {
  return new AppError({ status: 409, code: "conflict", message, ...(details && { details }) })
}

/** A 409: only a complete local copy answers this. */
export function notSynced(message: string): AppError {
  return new AppError({ status: 409, code: "not_synced", message })
}

export function forbidden(message: string): AppError {
  return new AppError({ status: 403, code: "forbidden", message })
}

export function methodNotAllowed(allowed: readonly string[]): AppError {
  return new AppError({
    status: 405,
    code: "method_not_allowed",
    message: `This address doesn’t accept that method. It accepts ${allowed.join(", ")}.`,
    headers: { Allow: allowed.join(", ") },
  })
}

/** One problem for each field; `status` is 400 for an address and 422 for a body. */
export function invalid(status: 400 | 422, fields: readonly FieldProblem[]): AppError {
  const problems = fields.map((problem) => `${problem.field}: ${problem.message}`).join(" ")
  const message = problems.includes("Nothing was") ? problems : `${problems} Nothing was done.`
  return new AppError({ status, code: "validation", message, details: { fields: [...fields] } })
}

/** Awaits a store operation. @throws AppError 503 `store_unavailable` */
export async function stored<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError) throw error
    throw unavailable("Laurel’s database isn’t responding. Nothing was saved. Try again in a moment.", {
      cause: error,
      headers: soon,
    })
  }
}

/** Awaits the audit entry of something done: its failure must not suggest that the act failed. @throws AppError 503 */
export async function recorded(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    throw unavailable(
      "The change was made, but Laurel’s database failed before the audit entry was saved. Don’t repeat it: reload the page to see it, and tell an administrator.",
      { cause: error },
    )
  }
}

/** Nothing was done, and a database that restarts is back within seconds: pages repeat the request automatically. */
export const soon = { "Retry-After": "1" } as const

/** A 503: Laurel's own store failed. */
export function unavailable(message: string, more: Pick<FailureInit, "cause" | "headers"> = {}): AppError {
  return new AppError({ status: 503, code: "store_unavailable", message, ...more })
}

/** A 500: an internal error; details are in the log. */
export function internalError(): AppError {
  return new AppError({
    status: 500,
    code: "internal",
    message:
      "Something went wrong on Laurel’s server, so this wasn’t finished. Details are in the server log under the request id. Try again.",
  })
}
