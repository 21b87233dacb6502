import { Pool } from "undici"
import type { Api } from "../../contract/status.ts"
import type { Upstream, UpstreamCall } from "../../core/ports.ts"
import { createAnswerReader, type AnswerReader } from "./answer-reader.ts"
import { deadlinesOf, type Deadlines } from "./deadlines.ts"
import { exchange } from "./exchange.ts"

/** Where a service is, and the key it knows. */
export interface ServiceAddress {
  /** Ends with `/v1` or `/api/v1/external`; paths are put behind it. */
  readonly baseUrl: string
  readonly apiKey: string
}

/** The way to the services over HTTP. */
export interface HttpUpstream extends Upstream {
  /** Ends every connection, the busy ones when their call is through. */
  close(): Promise<void>
}

interface Service {
  readonly pool: Pool
  /** Path of the base address, without a slash at its end. */
  readonly basePath: string
  /** What every call carries; with a body it also says of which kind. */
  readonly headers: string[]
  readonly headersWithBody: string[]
  readonly readAnswer: AnswerReader
}

/** As many connections to one service at once. */
const connections = 32

/**
 * Opens a pool of connections to each service that is named. The key goes into the `Authorization` header and
 * nowhere else (docs/api/program.md, Authentication); of the answer's headers only `Date` and `Retry-After` are read.
 */
export function createUpstream(
  services: Readonly<Partial<Record<Api, ServiceAddress>>>,
  options: { readonly deadlines?: Partial<Deadlines> } = {},
): HttpUpstream {
  const deadlines = deadlinesOf(options.deadlines)
  const open = new Map<Api, Service>()
  const program = services.program
  const giftcard = services.giftcard
  if (program !== undefined) open.set("program", openService(program, deadlines))
  if (giftcard !== undefined) open.set("giftcard", openService(giftcard, deadlines))

  return {
    send(call) {
      const service = open.get(call.api)
      if (service === undefined) throw new Error(`The ${call.api} service is not connected.`)
      const path = pathOf(service, call)
      const question = call.method === "GET" ? path : undefined
      return exchange({
        pool: service.pool,
        deadlines,
        read: (status, bytes) => service.readAnswer(status, bytes, question, call.onSecret),
        signal: call.signal,
        mayWrite: call.mayWrite,
        options: {
          method: call.method,
          path,
          headers: call.body === undefined ? service.headers : service.headersWithBody,
          ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
        },
      })
    },
    async close() {
      await Promise.all([...open.values()].map(({ pool }) => pool.close()))
    },
  }
}

function openService({ baseUrl, apiKey }: ServiceAddress, deadlines: Deadlines): Service {
  const address = new URL(baseUrl)
  const pool = new Pool(address.origin, {
    connections,
    pipelining: 1,
    // One request on one connection: then "was it sent" has one answer.
    allowH2: false,
    connect: { timeout: deadlines.connect },
    headersTimeout: deadlines.headers,
    bodyTimeout: deadlines.body,
  })
  const headers = ["accept", "application/json", "user-agent", "laurel", "authorization", `Bearer ${apiKey}`]
  return {
    pool,
    basePath: address.pathname.replace(/\/+$/, ""),
    headers,
    headersWithBody: [...headers, "content-type", "application/json"],
    readAnswer: createAnswerReader(apiKey),
  }
}

function pathOf({ basePath }: Service, { path, query }: UpstreamCall): string {
  const text = query.toString()
  return text === "" ? `${basePath}${path}` : `${basePath}${path}?${text}`
}
