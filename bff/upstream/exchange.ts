import type { Dispatcher } from "undici"
import {
  type ArrivedResponse,
  maxResponseBytes,
  retryAfterSeconds,
  serviceTimeOf,
} from "../../core/gateway/upstream-response.ts"
import type { UpstreamOutcome } from "../../core/ports.ts"
import type { Deadlines } from "./deadlines.ts"
import { codeOf, errorWords } from "./error-words.ts"

/** One request as it goes on the wire. */
export interface Exchange {
  readonly pool: Dispatcher
  readonly options: Dispatcher.DispatchOptions
  readonly deadlines: Deadlines
  /** Makes something of an answer that arrived whole. */
  readonly read: (status: number, bytes: Buffer) => ArrivedResponse
  /** Gives the call up while it has not been sent. */
  readonly signal?: AbortSignal | undefined
  /** The caller's last word, on the connected socket: false and nothing is written. */
  readonly mayWrite?: (() => boolean) | undefined
}

type End = UpstreamOutcome extends infer One
  ? One extends unknown
    ? Omit<One, "ms" | "endedAt">
    : never
  : never
type Ended = (end: () => UpstreamOutcome) => void

/**
 * Sends one request and resolves with how it ended. Whether anything was sent is known for certain: the handler hears
 * when its request is about to be written to a connection that stands.
 * @throws the signal's reason when it was aborted before anything was sent
 */
export function exchange(call: Exchange): Promise<UpstreamOutcome> {
  const { pool, options, deadlines, read, signal, mayWrite } = call
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const startedAt = performance.now()
    const chunks: Buffer[] = []
    let size = 0
    let status: number | undefined
    let headers: Readonly<Record<string, string | string[] | undefined>> = {}
    let controller: Dispatcher.DispatchController | undefined
    let over = false

    const finish: Ended = (end) => {
      if (over) return
      over = true
      clearTimeout(timer)
      signal?.removeEventListener("abort", giveUp)
      resolve(end())
    }
    const ended = (end: End) =>
      finish(() => ({ ...end, ms: performance.now() - startedAt, endedAt: Date.now() }))
    const stop = (end: End) => {
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
    }, deadlines.total)
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
        ended(endOf(read(status ?? 0, chunks.length > 1 ? Buffer.concat(chunks) : only), headers))
      },
      onResponseError(_, error) {
        if (controller === undefined) ended({ kind: "not_sent", what: errorWords(error) })
        else if (status === undefined || codeOf(error) === "UND_ERR_BODY_TIMEOUT") {
          ended({ kind: "no_answer", what: errorWords(error) })
        } else ended({ kind: "unreadable", status, what: "the response was cut short" })
      },
    })
  })
}

function endOf(
  arrived: ArrivedResponse,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): End {
  if (arrived.kind === "unreadable") return arrived
  const serviceTime = timeOf(first(headers.date))
  const retryAfter = retryAfterSeconds(first(headers["retry-after"]), serviceTime ?? Date.now())
  return {
    ...arrived,
    ...(serviceTime !== undefined && { serviceTime }),
    ...(retryAfter !== undefined && { retryAfter }),
  }
}

let lastDate: { readonly header?: string | undefined; readonly at?: number | undefined } = {}

/** The header says the same for a second, and reading a date takes longer than anything else here. */
function timeOf(header: string | undefined): number | undefined {
  if (header !== lastDate.header) lastDate = { header, at: serviceTimeOf(header) }
  return lastDate.at
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
