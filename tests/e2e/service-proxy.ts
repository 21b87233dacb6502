import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import * as z from "zod"
import { freePort } from "../support/child.ts"

/** Changes that the proxy makes to requests. */
interface Alterations {
  /** Removes the card template from an issue request. */
  dropTemplate?: boolean
  /** Sends a wrong API key. */
  wrongKey?: boolean
}

/** A proxy in front of a service. */
export interface ServiceProxy {
  readonly url: string
  alter(alterations: Alterations): void
  stop(): Promise<void>
}

const anything = z.record(z.string(), z.unknown())

/** Starts a proxy, for responses to requests that Laurel never sends. */
export async function startServiceProxy(target: string): Promise<ServiceProxy> {
  let alterations: Alterations = {}
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    const headers = new Headers({ "content-type": "application/json" })
    headers.set(
      "authorization",
      alterations.wrongKey === true ? "Bearer nobody-knows-this" : (request.headers.authorization ?? ""),
    )
    const { method = "GET", url = "/" } = request
    const answer = await fetch(`${target}${url}`, {
      method,
      headers,
      ...(method === "GET" ? {} : { body: alterations.dropTemplate === true ? withoutTemplate(body) : body }),
    })
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" })
    response.end(await answer.text())
  }
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy())
  })
  const port = await freePort()
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve)
  })
  return {
    url: `http://127.0.0.1:${port}`,
    alter(next) {
      alterations = next
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
