import * as z from "zod/mini"
import type { Clock, Upstream, UpstreamCall, UpstreamResult } from "../../core/ports.ts"
import type { Effect } from "../../sandbox/store/records.ts"
import { madeUpMember } from "../support/made-up-members.ts"
import { type Fate, goodFate, type ReadFate } from "./fates.ts"
import { writeItems, type WriteItem } from "./made-up-bodies.ts"

/** A booked entry; the history shows it from `visible` on. */
interface Entry {
  readonly member_id: string
  readonly visible: number
  readonly shown: Readonly<Record<string, unknown>>
}

/** A fake program service; a test sets the fate of every write. */
export interface MadeUpService {
  readonly upstream: Upstream
  /** The effects, in order. */
  readonly truth: readonly Effect[]
  /** Received writes with their number of rows. */
  readonly writes: readonly { readonly path: string; readonly rows: number; readonly at: number }[]
  /** Sets the fate of each write. */
  fateOf: (call: UpstreamCall, nth: number) => Fate
  /** Sets the fate of each read. */
  readOf: (call: UpstreamCall) => ReadFate
  /** ms by which the service's clock is ahead. */
  clockOffsetMs: number
  /** Books a foreign award; returns its id. */
  bookForeign(member: string, points: number, reason: string): string
  /** Runs all pending late commits. */
  settleAll(): void
}

interface Late {
  readonly at: number
  readonly run: (at: number) => void
}

/** Calls end after `callMs` at the latest. */
export function createMadeUpService(clock: Clock, members: readonly string[], callMs: number): MadeUpService {
  const truth: Effect[] = []
  const entries: Entry[] = []
  const writes: { path: string; rows: number; at: number }[] = []
  const created = new Map<string, string>()
  let late: Late[] = []
  let lastGood: End = refusal(500, "server_error")
  let ids = 0

  const now = () => clock.now() + service.clockOffsetMs
  const settle = (until: number) => {
    const due = late.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)
    late = late.filter(({ at }) => at > until)
    for (const { at, run } of due) run(at)
  }

  function carryOut(write: WriteItem, at: number, lagMs: number): Readonly<Record<string, unknown>> {
    ids += 1
    const stamp = { seq: ids, at }
    const created_at = new Date(at + service.clockOffsetMs).toISOString()
    if (write.kind === "member-create") {
      const id = `mem_new_${ids}`
      created.set(id, write.item.email)
      truth.push({ kind: "member-create", ...stamp, id, email: write.item.email, by: "program" })
      return madeUpMember(id, { ...write.item, points_balance: 0, created_at })
    }
    const id = `txn_${ids}`
    const { member_id: memberId, reason } = write.item
    const points = write.kind === "deduct" ? -write.item.points : write.item.points
    const reference = write.kind === "award" ? (write.item.reference ?? null) : null
    const metadata = write.kind === "award" ? (write.item.metadata ?? null) : null
    const common = { ...stamp, id, memberId, points, reason }
    truth.push(
      write.kind === "deduct"
        ? { kind: "deduct", ...common }
        : { kind: "award", ...common, reference, metadata, bulk: write.bulk, waiting: false },
    )
    const shown = {
      transaction_id: id,
      member_id: memberId,
      type: write.kind,
      points,
      reason,
      balance_after: 1000,
      created_at,
      ...(reference !== null && { reference }),
      ...(metadata !== null && { metadata }),
    }
    entries.push({ member_id: memberId, visible: at + lagMs, shown })
    return shown
  }

  async function write(call: UpstreamCall): Promise<End> {
    const items = writeItems(call)
    writes.push({ path: call.path, rows: items.length, at: clock.monotonic() })
    const fate = service.fateOf(call, writes.length)
    const { commit, answer, lagMs } = fate
    if (answer === "refused") return refusal(400, "invalid_request")
    if (answer === "limited") return refusal(429, "rate_limited")
    if (answer === "locked") return refusal(401, "unauthorized")
    if (answer === "refused-together" && call.path !== "/points/award/bulk")
      return refusal(422, "invalid_request")
    if (answer === "forbidden" && call.path !== "/points/award/bulk") return refusal(403, "forbidden")
    if (answer === "unsent") return { kind: "not_sent", what: "connection refused" }
    const booked = fate.keep === null ? items : items.slice(0, fate.keep)
    let shown: Readonly<Record<string, unknown>>[] = []
    const run = (at: number) => {
      shown = booked.map((one) => carryOut(one, at, lagMs))
    }
    if (commit === 0) run(clock.now())
    else if (commit !== null) late.push({ at: clock.now() + commit, run })
    await clock.sleep(Math.min(fate.answerMs, callMs))
    settle(clock.now())
    if (fate.answerMs >= callMs || answer === "none")
      return { kind: "no_answer", what: "no response in time" }
    if (answer === "error") return refusal(500, "server_error")
    if (answer === "refused-together") return refusal(422, "invalid_request")
    if (answer === "forbidden") return refusal(403, "forbidden")
    if (answer === "unreadable") return { kind: "unreadable", status: 200, what: "a page instead of data" }
    if (answer === "kept") return lastGood
    if (answer === "strange" || shown.length === 0) return { status: 200, body: { success: true, data: {} } }
    lastGood = { status: 200, body: { success: true, data: dataOf(call, shown, items.length) } }
    return lastGood
  }

  function read(call: UpstreamCall): End {
    const [, , id = "", what] = call.path.split("/")
    if (what === "transactions") {
      const from = Date.parse(call.query.get("from") ?? "1970-01-01T00:00:00Z")
      const rows = entries
        .filter((entry) => entry.member_id === id && entry.visible <= clock.now())
        .map(({ shown }) => shown)
        .filter(({ created_at }) => Date.parse(String(created_at)) >= from)
        .toReversed()
      return pageOf(rows, call.query)
    }
    if (what === "balance") {
      const data = { member_id: id, balance: 1000, lifetime_earned: 0, lifetime_redeemed: 0, pending: 0 }
      return { status: 200, body: { success: true, data } }
    }
    const search = call.query.get("search")?.toLowerCase() ?? ""
    const seeded = members.map((member) => madeUpMember(member))
    const made = [...created].map(([member, email]) => madeUpMember(member, { email }))
    return pageOf(
      [...seeded, ...made].filter(({ email }) => email.toLowerCase().includes(search)),
      call.query,
    )
  }

  const service: MadeUpService = {
    truth,
    writes,
    fateOf: () => goodFate,
    readOf: () => "good",
    clockOffsetMs: 0,
    upstream: {
      async send(call) {
        const startedAt = clock.monotonic()
        settle(clock.now())
        if (call.mayWrite?.() === false) {
          return outcomeOf({ kind: "not_sent", what: "too late" }, startedAt, clock, now())
        }
        if (call.method !== "GET") return outcomeOf(await write(call), startedAt, clock, now())
        await clock.sleep(10)
        const fate = service.readOf(call)
        return outcomeOf(readEnd(read(call), fate), startedAt, clock, now())
      },
    },
    bookForeign(member, points, reason) {
      const item = { member_id: member, points, reason }
      const shown = carryOut({ kind: "award", item, bulk: false }, clock.now(), 0)
      return String(shown["transaction_id"])
    },
    settleAll: () => settle(Infinity),
  }
  return service
}

type End =
  | { readonly status: number; readonly body: unknown }
  | { readonly kind: "unreadable"; readonly status: number; readonly what: string }
  | { readonly kind: "not_sent" | "no_answer"; readonly what: string }

/** Applies a read's fate: a list may lack one field in every record. */
function readEnd(end: End, fate: ReadFate): End {
  if (fate === "none") return { kind: "no_answer", what: "reset" }
  if (fate === "locked") return refusal(401, "unauthorized")
  if (fate === "good" || !("body" in end)) return end
  const read = z.looseObject({ data: z.array(z.record(z.string(), z.unknown())) }).safeParse(end.body)
  if (!read.success) return end
  const data = read.data.data.map((one) =>
    Object.fromEntries(Object.entries(one).filter(([name]) => name !== fate)),
  )
  return { ...end, body: { ...read.data, data } }
}

function refusal(status: number, code: string): End {
  return { status, body: { success: false, error: { code, message: "It was not accepted" } } }
}

function dataOf(
  call: UpstreamCall,
  shown: readonly Readonly<Record<string, unknown>>[],
  count: number,
): unknown {
  if (call.path !== "/points/award/bulk") return shown[0]
  const transactions = shown.map(({ member_id, transaction_id }) => ({ member_id, transaction_id }))
  return { processed: shown.length, failed: count - shown.length, transactions }
}

function pageOf(rows: readonly unknown[], query: URLSearchParams): End {
  const page = Number(query.get("page") ?? 1)
  const per_page = Number(query.get("per_page") ?? 25)
  const data = rows.slice((page - 1) * per_page, page * per_page)
  return { status: 200, body: { success: true, data, meta: { page, per_page, total: rows.length } } }
}

function outcomeOf(end: End, startedAt: number, clock: Clock, serviceNow: number): UpstreamResult {
  const common = { ms: clock.monotonic() - startedAt, endedAt: clock.now() }
  if ("kind" in end) return { ...end, ...common }
  const serviceTime = Math.floor(serviceNow / 1000) * 1000
  return { kind: "answer", ...common, status: end.status, body: structuredClone(end.body), serviceTime }
}
