import type { Dispatcher } from "undici"
import { maxResponseBytes, withServiceTimes } from "../../core/gateway/upstream-response.ts"
import type { UpstreamEnd, UpstreamOutcome } from "../../core/ports.ts"

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * Sends one request and resolves with how it ended. Whether anything was sent is known for certain: the handler hears
 * when its request is about to be written to a connection that stands.
 * @throws the signal's reason when it was aborted before anything was sent
 */
export function exchange(call: {
  readonly pool: Dispatcher
  readonly options: Dispatcher.DispatchOptions
  readonly totalMs: number
  readonly parse: (status: number, bytes: Buffer) => UpstreamEnd
  /** Gives the call up while it has not been sent. */
  readonly signal?: AbortSignal | undefined
  /** The caller's last check, on the connected socket: false and nothing is written. */
  readonly mayWrite?: (() => boolean) | undefined
}): Promise<UpstreamOutcome> {
  const { pool, options, totalMs, parse, signal, mayWrite } = call
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const startedAt = performance.now()
    const chunks: Buffer[] = []
    let size = 0
    let status: number | undefined
    let headers: Headers = {}
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
        else stop({ kind: "unreadable", status: status ?? 0, what: "a response over 8 MB" })
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
