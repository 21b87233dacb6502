import type { DeskAnswer } from "../../../core/http.ts"

/** Statuses whose answers carry no body. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

/** An answer of the desk as the browser receives it. */
export function toResponse(answer: DeskAnswer, requestId: string): Response {
  const headers = new Headers({ "X-Request-Id": requestId, "Cache-Control": "no-store", ...answer.headers })
  // Nobody reads the answer to a request that was given up; a status below 200 or above 599 cannot be made.
  const status = answer.status === 499 ? 503 : answer.status
  if (answer.body === undefined || withoutBody.has(status)) return new Response(null, { status, headers })
  headers.set("Content-Type", "application/json; charset=utf-8")
  return new Response(JSON.stringify(answer.body), { status, headers })
}
