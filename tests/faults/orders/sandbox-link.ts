import type { Clock, Upstream, UpstreamCall, UpstreamOutcome } from "../../../bff/core/ports.ts"
import { readServiceAnswer, serviceTimeOf } from "../../../bff/core/service-answer.ts"
import type { Sandbox } from "../../../sandbox/app.ts"
import { announcedLength } from "../../../sandbox/faults/signals.ts"
import { demoKey } from "../../../sandbox/options.ts"

type End = UpstreamOutcome extends infer One
  ? One extends unknown
    ? Omit<One, "ms" | "endedAt">
    : never
  : never

/** The way to a sandbox in this process, on a clock that a test moves. */
export interface SandboxLink extends Upstream {
  /** Calls under way. */
  readonly pending: () => number
}

/** Makes one. A call ends after `callMs` whatever the service does. */
export function linkSandbox(sandbox: Sandbox, clock: Clock, callMs: number): SandboxLink {
  let pending = 0
  return {
    pending: () => pending,
    async send(call) {
      const startedAt = clock.monotonic()
      const over = (end: End): UpstreamOutcome => ({
        ...end,
        ms: clock.monotonic() - startedAt,
        endedAt: clock.now(),
      })
      if (call.mayWrite?.() === false) return over({ kind: "not_sent", what: "too late" })
      pending += 1
      const late = new AbortController()
      const timer = new AbortController()
      clock.sleep(callMs, timer.signal).then(
        () => late.abort(new Error("too late")),
        () => undefined,
      )
      try {
        return over(await exchange(sandbox, call, late.signal))
      } catch {
        return over({ kind: "no_answer", what: late.signal.aborted ? "no answer in time" : "closed" })
      } finally {
        timer.abort()
        pending -= 1
      }
    },
  }
}

async function exchange(sandbox: Sandbox, call: UpstreamCall, late: AbortSignal): Promise<End> {
  const answer = unlessLate(sandbox.fetch(requestOf(call, late)), late)
  const response = await answer
  const bytes = await unlessLate(response.arrayBuffer(), late)
  const promised = announcedLength(response)
  if (promised !== undefined && promised > bytes.byteLength) {
    return { kind: "unreadable", status: response.status, what: "an answer cut short" }
  }
  const arrived = readServiceAnswer(response.status, new TextDecoder().decode(bytes))
  if (arrived.kind === "unreadable") return arrived
  const serviceTime = serviceTimeOf(response.headers.get("date") ?? undefined)
  return { ...arrived, ...(serviceTime !== undefined && { serviceTime }) }
}

function requestOf({ api, method, path, query, body }: UpstreamCall, signal: AbortSignal): Request {
  const base = api === "program" ? "http://sandbox.test/v1" : "http://sandbox.test/api/v1/external"
  const headers = { authorization: `Bearer ${demoKey}`, "content-type": "application/json" }
  const text = query.toString()
  return new Request(`${base}${path}${text === "" ? "" : `?${text}`}`, {
    method,
    headers,
    signal,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

function unlessLate<T>(work: Promise<T>, late: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    late.addEventListener("abort", () => reject(new Error("too late")), { once: true })
    work.then(resolve, reject)
  })
}
