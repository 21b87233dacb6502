import type { RequestHandler } from "express"
import type { DeskAnswer, DeskRequest } from "../core/http.ts"
import { sendAnswer } from "./send-answer.ts"
import { sessionOf } from "./locals.ts"

/** Headers that are nobody's business behind the door: the session was found already. */
const keptHere = new Set(["cookie", "authorization"])

/** Hands a request of a signed-in person to the desk, address untouched, and sends what it answers. */
export function deskRoute(handle: (request: DeskRequest) => Promise<DeskAnswer>): RequestHandler {
  return async (req, res) => {
    const url = req.url
    const queryAt = url.indexOf("?")
    const gone = new AbortController()
    res.on("close", () => {
      if (!res.writableFinished) gone.abort(new Error("The browser went away."))
    })
    const answer = await handle({
      method: req.method === "HEAD" ? "GET" : req.method,
      path: queryAt === -1 ? url : url.slice(0, queryAt),
      query: new URLSearchParams(queryAt === -1 ? "" : url.slice(queryAt + 1)),
      body: req.body,
      user: sessionOf(res).user,
      requestId: res.locals.requestId,
      headers: headersOf(req.headers),
      signal: gone.signal,
    })
    await sendAnswer(req, res, answer)
  }
}

function headersOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const kept: Record<string, string | undefined> = {}
  for (const name in headers) {
    const value = headers[name]
    if (!keptHere.has(name)) kept[name] = Array.isArray(value) ? value.join(", ") : value
  }
  return kept
}
