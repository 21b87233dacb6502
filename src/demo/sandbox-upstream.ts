import { parseUpstreamResponse, withServiceTimes } from "../../core/gateway/upstream-response.ts"
import type { Clock, Upstream, UpstreamCall, UpstreamEnd } from "../../core/ports.ts"
import type { Sandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"
import { announcedLength, ConnectionDropped } from "../../sandbox/faults.ts"

/** Base URLs of the sandbox; nothing is ever sent there. */
const demoBaseUrls = {
  program: "https://program.laurel.demo/v1",
  giftcard: "https://giftcard.laurel.demo/api/v1/external",
} as const

/** A client for a sandbox in the same process. Outcomes are distinguished as over a network. `callMs`: the timeout. */
export function createSandboxUpstream(
  sandbox: Pick<Sandbox, "fetch">,
  clock: Clock,
  callMs: number,
): Upstream {
  return {
    async send(call) {
      call.signal?.throwIfAborted()
      const startedAt = clock.monotonic()
      const late = new AbortController()
      const over = new AbortController()
      void clock.sleep(callMs, over.signal).then(
        () => late.abort(),
        () => undefined,
      )
      const end = await exchange(sandbox, call, clock, late.signal)
      over.abort()
      return { ...end, ms: clock.monotonic() - startedAt, endedAt: clock.now() }
    },
  }
}

async function exchange(
  sandbox: Pick<Sandbox, "fetch">,
  call: UpstreamCall,
  clock: Clock,
  late: AbortSignal,
): Promise<UpstreamEnd> {
  if (call.mayWrite?.() === false) return { kind: "not_sent", what: "too late to be sent safely" }
  try {
    const response = await unlessLate(sandbox.fetch(requestOf(call, late)), late)
    const { status, headers } = response
    const bytes = await unlessLate(response.arrayBuffer(), late)
    if ((announcedLength(response) ?? 0) > bytes.byteLength) {
      return { kind: "unreadable", status, what: "the response was cut short" }
    }
    const end = parseUpstreamResponse(status, new TextDecoder().decode(bytes), call.onSecret)
    return withServiceTimes(end, (name) => headers.get(name), clock.now())
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
