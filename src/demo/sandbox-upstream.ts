import { parseUpstreamResponse, withServiceTimes } from "../../core/gateway/upstream-response.ts"
import type { Upstream, UpstreamCall, UpstreamEnd } from "../../core/ports.ts"
import { realClock } from "../../core/runtime.ts"
import { demoKey } from "../../sandbox/config.ts"
import { announcedLength, ConnectionDropped } from "../../sandbox/faults.ts"

/** Base URLs of the sandbox; nothing is ever sent there. */
const demoBaseUrls = {
  program: "https://program.laurel.demo/v1",
  giftcard: "https://giftcard.laurel.demo/api/v1/external",
} as const
/** Timeout of a call, in ms, as for real services. */
const deadlineMs = 12_000

/** A client for the sandbox in the same tab. Outcomes are distinguished as over a network. */
export function createSandboxUpstream(
  fetch: (request: Request) => Promise<Response>,
  deadline: number = deadlineMs,
): Upstream {
  return {
    async send(call) {
      call.signal?.throwIfAborted()
      const startedAt = realClock.monotonic()
      const late = AbortSignal.timeout(deadline)
      const end = await exchange(fetch, call, late)
      return { ...end, ms: realClock.monotonic() - startedAt, endedAt: realClock.now() }
    },
  }
}

async function exchange(
  fetch: (request: Request) => Promise<Response>,
  call: UpstreamCall,
  late: AbortSignal,
): Promise<UpstreamEnd> {
  try {
    const response = await unlessLate(fetch(requestOf(call, late)), late)
    const { status, headers } = response
    const bytes = await unlessLate(response.arrayBuffer(), late)
    if ((announcedLength(response) ?? 0) > bytes.byteLength) {
      return { kind: "unreadable", status, what: "the response was cut short" }
    }
    const end = parseUpstreamResponse(status, new TextDecoder().decode(bytes), call.onSecret)
    return withServiceTimes(end, (name) => headers.get(name), realClock.now())
  } catch (error) {
    if (error instanceof ConnectionDropped && error.refused) {
      return { kind: "not_sent", what: "the connection was refused" }
    }
    return { kind: "no_answer", what: late.aborted ? "no response in time" : "the connection was closed" }
  }
}

function requestOf({ api, method, path, query, body }: UpstreamCall, signal: AbortSignal): Request {
  const headers = new Headers({ Accept: "application/json", Authorization: `Bearer ${demoKey}` })
  if (body !== undefined) headers.set("Content-Type", "application/json")
  const url = `${demoBaseUrls[api]}${path}${query.size === 0 ? "" : `?${query}`}`
  return new Request(url, {
    method,
    headers,
    signal,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

function unlessLate<T>(work: Promise<T>, late: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  late.addEventListener("abort", () => reject(late.reason), { once: true })
  return Promise.race([work, promise])
}
