import { BulkSize, RunState } from "../../core/jobs/run-state.ts"
import { type KindRules, rowRequest } from "../../core/jobs/job-kind.ts"
import type { RowRecord } from "../../core/jobs/job-store.ts"
import type { UpstreamResult } from "../../core/ports.ts"
import { fakeEngine, type FakeEngine } from "./fake-engine.ts"
import { rowOf } from "./job-records.ts"

/** The kind's rules and the sampled canaries; reset by each test. */
export const sendWorld: { rules: Partial<KindRules>; sampled: string[] } = { rules: {}, sampled: [] }

/** Replaces `canaries.ts`: records what is sampled. */
export const fakeCanaries = {
  sampleCanaries: async (
    _: unknown,
    confirmed: readonly { row: RowRecord; upstreamId: string }[],
    at: number,
  ) => {
    sendWorld.sampled.push(...confirmed.map(({ row, upstreamId }) => `${row.row} ${upstreamId} ${at}`))
  },
  waitingForCanary: async () => [],
}

/** A kind whose responses name a row by `id`, and the rows of a bulk request by a map. */
export const sendRules = {
  kind: "award",
  request: (_, row) => rowRequest("POST /points/award", { row: row.row }),
  readResponse: (data) => {
    const id = typeof data === "object" && data !== null && "id" in data ? data.id : undefined
    return typeof id === "string" ? { upstreamId: id, balanceAfter: 9 } : undefined
  },
  maxCalls: 16,
  bulk: {
    maxCalls: 4,
    accepts: () => true,
    item: (_: unknown, row: RowRecord) => ({ item: row.row }),
    request: (_: unknown, rows: readonly RowRecord[]) =>
      rowRequest(
        "POST /points/award/bulk",
        rows.map(({ row }) => row),
      ),
    readResponse: (data: unknown) => (data instanceof Map ? data : undefined),
  },
  claims: { effects: "effects" },
  absence: "canary",
  resends: 3,
  cache: { topics: [], invalidates: () => ({ evict: [], stale: [] }) },
} satisfies Partial<KindRules>

/** A response after 250 ms. */
export const response = (status: number, body: unknown): UpstreamResult => ({
  kind: "answer",
  status,
  body,
  ms: 250,
  endedAt: 0,
  serviceTime: 5,
})
/** A success that names the row. */
export const named = response(201, { data: { id: "txn_1" } })
/** The connection ended without a response. */
export const reset: UpstreamResult = { kind: "no_answer", what: "reset", ms: 250, endedAt: 0 }
/** Nothing was written to the socket. */
export const notSent: UpstreamResult = { kind: "not_sent", what: "refused", ms: 1, endedAt: 0 }
/** A definite refusal. */
export const refusal = response(422, { error: { code: "closed", message: "No." } })

/** A call as the fake service receives it. */
interface ServedCall {
  readonly mayWrite: () => boolean
  readonly onSecret?: (code: string) => void
}

/** The fixtures of a send test. */
interface Sending {
  engine: FakeEngine
  run: FakeRun
  /** Handles a call of the service. */
  serve: (call: ServedCall) => UpstreamResult
  /** Runs while waiting for a permit. */
  acquire: () => Promise<void>
  /** Whether another key is in use after a 401. */
  keyReplaced: boolean
  /** Permit requests and sent calls. */
  readonly sentCalls: object[]
  /** Rows passed to `onResolved`. */
  readonly resolved: number[]
  /** The engine's dependencies besides store and clock. */
  readonly parts: Record<string, object>
}

/** Resets the fixtures: a service that confirms a row, an immediate permit, a running job. */
export function beginSending(): Sending {
  const sentCalls: object[] = []
  const resolved: number[] = []
  sendWorld.sampled = []
  sendWorld.rules = { ...sendRules, onResolved: async (_, row) => void resolved.push(row) }
  const parts = {
    caller: {
      acquirePermit: async (permit: object) => {
        sentCalls.push(permit)
        await sending.acquire()
      },
      sendPermitted: async (call: ServedCall) => {
        sentCalls.push(call)
        return sending.serve(call)
      },
      isKeyReplaced: async () => sending.keyReplaced,
    },
    codes: {
      keep: (...args: readonly unknown[]) => void sending.engine.calls.push(`code: ${JSON.stringify(args)}`),
    },
    restore: { count: async () => true },
  }
  const engine = fakeEngine(parts)
  const sending: Sending = {
    engine,
    run: fakeRun({ engine }),
    serve: ({ mayWrite }) => (mayWrite() ? named : notSent),
    acquire: async () => undefined,
    keyReplaced: false,
    sentCalls,
    resolved,
    parts,
  }
  sending.run = fakeRun(sending)
  return sending
}

class LoggedBulkSize extends BulkSize {
  readonly #log: string[]

  constructor(log: string[]) {
    super(100)
    this.#log = log
  }

  override sent() {
    this.#log.push("sent")
    super.sent()
  }

  override answered(ms: number, callMs: number) {
    this.#log.push(`answered ${ms} ${callMs}`)
    super.answered(ms, callMs)
  }

  override unknown() {
    this.#log.push("unknown")
    super.unknown()
  }

  override notDone() {
    this.#log.push("not done")
    super.notDone()
  }

  override refused(rows: number) {
    this.#log.push(`refused ${rows}`)
    return super.refused(rows)
  }
}

/** A run that logs its turns and bulk requests. */
class FakeRun extends RunState {
  readonly log: string[] = []
  override readonly bulk = new LoggedBulkSize(this.log)

  override async turn() {
    this.log.push("turn")
    return () => void this.log.push("on the wire")
  }
}

/** A fake run on the fake engine's clock. */
export function fakeRun(
  sending: { readonly engine: FakeEngine },
  signal = new AbortController().signal,
): FakeRun {
  const monotonic = () => sending.engine.now
  const clock = { now: monotonic, monotonic, sleep: async () => undefined }
  return new FakeRun(clock, { id: "J-1001", bulkSize: 100 }, signal)
}

/** One planned row. */
export const singleRow = rowOf({ attempts: 1, edits: 2 })

/** Planned rows of `count` members for one bulk request. */
export const bulkRows = (count = 3): readonly RowRecord[] =>
  Array.from({ length: count }, (_, at) => rowOf({ row: at + 1, memberId: `mem_${at + 1}` }))
