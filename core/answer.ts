import type { DeskMeta } from "../contract/response.ts"
import type { DeskFailure } from "./failure.ts"
import type { DeskAnswer } from "./http.ts"

const noStore = { "Cache-Control": "no-store" } as const

/** An answer with data of the desk's own; a browser keeps no copy of it. */
export function success(data: unknown, options: { status?: number; meta?: DeskMeta } = {}): DeskAnswer {
  const body =
    options.meta === undefined ? { success: true, data } : { success: true, data, meta: options.meta }
  return { status: options.status ?? 200, headers: noStore, body }
}

/** An answer without a body. */
export const nothing: DeskAnswer = { status: 204, headers: noStore, body: undefined }

/** A failure as it is answered. */
export function failureAnswer(failure: DeskFailure, requestId: string): DeskAnswer {
  const { code, message, details } = failure
  const error = details === undefined ? { code, message, requestId } : { code, message, requestId, details }
  return {
    status: failure.status,
    headers: { ...noStore, ...failure.headers },
    body: { success: false, error },
  }
}
