import { beforeEach, describe, expect, test, vi } from "vitest"
import { rowOutcome } from "../../contract/row-outcomes.ts"
import { fakeEngine, type FakeEngine } from "../../tests/support/fake-engine.ts"
import { jobOf, rowOf } from "../../tests/support/job-records.ts"
import { AppError } from "../errors.ts"
import type { UpstreamOutcome } from "../ports.ts"
import type { NextRequest, Run } from "./job-context.ts"
import type { KindRules, Precheck } from "./job-kind.ts"
import type { RowRecord } from "./job-store.ts"
import { send } from "./send.ts"

const world = vi.hoisted(() => ({ rules: {} as object, sampled: [] as unknown[] }))

vi.mock("./kinds/kind-rules.ts", () => ({
  kindRules: {
    get award() {
      return world.rules
    },
  },
}))
vi.mock("./controls.ts", () => ({
  sampleControls: async (
    _: unknown,
    __: unknown,
    confirmed: readonly { row: RowRecord; upstreamId: string }[],
    at: number,
  ) => {
    world.sampled.push(...confirmed.map(({ row, upstreamId }) => `${row.row} ${upstreamId} ${at}`))
  },
}))

const rules: Partial<KindRules> = {
  kind: "award",
  api: "program",
  request: (_, row) => ({
    operation: "POST /points/award",
    api: "program",
    method: "POST",
    path: "/points/award",
    body: { row: row.row },
  }),
  readResponse: (data) => {
    const id = typeof data === "object" && data !== null && "id" in data ? data.id : undefined
    return typeof id === "string" ? { upstreamId: id, balanceAfter: 9 } : undefined
  },
  bulk: {
    takes: () => true,
    item: (_, row) => ({ item: row.row }),
    request: (_, rows) => ({
      operation: "POST /points/award/bulk",
      api: "program",
      method: "POST",
      path: "/points/award/bulk",
      body: rows.map(({ row }) => row),
    }),
    readResponse: (data) => (data instanceof Map ? data : undefined),
  },
  claimScope: "effects",
  absence: "control",
  resends: 3,
  topics: [],
  invalidates: () => ({ gone: [], old: [] }),
}

const response = (status: number, body: unknown): UpstreamOutcome => ({
  kind: "answer",
  status,
  body,
  ms: 250,
  endedAt: 0,
  serviceTime: 5,
})
const named = response(201, { data: { id: "txn_1" } })
const reset: UpstreamOutcome = { kind: "no_answer", what: "reset", ms: 250, endedAt: 0 }
const notSent: UpstreamOutcome = { kind: "not_sent", what: "refused", ms: 1, endedAt: 0 }
const refusal = response(422, { error: { code: "closed", message: "No." } })

let engine: FakeEngine
let run: Run & { readonly log: string[] }
/** What the service says to a call, and what happens meanwhile. */
let serve: (call: {
  mayWrite(): boolean
  body: unknown
  onSecret?: (code: string) => void
}) => UpstreamOutcome
let acquire: () => Promise<void>
let sentCalls: object[]
let resolved: number[]
let parts: Record<string, object>

beforeEach(() => {
  world.sampled = []
  resolved = []
  world.rules = { ...rules, onResolved: async (_: unknown, __: unknown, row: number) => resolved.push(row) }
  sentCalls = []
  serve = ({ mayWrite }) => (mayWrite() ? named : notSent)
  acquire = async () => undefined
  parts = {
    caller: {
      acquirePermit: async (asked: object) => {
        sentCalls.push(asked)
        await acquire()
      },
      sendPermitted: async (call: Parameters<typeof serve>[0] & object) => {
        sentCalls.push(call)
        return serve(call)
      },
    },
    codes: { keep: (...args: readonly unknown[]) => engine.calls.push(`code: ${JSON.stringify(args)}`) },
    restore: { count: async () => true },
  }
  engine = fakeEngine(parts)
  run = fakeRun()
})

function fakeRun(): Run & { readonly log: string[] } {
  const log: string[] = []
  const note =
    (name: string) =>
    (...args: readonly unknown[]) => {
      log.push([name, ...args].join(" "))
    }
  return {
    log,
    jobId: "J-1001",
    signal: new AbortController().signal,
    inFlight: new Set(),
    bulk: {
      next: () => 4,
      sent: note("sent"),
      answered: note("answered"),
      unknown: note("unknown"),
      notDone: note("not done"),
      refused(rows) {
        note("refused")(rows)
        return Math.floor(rows / 2)
      },
    },
    proven: false,
    holdUntil: -Infinity,
    lookupsHeldUntil: -Infinity,
    lookupsRefused: 0,
    unknownInRow: 0,
    unreachable: 0,
    heldSeen: undefined,
    turn: async () => {
      log.push("turn")
      return note("on the wire")
    },
    signalChange: note("signal"),
    wait: async () => undefined,
  }
}

const planned = rowOf({ attempts: 1, edits: 2 })
const single: NextRequest = { how: "single", rows: [planned] }
const bulk = (count = 3): NextRequest => ({
  how: "bulk",
  rows: Array.from({ length: count }, (_, at) => rowOf({ row: at + 1, memberId: `mem_${at + 1}` })),
})
const go = (next: NextRequest = single, job = jobOf()) => send(engine.context, run, job, next)
const states = () => engine.changes.map(({ row, set }) => `${row} ${set.state}`)
const intentSet = {
  state: "sent",
  owner: "this",
  leaseUntil: 108_000,
  sentAt: 100_000,
  attempts: 2,
  request: null,
}

describe("a row that goes alone", () => {
  test("has its intent stored before the call, and is confirmed by its response", async () => {
    await go()
    expect(engine.changes).toEqual([
      { row: 7, from: ["planned"], attempt: 1, edits: 2, set: expect.objectContaining(intentSet) },
      {
        row: 7,
        from: ["sent", "unknown", "absent"],
        attempt: 2,
        claim: { scope: "effects", key: "txn_1" },
        set: expect.objectContaining({
          state: "confirmed",
          upstreamId: "txn_1",
          balanceAfter: 9,
          endedAt: 100_000,
        }),
      },
    ])
    expect(engine.changes[0]?.set.bodyHash).toMatch(/^[0-9a-f]{64}$/)
    expect([world.sampled, resolved, run.proven]).toEqual([["7 txn_1 100000"], [7], true])
    expect(sentCalls).toEqual([
      expect.objectContaining({ api: "program", lane: "jobs", deadline: 400_000, signal: run.signal }),
      expect.objectContaining({
        operation: "POST /points/award",
        body: { row: 7 },
        query: new URLSearchParams(),
      }),
    ])
    expect(sentCalls[1]).not.toHaveProperty("onSecret")
    expect(engine.calls).toEqual([
      "service time: program 5",
      "job changed: J-1001",
      'invalidate: {"gone":[],"old":[]}',
      'event: {"topic":"member","id":"mem_1"}',
      "job changed: J-1001",
    ])
    expect(run.inFlight.size).toBe(0)
    expect(run.log).toEqual(["turn", "on the wire", "on the wire"])
  })

  test("is known to be in flight during its call, however that ends", async () => {
    const flying: string[] = []
    serve = () => {
      flying.push(...run.inFlight)
      throw new Error("A fault.")
    }
    await expect(go()).rejects.toThrow("A fault.")
    expect([flying, run.inFlight.size]).toEqual([["7:2"], 0])
    expect(run.log).toEqual(["turn", "on the wire"])
  })

  test("of a form waits a minute for a permit", async () => {
    await go(single, jobOf({ lane: "people" }))
    expect(sentCalls[0]).toMatchObject({ lane: "people", deadline: 160_000, person: { id: "usr_1" } })
  })

  test("keeps a digital code for its maker", async () => {
    world.rules = { ...rules, showsCode: true }
    serve = ({ onSecret }) => {
      onSecret?.("CODE")
      return named
    }
    await go()
    expect(engine.calls).toContain('code: [{"job":"J-1001","row":7,"makerId":"usr_1"},"CODE"]')
  })

  test("that changed meanwhile is not sent", async () => {
    engine.results.push(["stale"])
    await go()
    expect([sentCalls.length, engine.changes.length]).toEqual([1, 1])
    expect(run.log).toEqual(["turn", "on the wire"])
    expect(engine.calls).toEqual([])
  })

  test("whose claim another row has waits a second", async () => {
    engine.results.push(["claimed"])
    await go()
    expect(sentCalls).toHaveLength(1)
    expect(engine.changes[1]).toEqual({
      row: 7,
      from: ["planned"],
      attempt: 1,
      edits: 2,
      set: { nextAt: 101_000 },
    })
  })

  test.each<[string, object]>([
    ["is paused", { state: "paused" }],
    ["is held", { hold: { state: "looking", sign: "counter", at: 1, since: null, confirmedBefore: 0 } }],
  ])("of a job that %s while it waited for a permit is not sent", async (_, now) => {
    engine.job = jobOf(now)
    await go()
    expect([sentCalls.length, engine.changes]).toEqual([1, []])
  })

  test("is not sent when the run ends or no permit comes", async () => {
    const ended = new AbortController()
    run = { ...fakeRun(), signal: ended.signal }
    acquire = async () => ended.abort()
    await go()
    acquire = async () => {
      throw new Error("aborted")
    }
    await go()
    run = fakeRun()
    acquire = async () => {
      throw new AppError({ status: 503, code: "budget_spent", message: "No permit." })
    }
    await go()
    expect(engine.changes).toEqual([])
    acquire = async () => {
      throw new Error("A fault.")
    }
    await expect(go()).rejects.toThrow("A fault.")
  })
})

describe("how a single call ends", () => {
  test("nothing was sent: planned as before, and the run waits, longer each time", async () => {
    serve = () => notSent
    await go()
    expect(engine.changes[1]?.set).toMatchObject({ state: "planned", endedHow: "not sent: refused" })
    expect([run.proven, run.holdUntil, run.unreachable]).toEqual([false, 101_000, 1])
    await go()
    expect(run.unreachable).toBe(1)
    const waits: number[] = []
    for (let times = 0; times < 6; times += 1) {
      engine.now = run.holdUntil
      await go()
      waits.push(run.holdUntil - engine.now)
    }
    expect(waits).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000])
    serve = () => named
    await go()
    expect(run.unreachable).toBe(0)
  })

  test("a 429: planned as before, and the rate limiter waits, not the run", async () => {
    serve = () => response(429, {})
    await go()
    expect(states()).toEqual(["7 sent", "7 planned"])
    expect(run.holdUntil).toBe(-Infinity)
  })

  test("too old on the socket: nothing is written, and the service is not taken for unreachable", async () => {
    const may = (age: number, wall = 0): boolean[] => {
      const said: boolean[] = []
      serve = ({ mayWrite }) => {
        engine.now += age
        if (wall > 0) vi.spyOn(engine.context.clock, "now").mockReturnValue(engine.now + wall)
        said.push(mayWrite())
        return notSent
      }
      return said
    }
    const onTime = may(5200)
    await go()
    expect([onTime, run.unreachable]).toEqual([[true], 1])
    run = fakeRun()
    const tooLate = may(5201)
    await go()
    expect([tooLate, run.unreachable, run.holdUntil]).toEqual([[false], 0, -Infinity])
    const jumped = may(0, 5201)
    await go()
    expect(jumped).toEqual([false])
    vi.restoreAllMocks()
  })

  test("a short lease leaves a quarter of it", async () => {
    const jobs = { settleMs: 1000, recheckMs: 700, leaseMs: 2000, callMs: 800 }
    engine = fakeEngine({ ...parts, config: { jobs } })
    const said: boolean[] = []
    serve = ({ mayWrite }) => {
      engine.now += 500
      said.push(mayWrite())
      engine.now += 1
      said.push(mayWrite())
      return notSent
    }
    await go()
    expect(said).toEqual([true, false])
  })

  test("the store's counter could not be kept: nothing is sent", async () => {
    const fault = async () => {
      throw new Error("store")
    }
    for (const count of [async () => false, fault]) {
      engine = fakeEngine({ ...parts, restore: { count } })
      await go()
      expect(sentCalls.filter((call) => "operation" in call)).toEqual([])
      expect(engine.changes[1]?.set).toMatchObject({
        state: "planned",
        endedHow: "not sent: the store's counter could not be kept",
      })
    }
  })

  test("a systemic refusal: planned as before, and the job pauses", async () => {
    serve = () => response(402, { error: { code: "insufficient_funds", message: "Empty." } })
    await go()
    expect(states()).toEqual(["7 sent", "7 planned"])
    expect(engine.jobChanges).toEqual([
      {
        from: ["running"],
        set: { state: "paused", pause: { code: "insufficient_funds", message: expect.any(String) } },
      },
    ])
    expect([run.holdUntil, run.proven]).toEqual([-Infinity, false])
  })

  test("a refusal: failed", async () => {
    serve = () => refusal
    await go()
    expect(engine.changes[1]?.set).toMatchObject({
      state: "failed",
      outcome: { code: "closed", message: "No." },
    })
    expect([resolved, run.proven, world.sampled]).toEqual([[7], true, []])
  })

  test.each([
    ["another shape", {}],
    ["an empty id", { id: "" }],
    ["an id too long", { id: "x".repeat(201) }],
    ["an id that no store keeps", { id: "a\u0000" }],
  ])("a success with %s: looked up", async (_, data) => {
    serve = () => response(200, { data })
    await go()
    expect(engine.changes[1]?.set).toMatchObject({
      state: "unknown",
      endedHow: "a success that doesn’t name this row",
      nextAt: 101_000,
    })
    expect(resolved).toEqual([7])
  })

  test.each([
    ["claimed", "the response names an entry that belongs to another row"],
    ["stale", "the response came too late"],
  ] as const)("a confirmation that is %s: looked up", async (result, endedHow) => {
    engine.results.push(["changed"], [result])
    await go()
    expect(engine.changes[2]?.set).toMatchObject({
      state: "unknown",
      endedHow,
      nextAt: 101_000,
      endedAt: 100_000,
    })
    expect([world.sampled, resolved]).toEqual([[], []])
    expect(engine.calls).toContain(
      `warn: ${JSON.stringify({ job: "J-1001", row: 7, id: "txn_1", result })} the response couldn’t be used`,
    )
  })

  test("is persisted as soon as the store takes it, with growing pauses", async () => {
    let fails = 7
    const { store } = engine.context
    const changeRows = store.jobs.changeRows.bind(store.jobs)
    store.jobs.changeRows = async (id, changes, ...rest) => {
      if (changes[0]?.set.state === "confirmed" && fails > 0) {
        fails -= 1
        throw new Error("locked")
      }
      return changeRows(id, changes, ...rest)
    }
    await go()
    expect(states()).toEqual(["7 sent", "7 confirmed"])
    const pauses = engine.calls.filter((call) => call.startsWith("sleep"))
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 3000, 3000].map((ms) => `sleep: ${ms}`))
    const lost = engine.calls.filter((call) => call.startsWith("error"))
    expect(lost[0]).toBe('error: {"err":{},"job":"J-1001"} the outcome of a call could not be persisted yet')
    expect(lost).toHaveLength(7)
  })
})

describe("calls without a usable response", () => {
  test("slow the run down from the third in a row on, up to a minute", async () => {
    serve = () => reset
    const waits: number[] = []
    for (let times = 0; times < 11; times += 1) {
      await go()
      waits.push(Math.max(run.holdUntil - engine.now, 0))
      engine.now = Math.max(engine.now, run.holdUntil)
    }
    expect(waits).toEqual([0, 0, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
    expect(run.proven).toBe(false)
  })

  test("that were in flight together count once, and the next usable one ends it", async () => {
    serve = () => reset
    for (let times = 0; times < 4; times += 1) await go()
    expect([run.unknownInRow, run.holdUntil]).toEqual([3, 101_000])
    serve = () => refusal
    await go()
    expect([run.unknownInRow, run.proven]).toEqual([0, true])
  })
})

describe("rows that are prechecked", () => {
  const checks = (...said: (Precheck | Error)[]) => {
    let asked = 0
    world.rules = {
      ...rules,
      precheck: async () => {
        const one = said[Math.min(asked, said.length - 1)]
        asked += 1
        if (one instanceof Error) throw one
        return one
      },
    }
    return () => asked
  }

  test("do not take turns, and go out with what the precheck read", async () => {
    checks({ kind: "go", work: { balance: 5 } })
    await go()
    expect(run.log).toEqual([])
    expect(engine.changes[0]?.set.work).toEqual({ balance: 5 })
  })

  test("are read again when the permit took longer than twelve seconds", async () => {
    const asked = checks({ kind: "go" })
    acquire = async () => void (engine.now += 12_000)
    await go()
    expect(asked()).toBe(1)
    acquire = async () => void (engine.now += 12_001)
    await go()
    expect(asked()).toBe(3)
    const gone = checks({ kind: "go" }, { kind: "failed", outcome: rowOutcome("not_enough_points") })
    engine.changes.length = 0
    await go()
    expect([gone(), states()]).toEqual([2, ["7 failed"]])
  })

  test("that end there are not sent", async () => {
    checks({ kind: "failed", outcome: rowOutcome("not_enough_points") })
    await go()
    expect([sentCalls, states()]).toEqual([[], ["7 failed"]])
    expect(engine.calls[0]).toBe("job changed: J-1001")
    expect(engine.calls).toContain('invalidate: {"gone":[],"old":[]}')
  })

  test("that cannot be read stay planned, for two seconds or until the key works", async () => {
    checks(new AppError({ status: 502, code: "unreadable_answer", message: "No." }))
    await go()
    expect([sentCalls, engine.changes, run.holdUntil]).toEqual([[], [], 102_000])
    run = fakeRun()
    checks(
      new AppError({
        status: 502,
        code: "refused_by_service",
        message: "No.",
        details: { upstream_status: 401, upstream_code: "unauthorized" },
      }),
    )
    await go()
    expect(engine.jobChanges).toEqual([
      { from: ["running"], set: { state: "paused", pause: { code: "unauthorized", message: "No." } } },
    ])
    expect(run.holdUntil).toBe(-Infinity)
    checks(new Error("A fault."))
    await expect(go()).rejects.toThrow("A fault.")
  })

  test.each([
    ["another job", { job: "J-1", row: 7 }, false],
    ["another row", { job: "J-1001", row: 8 }, false],
    ["the row itself", { job: "J-1001", row: 7 }, true],
  ])("wait while %s has the claim", async (_, owner, goes) => {
    const asked = checks({ kind: "go" })
    world.rules = { ...world.rules, claimWhileSent: () => ({ scope: "orders", key: "ord_1" }) }
    engine = fakeEngine(parts, {
      claims: async (scope: string, [key]: readonly string[]) => new Map([[key, { ...owner, scope }]]),
    })
    await go()
    expect([asked(), sentCalls.length > 0]).toEqual(goes ? [1, true] : [0, false])
    expect(engine.changes[0]?.set.nextAt).toBe(goes ? null : 101_000)
  })
})

describe("a bulk request", () => {
  const ids = (...named: readonly (readonly [string, string])[]) => response(200, { data: new Map(named) })
  const all = ids(["mem_1", "txn_1"], ["mem_2", "txn_2"], ["mem_3", "txn_3"])

  test("carries the rows whose intent was stored, under one name", async () => {
    engine.results.push(["changed", "stale", "changed"])
    serve = () => all
    await go(bulk())
    expect(sentCalls[1]).toMatchObject({ operation: "POST /points/award/bulk", body: [1, 3] })
    const [one, two] = engine.changes
    expect(one?.set.request).toMatch(/^[0-9a-f-]{36}$/)
    expect(two?.set.request).toBe(one?.set.request)
    expect(two?.set.bodyHash).not.toBe(one?.set.bodyHash)
    expect(states().slice(3)).toEqual(["1 confirmed", "3 confirmed"])
    expect(run.log).toEqual(["sent", "turn", "on the wire", "answered 250 800"])
    expect(world.sampled).toEqual(["1 txn_1 100000", "3 txn_3 100000"])
  })

  test("confirms what its response names; the others go alone after a lookup", async () => {
    serve = () => ids(["mem_1", "txn_1"], ["mem_3", "txn_3"])
    engine.results.push(["changed", "changed", "changed"], ["changed", "changed", "claimed"])
    await go(bulk())
    const [first, second, third, again] = engine.changes.slice(3)
    expect(first).toMatchObject({
      row: 1,
      claim: { scope: "effects", key: "txn_1" },
      set: { state: "confirmed", balanceAfter: null, endedAt: 100_000 },
    })
    expect(second?.set).toMatchObject({
      state: "unknown",
      singly: true,
      nextAt: 101_000,
      endedHow: "the response to its bulk request doesn’t name it",
    })
    expect(third?.set.state).toBe("confirmed")
    expect(again).toMatchObject({
      row: 3,
      set: {
        state: "unknown",
        singly: true,
        endedHow: "the response names an entry that belongs to another row",
      },
    })
    expect(engine.changes).toHaveLength(7)
    expect(world.sampled).toEqual(["1 txn_1 100000"])
    expect(engine.calls.filter((call) => call.startsWith("invalidate"))).toHaveLength(1)
  })

  test("looks an unnamed row up after a second, or the settle time where that is shorter", async () => {
    const jobs = { settleMs: 400, recheckMs: 700, leaseMs: 8000, callMs: 800 }
    engine = fakeEngine({ ...parts, config: { jobs } })
    serve = () => ids()
    await go(bulk(1))
    expect(engine.changes[1]?.set.nextAt).toBe(100_400)
    engine = fakeEngine({ ...parts, config: { jobs: { ...jobs, settleMs: 5000 } } })
    await go(bulk(1))
    expect(engine.changes[1]?.set.nextAt).toBe(101_000)
  })

  const nextAts = () =>
    engine.changes.filter(({ set }) => set.state === "unknown").map(({ set }) => set.nextAt)

  test("without a response: three rows are looked up first, the others when it is decided", async () => {
    serve = () => reset
    await go(bulk(10))
    const [soon, later] = [101_000, 102_700]
    expect(nextAts()).toEqual([soon, later, later, soon, later, later, soon, later, later, later])
    expect(engine.changes[10]?.set).toMatchObject({ endedHow: "reset, after 0.3 s", doubtful: true })
    expect(engine.changes[10]?.set).not.toHaveProperty("singly")
    expect(run.log).toContain("unknown")
    engine.changes.length = 0
    await go(bulk(2))
    expect(nextAts()).toEqual([soon, soon])
  })

  test("that is refused halves what goes together, and small ones go alone", async () => {
    serve = () => refusal
    await go(bulk(10))
    expect(run.log).toContain("refused 10")
    expect(engine.jobChanges).toEqual([{ from: ["running", "paused", "cancelling"], set: { bulkSize: 5 } }])
    expect(engine.changes[10]?.set).toMatchObject({ endedHow: "refused: closed", singly: true })
    engine.changes.length = 0
    await go(bulk(14))
    expect(engine.changes[14]?.set).not.toHaveProperty("singly")
    engine.changes.length = 0
    await go(bulk(13))
    expect(engine.changes[13]?.set.singly).toBe(true)
    engine.jobChanges.length = 0
    await go(bulk(10), jobOf({ bulkSize: 5 }))
    expect(engine.jobChanges).toEqual([])
  })

  test("with an unusable response counts as refused, without one as unknown", async () => {
    serve = () => response(405, {})
    await go(bulk(2))
    expect(run.log).toContain("refused 2")
    run = fakeRun()
    serve = () => response(503, {})
    await go(bulk(2))
    expect(run.log).toContain("unknown")
    run = fakeRun()
    engine.changes.length = 0
    serve = () => response(200, { data: "odd" })
    await go(bulk(2))
    expect(run.log).toContain("unknown")
    expect(engine.changes[2]?.set.endedHow).toBe("a success in an unexpected format")
  })

  test("that is not let in did nothing; any other refusal of the whole may have come after some rows", async () => {
    serve = () => response(401, { error: { code: "unauthorized", message: "Key." } })
    await go(bulk(2))
    expect(states().slice(2)).toEqual(["1 planned", "2 planned"])
    expect(run.log).toEqual(["sent", "turn", "on the wire", "not done"])
    expect(engine.jobChanges).toHaveLength(1)
    run = fakeRun()
    engine.changes.length = 0
    serve = () => response(402, {})
    await go(bulk(2))
    expect(states().slice(2)).toEqual(["1 unknown", "2 unknown"])
    expect(engine.changes[2]?.set.endedHow).toMatch(/^refused: /)
    expect(run.log.filter((line) => line === "not done")).toHaveLength(1)
    expect(engine.jobChanges).toHaveLength(2)
  })

  test("that could not be sent, or was not to be, is not taken for unknown", async () => {
    serve = () => notSent
    await go(bulk(2))
    expect(states().slice(2)).toEqual(["1 planned", "2 planned"])
    engine.job = jobOf({ state: "paused" })
    await go(bulk(2))
    acquire = async () => {
      throw new Error("A fault.")
    }
    await expect(go(bulk(2))).rejects.toThrow("A fault.")
    expect(run.log.filter((line) => line === "not done")).toHaveLength(3)
    expect(run.log.filter((line) => line === "unknown")).toEqual([])
  })
})
