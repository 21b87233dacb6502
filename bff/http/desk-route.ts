import type { RequestHandler } from "express"
import type { IncomingHttpHeaders, ServerResponse } from "node:http"
import type { SessionUser } from "../../contract/users.ts"
import type { DeskAnswer, DeskRequest } from "../../core/http.ts"
import { sendAnswer } from "./send-answer.ts"
import { sessionOf } from "./locals.ts"

/** Headers that are nobody's business behind the door: the session was found already. */
const keptHere = new Set(["cookie", "authorization"])

/** A request of a signed-in person as it came in. */
export interface Arrived {
  readonly method: string
  /** The address below `/api`, untouched. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
  readonly user: SessionUser
  readonly requestId: string
  readonly source: string | null
}

/**
 * The request as the desk takes it.
 * @param signal tells when the browser has left
 */
export function deskRequestOf(arrived: Arrived, signal: AbortSignal): DeskRequest {
  const { method, url, headers, body, user, requestId, source } = arrived
  const queryAt = url.indexOf("?")
  return {
    method: method === "HEAD" ? "GET" : method,
    path: queryAt === -1 ? url : url.slice(0, queryAt),
    search: queryAt === -1 ? "" : url.slice(queryAt + 1),
    body,
    user,
    requestId,
    source,
    header: (name) => (keptHere.has(name) ? undefined : textOf(headers[name])),
    signal,
  }
}

/** Gives up what is done for somebody who left before the end of their answer. */
export function leftEarly(res: ServerResponse, gone: AbortController): void {
  if (!res.writableFinished) gone.abort(new Error("The browser went away."))
}

/** Hands a request of a signed-in person to the desk and sends what it answers. */
export function deskRoute(handle: (request: DeskRequest) => Promise<DeskAnswer>): RequestHandler {
  return async (req, res) => {
    const { method, url, headers } = req
    const body: unknown = req.body
    const { user } = sessionOf(res)
    const { requestId, source } = res.locals
    const gone = new AbortController()
    res.on("close", () => leftEarly(res, gone))
    const arrived = { method, url, headers, body, user, requestId, source }
    const answer = await handle(deskRequestOf(arrived, gone.signal))
    res.locals.personal = answer.personal ?? false
    await sendAnswer(req, res, answer)
  }
}

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value
}
