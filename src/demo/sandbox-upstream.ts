import { realClock } from "../../core/runtime.ts"
import type { Upstream, UpstreamCall, UpstreamOutcome } from "../../core/ports.ts"
import {
  parseUpstreamResponse,
  retryAfterSeconds,
  serviceTimeOf,
} from "../../core/gateway/upstream-response.ts"
import { announcedLength } from "../../sandbox/faults.ts"
import { demoKey } from "../../sandbox/config.ts"

/** Where the sandbox would stand; nothing is ever sent there. */
const demoBaseUrls = {
  program: "https://program.laurel.demo/v1",
  giftcard: "https://giftcard.laurel.demo/api/v1/external",
} as const

/** The longest a call may take, in ms, as for real services. */
const deadlineMs = 12_000

type End = UpstreamOutcome extends infer One
  ? One extends unknown
    ? Omit<One, "ms" | "endedAt">
    : never
  : never

/**
 * The way to the sandbox in the same tab. Outcomes are told apart as over a real connection: a dropped one and one
 * that never answers leave open what was done, an answer cut short or not JSON cannot be read, secrets are dropped.
 */
export function createSandboxUpstream(
  fetch: (request: Request) => Promise<Response>,
  deadline: number = deadlineMs,
): Upstream {
  return {
    async send(call) {
      call.signal?.throwIfAborted()
      const startedAt = realClock.monotonic()
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), deadline)
      const end = await exchange(fetch, requestOf(call, late.signal), late.signal, call.onSecret)
      clearTimeout(timer)
      return { ...end, ms: realClock.monotonic() - startedAt, endedAt: realClock.now() }
    },
  }
}

function requestOf({ api, method, path, query, body }: UpstreamCall, signal: AbortSignal): Request {
  const text = query.toString()
  const headers = new Headers({ Accept: "application/json", Authorization: `Bearer ${demoKey}` })
  const init: RequestInit = { method, headers, signal }
  if (body !== undefined) {
    headers.set("Content-Type", "application/json")
    init.body = JSON.stringify(body)
  }
  return new Request(`${demoBaseUrls[api]}${path}${text === "" ? "" : `?${text}`}`, init)
}

async function exchange(
  fetch: (request: Request) => Promise<Response>,
  request: Request,
  late: AbortSignal,
  onSecret: UpstreamCall["onSecret"],
): Promise<End> {
  try {
    const response = await unlessLate(fetch(request), late)
    const bytes = await unlessLate(response.arrayBuffer(), late)
    const promised = announcedLength(response)
    if (promised !== undefined && promised > bytes.byteLength) {
      return { kind: "unreadable", status: response.status, what: "the response was cut short" }
    }
    return endOf(response, new TextDecoder().decode(bytes), onSecret)
  } catch {
    return { kind: "no_answer", what: late.aborted ? "no response in time" : "the connection was closed" }
  }
}

function endOf({ status, headers }: Response, text: string, onSecret: UpstreamCall["onSecret"]): End {
  const arrived = parseUpstreamResponse(status, text, onSecret)
  if (arrived.kind === "unreadable") return arrived
  const serviceTime = serviceTimeOf(headers.get("date") ?? undefined)
  const retryAfter = retryAfterSeconds(
    headers.get("retry-after") ?? undefined,
    serviceTime ?? realClock.now(),
  )
  return {
    ...arrived,
    ...(serviceTime !== undefined && { serviceTime }),
    ...(retryAfter !== undefined && { retryAfter }),
  }
}

/** The work's result, unless the deadline passes before there is one. */
function unlessLate<T>(work: Promise<T>, late: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    late.addEventListener("abort", () => reject(new Error("The deadline passed.")), { once: true })
    work.then(resolve, reject)
  })
}
