import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api"
import { type Dispatcher, Pool } from "undici"
import type { Api } from "../../contract/response.ts"
import {
  keyHider,
  maxResponseBytes,
  parseUpstreamResponse,
  withServiceTimes,
} from "../../core/gateway/upstream-response.ts"
import type { Upstream, UpstreamCall, UpstreamEnd, UpstreamResult } from "../../core/ports.ts"

type ServiceAddress = Readonly<{ baseUrl: string; apiKey: string; nextApiKey?: string | undefined }>

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
 * The deadlines that hold unless others are given (docs/reads.md). Wait for a slow response
 * for the full duration of the call: if it was given up earlier, a write that the service carried out would have an
 * unknown outcome.
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
      return traced(call, () => service.send(call))
    },
    async close() {
      await Promise.all([open.program?.pool.close(), open.giftcard?.pool.close()])
    },
  }
}

const tracer = trace.getTracer("laurel")

/** A span around a call: its name in the policy table, never its path, query string or body. */
function traced(call: UpstreamCall, send: () => Promise<UpstreamResult>): Promise<UpstreamResult> {
  const { api, method, operation = method } = call
  const attributes = { "laurel.api": api, "laurel.operation": operation, "http.request.method": method }
  return tracer.startActiveSpan(operation, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      const result = await send()
      if ("status" in result) span.setAttribute("http.response.status_code", result.status)
      if (result.kind !== "answer") span.setStatus({ code: SpanStatusCode.ERROR, message: result.what })
      return result
    } finally {
      span.end()
    }
  })
}

const headersWith = (key: string) => ({
  accept: "application/json",
  "user-agent": "laurel",
  authorization: `Bearer ${key}`,
})

function openService({ baseUrl, apiKey, nextApiKey = apiKey }: ServiceAddress, deadlines: Deadlines) {
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
  const headersOf = { current: headersWith(apiKey), next: headersWith(nextApiKey) }
  const [hideKey, hideNextKey] = [keyHider(apiKey), keyHider(nextApiKey)]
  return {
    pool,
    send(call: UpstreamCall): Promise<UpstreamResult> {
      const { method, query, body } = call
      const headers = headersOf[call.key ?? "current"]
      const options = {
        method,
        path: `${basePath}${call.path}${query.size === 0 ? "" : `?${query}`}`,
        headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }
      const parse = (status: number, bytes: Buffer) =>
        parseUpstreamResponse(status, hideNextKey(hideKey(bytes.toString("utf8"))), call.onSecret)
      return exchange(pool, options, call, parse, deadlines.total)
    },
  }
}

/**
 * Sends one request and resolves with how it ended. Whether anything was sent is known for certain: the handler is called
 * when its request is about to be written to an open connection.
 * @throws the signal's reason when it was aborted before anything was sent
 */
function exchange(
  pool: Dispatcher,
  options: Dispatcher.DispatchOptions,
  { signal, mayWrite }: Pick<UpstreamCall, "signal" | "mayWrite">,
  parse: (status: number, bytes: Buffer) => UpstreamEnd,
  totalMs: number,
): Promise<UpstreamResult> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const startedAt = performance.now()
    const chunks: Buffer[] = []
    let size = 0
    let status: number | undefined
    let headers: Readonly<Record<string, string | string[] | undefined>> = {}
    let controller: Dispatcher.DispatchController | undefined
    let over = false

    const ended = (end: UpstreamEnd) => {
      if (over) return
      over = true
      clearTimeout(timer)
      signal?.removeEventListener("abort", giveUp)
      resolve({ ...end, ms: performance.now() - startedAt, endedAt: Date.now() })
    }
    const stop = (end: UpstreamEnd) => {
      ended(end)
      controller?.abort(new Error("given up"))
    }
    const giveUp = () => {
      if (controller !== undefined || over) return
      over = true
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      if (controller === undefined) stop({ kind: "not_sent", what: "no connection became free in time" })
      else stop({ kind: "no_answer", what: "no response in time" })
    }, totalMs)
    signal?.addEventListener("abort", giveUp, { once: true })

    pool.dispatch(options, {
      onRequestStart(started) {
        // Too late: nothing has been written yet, and nothing will be.
        if (over) started.abort(new Error("given up"))
        else if (mayWrite?.() === false) {
          ended({ kind: "not_sent", what: "too late to be sent safely" })
          started.abort(new Error("too late"))
        } else controller = started
      },
      onResponseStart(_, statusCode, responseHeaders) {
        if (statusCode < 200) return
        status = statusCode
        headers = responseHeaders
      },
      onResponseData(_, chunk) {
        size += chunk.length
        if (size <= maxResponseBytes) chunks.push(chunk)
        else stop({ kind: "unreadable", status: status ?? 0, what: "a response over 16 MB" })
      },
      onResponseEnd() {
        const [only = Buffer.alloc(0)] = chunks
        const end = parse(status ?? 0, chunks.length > 1 ? Buffer.concat(chunks) : only)
        ended(withServiceTimes(end, (name) => [headers[name]].flat()[0], Date.now()))
      },
      onResponseError(_, error) {
        const { code, message } = describe(error)
        if (controller === undefined) ended({ kind: "not_sent", what: message })
        else if (status === undefined || code === "UND_ERR_BODY_TIMEOUT") {
          ended({ kind: "no_answer", what: message })
        } else ended({ kind: "unreadable", status, what: "the response was cut short" })
      },
    })
  })
}

const messages: Readonly<Record<string, string>> = {
  EAI_AGAIN: "its name was not found",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed",
  EHOSTUNREACH: "its network can’t be reached",
  ENETUNREACH: "its network can’t be reached",
  ENOTFOUND: "its name was not found",
  EPIPE: "the connection was closed",
  ETIMEDOUT: "no connection in time",
  UND_ERR_BODY_TIMEOUT: "the response stopped",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
  UND_ERR_HEADERS_TIMEOUT: "no response in time",
  UND_ERR_SOCKET: "the connection was closed",
}

/** A network error's code, empty without one, and the error in a few words, without addresses. */
function describe(error: unknown): { code: string; message: string } {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""
  const isCertificate = /CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(code)
  const other = isCertificate ? "its certificate was rejected" : "the connection failed"
  return { code, message: messages[code] ?? other }
}
