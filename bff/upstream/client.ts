import { Pool } from "undici"
import type { Api } from "../../contract/status.ts"
import { keyHider, parseUpstreamResponse } from "../../core/gateway/upstream-response.ts"
import type { Upstream, UpstreamCall } from "../../core/ports.ts"
import { exchange } from "./exchange.ts"

export type ServiceAddress = Readonly<{ baseUrl: string; apiKey: string }>

/** How long each step of a call may take, in ms. */
export interface Deadlines {
  readonly connect: number
  /** From sending until the response's first lines. */
  readonly headers: number
  /** Between two pieces of the response. */
  readonly body: number
  readonly total: number
}

/**
 * The deadlines that hold unless others are given (docs/decisions/0004-reads.md). A slow response is worth waiting for
 * as long as the call itself may last: given up before, a write that the service carried out would be one whose outcome
 * nobody knows.
 */
export function deadlinesOf(given: Partial<Deadlines> = {}): Deadlines {
  const total = given.total ?? 12_000
  return { connect: 3000, headers: total, body: 5000, total, ...given }
}

/** The way to the services over HTTP; closing ends every connection, the busy ones when their call is through. */
export type HttpUpstream = Upstream & { close(): Promise<void> }

const connections = 32

/**
 * Opens a pool of connections to each service that is named. The key goes into the `Authorization` header and
 * nowhere else (docs/api/program.md, Authentication); of the response's headers only `Date` and `Retry-After` are read.
 */
export function createUpstream(
  services: Readonly<Partial<Record<Api, ServiceAddress>>>,
  given: Partial<Deadlines> = {},
): HttpUpstream {
  const deadlines = deadlinesOf(given)
  const open = {
    program: services.program && openService(services.program, deadlines),
    giftcard: services.giftcard && openService(services.giftcard, deadlines),
  }
  return {
    send(call) {
      const service = open[call.api]
      if (service === undefined) throw new Error(`The ${call.api} service is not connected.`)
      return service.send(call)
    },
    async close() {
      await Promise.all([open.program?.pool.close(), open.giftcard?.pool.close()])
    },
  }
}

function openService({ baseUrl, apiKey }: ServiceAddress, deadlines: Deadlines) {
  const address = new URL(baseUrl)
  const basePath = address.pathname.replace(/\/+$/, "")
  const pool = new Pool(address.origin, {
    connections,
    pipelining: 1,
    // One request on one connection: then "was it sent" has one answer.
    allowH2: false,
    connect: { timeout: deadlines.connect },
    headersTimeout: deadlines.headers,
    bodyTimeout: deadlines.body,
  })
  const headers = { accept: "application/json", "user-agent": "laurel", authorization: `Bearer ${apiKey}` }
  const hideKey = keyHider(apiKey)
  return {
    pool,
    send: ({ method, path, query, body, signal, mayWrite, onSecret }: UpstreamCall) =>
      exchange({
        pool,
        totalMs: deadlines.total,
        parse: (status, bytes) => parseUpstreamResponse(status, hideKey(bytes.toString("utf8")), onSecret),
        signal,
        mayWrite,
        options: {
          method,
          path: `${basePath}${path}${query.size === 0 ? "" : `?${query}`}`,
          headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        },
      }),
  }
}
