import { beforeEach, describe, expect, test, vi } from "vitest"
import { rowOutcome, type RowOutcomeCode } from "../../contract/row-outcomes.ts"
import { contextWith, fakeEngine, type FakeEngine } from "../../tests/support/fake-engine.ts"
import { jobOf, rowOf } from "../../tests/support/job-records.ts"
import { AppError } from "../errors.ts"
import type { HistoryState } from "./absence.ts"
import type { FoundEffect, JobContext, KindRules, Lookup } from "./job-kind.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"
import { reconcileRow } from "./reconcile.ts"

/** Results of the mocked services, canaries and kind. */
const world = vi.hoisted(() => ({
  lookup: (): Lookup => ({ kind: "no_record" }),
  claimed: new Set<string>(),
  history: { canary: "found", lagMs: 0, seenLagMs: 0 } as object,
  reads: [] as string[],
  pending: 0 as number | undefined,
  showsOwnEffect: true,
  rules: {} as Partial<KindRules>,
  bulk: false,
}))

vi.mock("./canaries.ts", () => ({
  historyState: async (_: unknown, __: unknown, since: number) => {
    world.reads.push(`history ${since}`)
    return world.history
  },
  pendingFor: async () => {
    world.reads.push("balance")
    return world.pending
  },
  showsOwnEffect: async (_: unknown, __: unknown, since: number) => {
    world.reads.push(`ours ${since}`)
    return world.showsOwnEffect
  },
}))

const rules: Partial<KindRules> = {
  kind: "award",
  absence: "canary",
  resends: 3,
  claims: { effects: "effects" },
  cache: {
    topics: ["members"],
    invalidates: ({ memberId }) => ({ evict: [`member:${memberId}`], stale: ["members"] }),
  },
}

let engine: FakeEngine
let resolved: number[]

/** A row of another job has the claim. */
const claims = async (_: string, ids: readonly string[]) =>
  new Map(ids.filter((id) => world.claimed.has(id)).map((id) => [id, { job: "J-9", row: 1 }]))
const engineWith = (parts: object = {}) => fakeEngine(parts, { claims })

function jobContext(of: FakeEngine, job: Partial<JobRecord> = {}): JobContext {
  const bulk = { accepts: () => world.bulk } as unknown as NonNullable<KindRules["bulk"]>
  return contextWith(of, { lookup: async () => world.lookup(), bulk, ...world.rules }, jobOf(job))
}

beforeEach(() => {
  engine = engineWith()
  resolved = []
  world.rules = { ...rules, onResolved: async (_, row) => void resolved.push(row) }
  world.claimed = new Set()
  world.history = history("found")
  world.reads = []
  world.pending = 0
  world.showsOwnEffect = true
  world.bulk = false
  shows([])
})

function history(canary: HistoryState["canary"], lagMs = 0): HistoryState {
  return { canary, lagMs, seenLagMs: 0 }
}

function found(upstreamId: string, over: Partial<FoundEffect> = {}): FoundEffect {
  const nothing = { createdAt: undefined, points: 5, text: null, reference: null }
  return { upstreamId, ...nothing, tagged: true, ...over }
}

function shows(effects: readonly FoundEffect[], over: Partial<Extract<Lookup, { kind: "read" }>> = {}): void {
  const lookup: Lookup = { kind: "read", found: effects, complete: true, ...over }
  world.lookup = () => lookup
}

function fails(error: Error): void {
  world.lookup = () => {
    throw error
  }
}

const unavailable = new AppError({ status: 502, code: "unreadable_answer", message: "No." })
const keyRefused = new AppError({
  status: 502,
  code: "refused_by_service",
  message: "No.",
  details: { upstream_status: 401 },
})

/** A settled row: its call ended long ago, and two lookups found nothing. */
const settled = rowOf({
  state: "unknown",
  attempts: 1,
  hadUnknownAttempt: true,
  owner: "gone",
  sentAt: 89_000,
  endedAt: 90_000,
  endedHow: "reset",
  lookupTimes: [95_000, 97_000],
  notes: { empty_at: 95_000 },
})

async function reconciled(row: RowRecord = settled, job: Partial<JobRecord> = {}) {
  engine.changes.length = 0
  await reconcileRow(jobContext(engine, job), row)
  return engine.changes
}

const lookupTimes = [95_000, 97_000, 100_000]
const seen = { row: 7, attempt: 1, from: ["unknown"] }
const conflict = (code: RowOutcomeCode) => ({
  ...seen,
  set: { lookupTimes, nextAt: null, state: "conflict", outcome: rowOutcome(code), decision: null },
})
const wait = (nextAt: number, more: object = {}) => ({ ...seen, set: { lookupTimes, nextAt, ...more } })
const again = { ...seen, set: { lookupTimes, nextAt: null, state: "planned", outcome: null, resends: 1 } }
const absentFor = (code: RowOutcomeCode) => ({
  ...seen,
  set: { lookupTimes, nextAt: null, state: "absent", outcome: rowOutcome(code), decision: null },
})
const failed = (code: RowOutcomeCode, set: object = {}) => ({
  ...seen,
  set: { lookupTimes, nextAt: null, state: "failed", outcome: rowOutcome(code), ...set },
})

describe("a row whose effect is found", () => {
  const confirmed = {
    row: 7,
    attempt: 1,
    from: ["sent", "unknown", "absent"],
    claim: { scope: "effects", key: "txn_1" },
    set: {
      state: "confirmed",
      upstreamId: "txn_1",
      balanceAfter: null,
      confirmedAt: 100_000,
      outcome: null,
      nextAt: null,
      lookupTimes,
    },
  }

  test("is confirmed, and records how late it was booked", async () => {
    shows([found("txn_1", { createdAt: 90_250 }), found("txn_2", { tagged: false })])
    expect(await reconciled()).toEqual([confirmed])
    expect(resolved).toEqual([7])
    expect(engine.calls).toEqual([
      "gap: 200",
      "job changed: J-1001",
      'invalidate: {"evict":["member:mem_1"],"stale":["members"]}',
      'event: {"topic":"member","id":"mem_1"}',
      "later: members",
    ])
  })

  test("moves the lookups of its bulk request's other rows forward", async () => {
    shows([found("txn_1")])
    await reconciled({ ...settled, request: "req" })
    expect(engine.calls).toContain("hurry: J-1001 req 100000")
    expect(engine.calls.filter((call) => call.startsWith("gap"))).toEqual([])
  })

  test("whose call has no known end ends now and records no delay", async () => {
    engine = engineWith({ instances: { isOver: async () => false } })
    shows([found("txn_1", { createdAt: 90_250 })])
    const [change] = await reconciled({ ...settled, endedAt: null }, { lane: "people" })
    expect(change?.set).toEqual({ ...confirmed.set, endedAt: 100_000 })
    expect(engine.calls.filter((call) => call.startsWith("gap"))).toEqual([])
  })

  test("stores the `notes` and outcome of the lookup", async () => {
    const outcome = rowOutcome("matched_by_time")
    shows([found("txn_1", { outcome, notes: { status: "new" } })])
    const [change] = await reconciled()
    expect(change?.set).toEqual({ ...confirmed.set, outcome, notes: { ...settled.notes, status: "new" } })
  })

  test("that another row claims first is looked up again, without a notification", async () => {
    shows([found("txn_1", { createdAt: 90_250 })])
    engine.results.push(["claimed"])
    await reconciled({ ...settled, request: "req" })
    expect([engine.calls, resolved]).toEqual([[], []])
  })

  test("several times goes to a person, unless other rows have claimed the rest", async () => {
    shows([found("txn_1"), found("txn_2")])
    expect(await reconciled()).toEqual([conflict("several_matches")])
    expect([engine.calls, resolved]).toEqual([["job changed: J-1001"], [7]])
    world.claimed.add("txn_2")
    expect(await reconciled()).toEqual([confirmed])
  })

  test("with another amount goes to a person, unless another row has claimed it", async () => {
    shows([found("txn_3", { tagged: false, otherAmount: true })])
    expect(await reconciled()).toEqual([conflict("ledger_other_amount")])
    world.claimed.add("txn_3")
    expect(await reconciled()).toEqual([again])
  })
})

describe("a row whose effect is not found", () => {
  test("is resent when its absence is proven", async () => {
    expect(await reconciled()).toEqual([again])
    expect(world.reads).toEqual(["history 90000", "history 90000", "balance"])
    expect([engine.calls, resolved]).toEqual([["job changed: J-1001"], [7]])
  })

  test("fails or conflicts when the lookup finds that", async () => {
    shows([], { refused: rowOutcome("already_member") })
    expect(await reconciled()).toEqual([failed("already_member", { endedAt: null })])
    shows([], { person: { ...rowOutcome("earlier_card"), notes: { takenBy: 1 } } })
    const { set } = conflict("earlier_card")
    expect(await reconciled()).toEqual([
      { ...seen, set: { ...set, notes: { ...settled.notes, takenBy: 1 } } },
    ])
  })

  test("is resent when the found entries belong to other rows", async () => {
    shows([found("txn_9", { tagged: false })])
    expect(await reconciled()).toEqual([again])
  })

  test("in bulk without batch code goes to a person", async () => {
    world.bulk = true
    expect(await reconciled(settled, { hasBatchCode: false })).toEqual([conflict("unmarked")])
    expect(await reconciled(settled, { hasBatchCode: true })).toEqual([again])
  })

  test("is not looked up while only time or a canary is missing", async () => {
    const early = { ...settled, endedAt: 99_000 }
    let lookups = 0
    world.lookup = () => {
      lookups += 1
      return { kind: "read", found: [], complete: true }
    }
    expect(await reconciled(early)).toEqual([{ ...seen, set: { nextAt: 101_700 } }])
    world.history = history("not-yet")
    expect(await reconciled({ ...settled, endedAt: 96_000 })).toEqual([{ ...seen, set: { nextAt: 100_500 } }])
    expect([lookups, engine.calls]).toEqual([0, []])
    await reconciled(early, { lane: "people" })
    await reconciled({ ...early, lookupTimes: [] })
    expect(lookups).toBe(2)
  })

  test("without a known end of its call is not resent", async () => {
    engine = engineWith({ instances: { isOver: async () => false } })
    const row = { ...settled, endedAt: null, sentAt: 96_000 }
    world.history = history("found")
    expect(await reconciled({ ...row, lookupTimes: [] })).toEqual([
      { ...seen, set: { lookupTimes: [100_000], nextAt: 100_500 } },
    ])
    expect(await reconciled({ ...row, sentAt: 80_000 })).toEqual([{ ...seen, set: { nextAt: 100_500 } }])
    expect(world.reads).toEqual([])
  })

  test("of a process that is proven dead ends now", async () => {
    const row = { ...settled, endedAt: null, lookupTimes: [] }
    const [ended, waits] = await reconciled(row)
    expect(ended).toEqual({ ...seen, set: { endedAt: 100_000 } })
    expect(waits).toEqual({ ...seen, set: { lookupTimes: [100_000], nextAt: 102_700 } })
  })

  test("keeps the times of its last 20 lookups", async () => {
    const [change] = await reconciled({ ...settled, lookupTimes: Array.from({ length: 20 }, (_, at) => at) })
    expect(change?.set.lookupTimes).toEqual([...Array.from({ length: 19 }, (_, at) => at + 1), 100_000])
  })

  test("is left to a person with the kind's code when it is not resent", async () => {
    world.rules = { ...rules, resends: 0, messages: { absent: "card_not_found" } }
    expect(await reconciled()).toEqual([absentFor("card_not_found")])
  })
})

describe("a lookup that fails", () => {
  const fresh = { ...settled, lookupTimes: [], notes: { other: 1 } }

  test("is repeated later, less often the longer it fails", async () => {
    fails(unavailable)
    const retry = (row: RowRecord) => reconciled(row).then(([change]) => change?.set)
    const first = { since: 100_000, lookups: 1 }
    expect(await retry({ ...fresh, endedAt: 99_000 })).toEqual({
      nextAt: 100_500,
      notes: { other: 1, missed: first },
    })
    expect(await retry(fresh)).toEqual({ nextAt: 102_500, notes: { other: 1, missed: first } })
    const missed = { since: 90_000, lookups: 1 }
    expect(await retry({ ...fresh, notes: { missed } })).toEqual({
      nextAt: 102_500,
      notes: { missed: { since: 90_000, lookups: 2 } },
    })
    const frozen = engineWith({ instances: { isOver: async () => false } })
    await reconcileRow(jobContext(frozen), { ...fresh, endedAt: null, sentAt: 97_000 })
    expect(frozen.changes.map(({ set }) => set.nextAt)).toEqual([100_750])
    expect(engine.changes.at(-1)).toMatchObject(seen)
    engine.now = 2_000_000
    expect((await retry(fresh))?.nextAt).toBe(2_120_000)
    expect([engine.calls, resolved]).toEqual([[], []])
  })

  test("goes to a person after three failures in a row over a long time, long after the call", async () => {
    fails(unavailable)
    const given = (row: Partial<RowRecord>, since: number, times: number) =>
      reconciled({ ...fresh, ...row, notes: { missed: { since, lookups: times } } }).then(
        ([change]) => change?.set.outcome?.code,
      )
    const old = { endedAt: 87_299 }
    expect(await given(old, 89_999, 2)).toBe("history_unreadable")
    expect(await given(old, 90_000, 2)).toBeUndefined()
    expect(await given(old, 89_999, 1)).toBeUndefined()
    expect(await given({ endedAt: 87_300 }, 89_999, 2)).toBeUndefined()
  })

  test("is forgotten after the next success", async () => {
    const [change] = await reconciled({
      ...settled,
      notes: { empty_at: 95_000, missed: { since: 1, lookups: 1 } },
    })
    expect(change).toEqual({ ...again, set: { ...again.set, notes: { empty_at: 95_000 } } })
  })

  test("throws when the key is refused or on an internal error", async () => {
    for (const error of [keyRefused, new Error("A fault.")]) {
      fails(error)
      await expect(reconciled()).rejects.toBe(error)
    }
    expect(engine.changes).toEqual([])
  })
})

describe("a row of a job held after a restore", () => {
  const facts = { at: 90_000, since: 50_000, made: 40_000, attempts: 1, sample: false }
  const heldRow = { ...settled, notes: { restored: facts } }
  const never = { ...heldRow, attempts: 0, notes: { restored: { ...facts, attempts: 0 } } }

  test("is resent if it was sent before, and planned if it never was", async () => {
    expect(await reconciled(heldRow)).toEqual([again])
    const set = { lookupTimes, nextAt: null, state: "planned", outcome: null, endedAt: null, endedHow: null }
    expect(await reconciled(never)).toEqual([{ ...seen, attempt: 0, set }])
    expect(world.reads).toEqual(["history 90000", "balance", "history 90000", "balance"])
  })

  test("needs a visible own effect when there is no canary", async () => {
    world.history = history("none")
    expect(await reconciled(heldRow)).toEqual([again])
    expect(world.reads).toEqual(["history 90000", "ours 90000", "balance"])
    world.showsOwnEffect = false
    expect(await reconciled(heldRow)).toEqual([conflict("restore_unsure")])
  })

  test("is looked up whenever due, and waits after an incomplete lookup", async () => {
    shows([], { complete: false })
    expect(await reconciled({ ...heldRow, endedAt: 99_999 })).toEqual([wait(100_500)])
  })
})
