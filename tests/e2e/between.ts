import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import * as z from "zod"
import { freePort } from "../support/child.ts"

/** What stands between Laurel and the service may change of a request on its way. */
interface Meddling {
  /** Takes the card template out of an issue, as a service that overlooks it would. */
  dropTemplate?: boolean
  /** Sends another key than Laurel's. */
  wrongKey?: boolean
}

/** A pass-through in front of a service. */
export interface Between {
  readonly url: string
  meddle(how: Meddling): void
  stop(): Promise<void>
}

const anything = z.record(z.string(), z.unknown())

/** Starts one: for answers that the service gives only to requests Laurel never sends. */
export async function startBetween(target: string): Promise<Between> {
  let how: Meddling = {}
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    const headers = new Headers({ "content-type": "application/json" })
    headers.set(
      "authorization",
      how.wrongKey === true ? "Bearer nobody-knows-this" : (request.headers.authorization ?? ""),
    )
    const { method = "GET", url = "/" } = request
    const answer = await fetch(`${target}${url}`, {
      method,
      headers,
      ...(method === "GET" ? {} : { body: how.dropTemplate === true ? withoutTemplate(body) : body }),
    })
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" })
    response.end(await answer.text())
  }
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })
  const port = await freePort()
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve)
  })
  return {
    url: `http://127.0.0.1:${port}`,
    meddle(next) {
      how = next
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function withoutTemplate(body: string): string {
  const { cardId: _cardId, ...rest } = anything.parse(JSON.parse(body))
  return JSON.stringify(rest)
}
