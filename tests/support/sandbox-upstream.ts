import type { Clock, Upstream, UpstreamCall, UpstreamOutcome } from "../../core/ports.ts"
import { parseUpstreamResponse, withServiceTimes } from "../../core/gateway/upstream-response.ts"
import { announcedLength } from "../../sandbox/faults.ts"
import type { Sandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"

/** An upstream to an in-process sandbox, on a test's clock. */
export function createSandboxUpstream(sandbox: Sandbox, clock: Clock, callMs: number): Upstream {
  return {
    async send(call): Promise<UpstreamOutcome> {
      call.signal?.throwIfAborted()
      const startedAt = clock.monotonic()
      const times = () => ({ ms: clock.monotonic() - startedAt, endedAt: clock.now() })
      if (call.mayWrite?.() === false)
        return { kind: "not_sent", what: "too late to be sent safely", ...times() }
      const late = new AbortController()
      const over = new AbortController()
      void clock.sleep(callMs, over.signal).then(
        () => late.abort(),
        () => undefined,
      )
      try {
        const response = await unlessLate(sandbox.fetch(requestOf(call, late.signal)), late.signal)
        const bytes = await unlessLate(response.arrayBuffer(), late.signal)
        const { status, headers } = response
        if ((announcedLength(response) ?? 0) > bytes.byteLength)
          return { kind: "unreadable", status, what: "the response was cut short", ...times() }
        const text = new TextDecoder().decode(bytes)
        const end = parseUpstreamResponse(status, text, call.onSecret)
        return { ...withServiceTimes(end, (name) => headers.get(name), clock.now()), ...times() }
      } catch {
        const what = late.signal.aborted ? "no response in time" : "the connection was closed"
        return { kind: "no_answer", what, ...times() }
      } finally {
        over.abort()
      }
    },
  }
}

function requestOf({ api, method, path, query, body }: UpstreamCall, signal: AbortSignal): Request {
  const base = api === "program" ? "http://program.test/v1" : "http://giftcard.test/api/v1/external"
  const text = query.toString()
  const headers = new Headers({ Accept: "application/json", Authorization: `Bearer ${demoKey}` })
  const init: RequestInit = { method, headers, signal }
  if (body !== undefined) {
    headers.set("Content-Type", "application/json")
    init.body = JSON.stringify(body)
  }
  return new Request(`${base}${path}${text === "" ? "" : `?${text}`}`, init)
}

/** The result of `work`; rejects if the deadline passes first. */
function unlessLate<T>(work: Promise<T>, late: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    late.addEventListener("abort", () => reject(new Error("The deadline passed.")), { once: true })
    work.then(resolve, reject)
  })
}
