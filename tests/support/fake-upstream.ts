import { parseExact } from "../../contract/exact-json.ts"
import type { Clock, Upstream, UpstreamCall, UpstreamResult } from "../../core/ports.ts"

/** Handles a call to the fake service; `undefined` is a 404. */
export type FakeService = (call: UpstreamCall) => FakeEnd | undefined | Promise<FakeEnd | undefined>

/** Outcome of a fake call. */
export type FakeEnd =
  | { readonly status: number; readonly body?: unknown; readonly retryAfter?: number }
  | { readonly kind: "unreadable"; readonly status: number; readonly what: string }
  | { readonly kind: "not_sent" | "no_answer"; readonly what: string }

/** An upstream without a network that records its calls with their time (monotonic ms). */
export interface FakeUpstream extends Upstream {
  readonly calls: (UpstreamCall & { readonly at: number })[]
  /** Replaces the handler. */
  serve(service: FakeService): void
  /** Received calls as `GET /path?query` lines. */
  lines(): string[]
}

export function createFakeUpstream(clock: Clock, first: FakeService = () => undefined): FakeUpstream {
  let service = first
  const calls: FakeUpstream["calls"] = []
  return {
    calls,
    serve(next) {
      service = next
    },
    lines: () =>
      calls.map(({ method, path, query }) => `${method} ${path}${query.size > 0 ? `?${query}` : ""}`),
    async send(call) {
      const started = clock.monotonic()
      calls.push({ ...call, at: started })
      const end = (await service(call)) ?? missing
      return outcomeOf(end, clock.monotonic() - started, clock.now())
    },
  }
}

const missing: FakeEnd = {
  status: 404,
  body: { success: false, error: { code: "not_found", message: "Resource not found" } },
}

function outcomeOf(end: FakeEnd, ms: number, endedAt: number): UpstreamResult {
  if ("kind" in end) return { ...end, ms, endedAt }
  const { status, body, retryAfter } = end
  return {
    kind: "answer",
    ms,
    endedAt,
    status,
    // Serialized and parsed like a network response.
    body: body === undefined ? undefined : parseExact(JSON.stringify(body)),
    ...(retryAfter !== undefined && { retryAfter }),
  }
}
