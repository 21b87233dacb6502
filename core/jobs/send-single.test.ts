import { beforeEach, describe, expect, test, vi } from "vitest"
import { contextWith, fakeEngine } from "../../tests/support/fake-engine.ts"
import { jobOf } from "../../tests/support/job-records.ts"
import {
  beginSending,
  fakeRun,
  named,
  notSent,
  refusal,
  reset,
  response,
  sendRules,
  sendWorld,
  singleRow,
} from "../../tests/support/sending.ts"
import { earlierUnknown, rowOutcome } from "../../contract/row-outcomes.ts"
import { AppError } from "../errors.ts"
import type { Precheck } from "./job-kind.ts"
import { sendSingle } from "./send-single.ts"

vi.mock("./canaries.ts", async () => (await import("../../tests/support/sending.ts")).fakeCanaries)

let s: ReturnType<typeof beginSending>

beforeEach(() => {
  s = beginSending()
})

const go = (row = singleRow, job = jobOf()) =>
  sendSingle(contextWith(s.engine, sendWorld.rules, job), s.run, row)
const states = () => s.engine.changes.map(({ row, set }) => `${row} ${set.state}`)
const intentSet = {
  state: "sent",
  owner: "this",
  leaseUntil: 108_000,
  sentAt: 100_000,
  attempts: 2,
  request: null,
}

describe("a row sent alone", () => {
  test("has its intent stored before the call and is confirmed by its response", async () => {
    await go()
    expect(s.engine.changes).toEqual([
      { row: 7, from: ["planned"], attempt: 1, edits: 2, set: expect.objectContaining(intentSet) },
      {
        row: 7,
        from: ["sent", "unknown", "absent"],
        attempt: 2,
        claim: { scope: "effects", key: "txn_1" },
        set: expect.objectContaining({
          state: "confirmed",
          upstreamId: "txn_1",
          endedHow: "answered",
          balanceAfter: 9,
          endedAt: 100_000,
        }),
      },
    ])
    expect(s.engine.changes[0]?.set.bodyHash).toMatch(/^[0-9a-f]{64}$/)
    expect([sendWorld.sampled, s.resolved, s.run.pace.proven]).toEqual([["7 txn_1 100000"], [7], true])
    expect(s.sentCalls).toEqual([
      expect.objectContaining({ api: "program", lane: "jobs", deadline: 400_000, signal: s.run.signal }),
      expect.objectContaining({
        operation: "POST /points/award",
        body: { row: 7 },
        query: new URLSearchParams(),
      }),
    ])
    expect(s.sentCalls[1]).not.toHaveProperty("onSecret")
    expect(s.engine.calls).toEqual([
      "service time: program 5",
      "job changed: J-1001",
      'invalidate: {"evict":[],"stale":[]}',
      'event: {"topic":"member","id":"mem_1"}',
      "job changed: J-1001",
    ])
    expect(s.run.inFlight.size).toBe(0)
    expect(s.run.log).toEqual(["turn", "on the wire", "on the wire"])
    s.serve = () => notSent
    await go()
    expect(s.run.log).not.toContain("not done")
  })

  test("is in `inFlight` during its call, however that ends", async () => {
    const flying: string[] = []
    s.serve = () => {
      flying.push(...s.run.inFlight)
      throw new Error("A fault.")
    }
    await expect(go()).rejects.toThrow("A fault.")
    expect([flying, s.run.inFlight.size]).toEqual([["7:2"], 0])
    expect(s.run.log).toEqual(["turn", "on the wire"])
  })

  test("of a form waits up to a minute for a permit", async () => {
    await go(singleRow, jobOf({ lane: "people" }))
    expect(s.sentCalls[0]).toMatchObject({ lane: "people", deadline: 160_000, person: { id: "usr_1" } })
  })

  test("stores a digital code for its maker", async () => {
    sendWorld.rules = { ...sendRules, showsCode: true }
    s.serve = ({ onSecret }) => {
      onSecret?.("CODE")
      return named
    }
    await go()
    expect(s.engine.calls).toContain('code: [{"job":"J-1001","row":7,"makerId":"usr_1"},"CODE"]')
  })

  test("that changed meanwhile is not sent", async () => {
    s.engine.results.push(["stale"])
    await go()
    expect([s.sentCalls.length, s.engine.changes.length]).toEqual([1, 1])
    expect(s.run.log).toEqual(["turn", "on the wire"])
    expect(s.engine.calls).toEqual([])
  })

  test("waits a second while another row has its claim", async () => {
    s.engine.results.push(["claimed"])
    await go()
    expect(s.sentCalls).toHaveLength(1)
    expect(s.engine.changes[1]).toEqual({
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
  ])("is not sent if its job %s while it waited for a permit", async (_, now) => {
    s.engine.job = jobOf(now)
    await go()
    expect([s.sentCalls.length, s.engine.changes]).toEqual([1, []])
  })

  test("is not sent when the run ends or no permit comes", async () => {
    const ended = new AbortController()
    s.run = fakeRun(s, ended.signal)
    s.acquire = async () => ended.abort()
    await go()
    s.acquire = async () => {
      throw new Error("aborted")
    }
    await go()
    s.run = fakeRun(s)
    s.acquire = async () => {
      throw new AppError({ status: 503, code: "budget_spent", message: "No permit." })
    }
    await go()
    expect(s.engine.changes).toEqual([])
    s.acquire = async () => {
      throw new Error("A fault.")
    }
    await expect(go()).rejects.toThrow("A fault.")
  })
})

describe("the end of a single call", () => {
  test("not sent: plans the row again and delays the run, longer each time", async () => {
    s.serve = () => notSent
    await go()
    expect(s.engine.changes[1]?.set).toMatchObject({ state: "planned", endedHow: "not sent: refused" })
    expect([s.run.pace.proven, s.run.pace.holdUntil]).toEqual([false, 101_000])
    await go()
    expect(s.run.pace.holdUntil).toBe(101_000)
    const waits: number[] = []
    for (let times = 0; times < 6; times += 1) {
      s.engine.now = s.run.pace.holdUntil
      await go()
      waits.push(s.run.pace.holdUntil - s.engine.now)
    }
    expect(waits).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000])
    s.serve = () => named
    await go()
    s.serve = () => notSent
    s.engine.now = s.run.pace.holdUntil
    await go()
    expect(s.run.pace.holdUntil - s.engine.now).toBe(1000)
  })

  test("429: plans the row again and leaves the delay to the rate limiter", async () => {
    s.serve = () => response(429, {})
    await go()
    expect(states()).toEqual(["7 sent", "7 planned"])
    expect(s.run.pace.holdUntil).toBe(-Infinity)
  })

  test("too late on the socket: writes nothing and does not count as unreachable", async () => {
    const may = (age: number, wall = 0): boolean[] => {
      const results: boolean[] = []
      s.serve = ({ mayWrite }) => {
        s.engine.now += age
        if (wall > 0) vi.spyOn(s.engine.context.clock, "now").mockReturnValue(s.engine.now + wall)
        results.push(mayWrite())
        return notSent
      }
      return results
    }
    const onTime = may(5200)
    await go()
    expect([onTime, s.run.pace.holdUntil]).toEqual([[true], 106_200])
    s.run = fakeRun(s)
    const tooLate = may(5201)
    await go()
    expect([tooLate, s.run.pace.holdUntil]).toEqual([[false], -Infinity])
    const jumped = may(0, 5201)
    await go()
    expect(jumped).toEqual([false])
    vi.restoreAllMocks()
  })

  test("a short lease: allows a quarter of it", async () => {
    const jobs = { settleMs: 1000, recheckMs: 700, leaseMs: 2000, callMs: 800 }
    s.engine = fakeEngine({ ...s.parts, config: { jobs } })
    const results: boolean[] = []
    s.serve = ({ mayWrite }) => {
      s.engine.now += 500
      results.push(mayWrite())
      s.engine.now += 1
      results.push(mayWrite())
      return notSent
    }
    await go()
    expect(results).toEqual([true, false])
  })

  test("the store's counter could not be saved: sends nothing", async () => {
    const fault = async () => {
      throw new Error("store")
    }
    for (const count of [async () => false, fault]) {
      s.engine = fakeEngine({ ...s.parts, restore: { count } })
      await go()
      expect(s.sentCalls.filter((call) => "operation" in call)).toEqual([])
      expect(s.engine.changes[1]?.set).toMatchObject({
        state: "planned",
        endedHow: "not sent: the store’s counter could not be kept",
      })
    }
  })

  test("a systemic refusal: plans the row again and pauses the job", async () => {
    s.serve = () => response(402, { error: { code: "insufficient_funds", message: "Empty." } })
    await go()
    expect(states()).toEqual(["7 sent", "7 planned"])
    expect(s.engine.jobChanges).toEqual([
      {
        from: ["running"],
        set: { state: "paused", pause: { code: "insufficient_funds", message: expect.any(String) } },
      },
    ])
    expect([s.run.pace.holdUntil, s.run.pace.proven]).toEqual([-Infinity, false])
  })

  test("a refused key that another one replaces: plans the row again and sends on", async () => {
    s.keyReplaced = true
    s.serve = () => response(401, { error: { code: "unauthorized", message: "Key." } })
    await go()
    expect(states()).toEqual(["7 sent", "7 planned"])
    expect(s.engine.jobChanges).toEqual([])
    s.serve = () => response(402, {})
    await go()
    expect(s.engine.jobChanges).toHaveLength(1)
  })

  test("a systemic refusal after an unknown attempt: pauses with a note that it may have been carried out", async () => {
    s.serve = () => response(402, { error: { code: "insufficient_funds", message: "Empty." } })
    const row = { ...singleRow, hadUnknownAttempt: true }
    s.engine = fakeEngine(s.parts, { rowsIn: async () => [row] })
    await go(row)
    expect(s.engine.jobChanges[0]?.set.pause?.message).toContain(earlierUnknown)
  })

  test("a refusal: fails the row", async () => {
    s.serve = () => refusal
    await go()
    expect(s.engine.changes[1]?.set).toMatchObject({
      state: "failed",
      outcome: { code: "closed", message: "No." },
    })
    expect([s.resolved, s.run.pace.proven, sendWorld.sampled]).toEqual([[7], true, []])
  })

  test.each([
    ["another shape", {}],
    ["an empty id", { id: "" }],
    ["too long an id", { id: "x".repeat(201) }],
    ["an id with a NUL character", { id: "a\u0000" }],
  ])("a success with %s: looks the row up", async (_, data) => {
    s.serve = () => response(200, { data })
    await go()
    expect(s.engine.changes[1]?.set).toMatchObject({
      state: "unknown",
      endedHow: "a success that doesn’t name this row",
      nextAt: 101_000,
    })
    expect(s.resolved).toEqual([7])
  })

  test.each([
    ["claimed", "the response names an entry that belongs to another row"],
    ["stale", "the response came too late"],
  ] as const)("a confirmation that is %s: looks the row up", async (result, endedHow) => {
    s.engine.results.push(["changed"], [result])
    await go()
    expect(s.engine.changes[2]?.set).toMatchObject({
      state: "unknown",
      endedHow,
      nextAt: 101_000,
      endedAt: 100_000,
    })
    expect([sendWorld.sampled, s.resolved]).toEqual([[], []])
    expect(s.engine.calls).toContain(
      `warn: ${JSON.stringify({ job: "J-1001", row: 7, id: "txn_1", result })} the response couldn’t be used`,
    )
  })

  test("is stored as soon as the store succeeds, with growing pauses", async () => {
    let fails = 7
    const { store } = s.engine.context
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
    const pauses = s.engine.calls.filter((call) => call.startsWith("sleep"))
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 3000, 3000].map((ms) => `sleep: ${ms}`))
    const lost = s.engine.calls.filter((call) => call.startsWith("error"))
    expect(lost[0]).toBe('error: {"err":{},"job":"J-1001"} the outcome of a call could not be persisted yet')
    expect(lost).toHaveLength(7)
  })
})

describe("calls without a usable response", () => {
  test("slow the run down from the third in a row, up to a minute", async () => {
    s.serve = () => reset
    const waits: number[] = []
    for (let times = 0; times < 11; times += 1) {
      await go()
      waits.push(Math.max(s.run.pace.holdUntil - s.engine.now, 0))
      s.engine.now = Math.max(s.engine.now, s.run.pace.holdUntil)
    }
    expect(waits).toEqual([0, 0, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
    expect(s.run.pace.proven).toBe(false)
  })

  test("count once if concurrent, until the next usable response", async () => {
    s.serve = () => reset
    for (let times = 0; times < 4; times += 1) await go()
    expect(s.run.pace.holdUntil).toBe(101_000)
    s.serve = () => refusal
    await go()
    expect(s.run.pace.proven).toBe(true)
    s.engine.now = s.run.pace.holdUntil
    s.serve = () => reset
    for (let times = 0; times < 2; times += 1) await go()
    expect(s.run.pace.holdUntil).toBe(s.engine.now)
  })
})

describe("rows with a precheck", () => {
  const checks = (...results: (Precheck | Error)[]) => {
    let count = 0
    sendWorld.rules = {
      ...sendRules,
      precheck: async () => {
        const one = results[Math.min(count, results.length - 1)]
        count += 1
        if (one === undefined || one instanceof Error) throw one ?? new Error("No result.")
        return one
      },
    }
    return () => count
  }

  test("are sent without turns and with the notes of the precheck", async () => {
    checks({ kind: "go", notes: { balance: 5 } })
    await go()
    expect(s.run.log).toEqual([])
    expect(s.engine.changes[0]?.set.notes).toEqual({ balance: 5 })
  })

  test("are prechecked again when the permit took longer than 12 s", async () => {
    const checked = checks({ kind: "go" })
    s.acquire = async () => void (s.engine.now += 12_000)
    await go()
    expect(checked()).toBe(1)
    s.acquire = async () => void (s.engine.now += 12_001)
    await go()
    expect(checked()).toBe(3)
    const failing = checks({ kind: "go" }, { kind: "failed", outcome: rowOutcome("not_enough_points") })
    s.engine.changes.length = 0
    await go()
    expect([failing(), states()]).toEqual([2, ["7 failed"]])
  })

  test("that end at the precheck are not sent", async () => {
    checks({ kind: "failed", outcome: rowOutcome("not_enough_points") })
    await go()
    expect([s.sentCalls, states()]).toEqual([[], ["7 failed"]])
    expect(s.engine.calls[0]).toBe("job changed: J-1001")
    expect(s.engine.calls).toContain('invalidate: {"evict":[],"stale":[]}')
  })

  test("that cannot be read stay planned for 2 s, or until the key works", async () => {
    checks(new AppError({ status: 502, code: "unreadable_answer", message: "No." }))
    await go()
    expect([s.sentCalls, s.engine.changes, s.run.pace.holdUntil]).toEqual([[], [], 102_000])
    s.run = fakeRun(s)
    checks(
      new AppError({
        status: 502,
        code: "refused_by_service",
        message: "No.",
        details: { upstream_status: 401, upstream_code: "unauthorized" },
      }),
    )
    await go()
    expect(s.engine.jobChanges).toEqual([
      { from: ["running"], set: { state: "paused", pause: { code: "unauthorized", message: "No." } } },
    ])
    expect(s.run.pace.holdUntil).toBe(-Infinity)
    checks(new Error("A fault."))
    await expect(go()).rejects.toThrow("A fault.")
  })

  test.each([
    ["another job", { job: "J-1", row: 7 }, false],
    ["another row", { job: "J-1001", row: 8 }, false],
    ["the row itself", { job: "J-1001", row: 7 }, true],
  ])("wait while %s has the claim", async (_, owner, goes) => {
    const checked = checks({ kind: "go" })
    sendWorld.rules = { ...sendWorld.rules, claims: { whileSent: () => ({ scope: "orders", key: "ord_1" }) } }
    s.engine = fakeEngine(s.parts, {
      claims: async (scope: string, [key]: readonly string[]) => new Map([[key, { ...owner, scope }]]),
    })
    await go()
    expect([checked(), s.sentCalls.length > 0]).toEqual(goes ? [1, true] : [0, false])
    expect(s.engine.changes[0]?.set.nextAt).toBe(goes ? null : 101_000)
  })
})
