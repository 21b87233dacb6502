import { beforeEach, describe, expect, test, vi } from "vitest"
import { contextWith, fakeEngine } from "../../tests/support/fake-engine.ts"
import { jobOf } from "../../tests/support/job-records.ts"
import {
  beginSending,
  bulkRows,
  fakeRun,
  notSent,
  refusal,
  reset,
  response,
  sendRules,
  sendWorld,
} from "../../tests/support/sending.ts"
import type { RowRecord } from "./job-store.ts"
import { sendBulk } from "./send-bulk.ts"

vi.mock("./canaries.ts", async () => (await import("../../tests/support/sending.ts")).fakeCanaries)

let s: ReturnType<typeof beginSending>

beforeEach(() => {
  s = beginSending()
})

const states = () => s.engine.changes.map(({ row, set }) => `${row} ${set.state}`)

describe("a bulk request", () => {
  const go = (rows: readonly RowRecord[], job = jobOf()) =>
    sendBulk(contextWith(s.engine, sendWorld.rules, job), s.run, sendRules.bulk, rows)
  const ids = (...named: readonly (readonly [string, string])[]) => response(200, { data: new Map(named) })
  const all = ids(["mem_1", "txn_1"], ["mem_2", "txn_2"], ["mem_3", "txn_3"])

  test("contains only rows whose intent was stored, with one request id", async () => {
    s.engine.results.push(["changed", "stale", "changed"])
    s.serve = () => all
    await go(bulkRows())
    expect(s.sentCalls[1]).toMatchObject({ operation: "POST /points/award/bulk", body: [1, 3] })
    const [one, two] = s.engine.changes
    expect(one?.set.request).toMatch(/^[0-9a-f-]{36}$/)
    expect(two?.set.request).toBe(one?.set.request)
    expect(two?.set.bodyHash).not.toBe(one?.set.bodyHash)
    expect(states().slice(3)).toEqual(["1 confirmed", "3 confirmed"])
    expect(s.run.log).toEqual(["sent", "turn", "on the wire", "answered 250 800"])
    expect(sendWorld.sampled).toEqual(["1 txn_1 100000", "3 txn_3 100000"])
  })

  test("confirms only the rows that the response names, and sends the others alone after a lookup", async () => {
    s.serve = () => ids(["mem_1", "txn_1"], ["mem_3", "txn_3"])
    s.engine.results.push(["changed", "changed", "changed"], ["changed", "changed", "claimed"])
    await go(bulkRows())
    const [first, second, third, again] = s.engine.changes.slice(3)
    expect(first).toMatchObject({
      row: 1,
      claim: { scope: "effects", key: "txn_1" },
      set: { state: "confirmed", balanceAfter: null, endedAt: 100_000, endedHow: "answered" },
    })
    expect(second?.set).toMatchObject({
      state: "unknown",
      sendAlone: true,
      nextAt: 101_000,
      endedHow: "the response to its bulk request doesn’t name it",
    })
    expect(third?.set.state).toBe("confirmed")
    expect(again).toMatchObject({
      row: 3,
      set: {
        state: "unknown",
        sendAlone: true,
        endedHow: "the response names an entry that belongs to another row",
      },
    })
    expect(s.engine.changes).toHaveLength(7)
    expect(sendWorld.sampled).toEqual(["1 txn_1 100000"])
    expect(s.engine.calls.filter((call) => call.startsWith("invalidate"))).toHaveLength(1)
  })

  test("looks unnamed rows up after a second, or after a shorter settle time", async () => {
    const jobs = { settleMs: 400, recheckMs: 700, leaseMs: 8000, callMs: 800 }
    s.engine = fakeEngine({ ...s.parts, config: { jobs } })
    s.serve = () => ids()
    await go(bulkRows(1))
    expect(s.engine.changes[1]?.set.nextAt).toBe(100_400)
    s.engine = fakeEngine({ ...s.parts, config: { jobs: { ...jobs, settleMs: 5000 } } })
    await go(bulkRows(1))
    expect(s.engine.changes[1]?.set.nextAt).toBe(101_000)
  })

  const nextAts = () =>
    s.engine.changes.filter(({ set }) => set.state === "unknown").map(({ set }) => set.nextAt)

  test("without a response looks three rows up first, the others at the deciding age", async () => {
    s.serve = () => reset
    await go(bulkRows(10))
    const [soon, later] = [101_000, 102_700]
    expect(nextAts()).toEqual([soon, later, later, soon, later, later, soon, later, later, later])
    expect(s.engine.changes[10]?.set).toMatchObject({
      endedHow: "reset, after 0.3 s",
      hadUnknownAttempt: true,
    })
    expect(s.engine.changes[10]?.set).not.toHaveProperty("sendAlone")
    expect(s.run.log).toContain("unknown")
    s.engine.changes.length = 0
    await go(bulkRows(2))
    expect(nextAts()).toEqual([soon, soon])
  })

  test("refused as a whole halves the bulk size, and its rows are sent alone after a lookup", async () => {
    s.serve = () => refusal
    await go(bulkRows(100))
    expect(s.run.log).toContain("refused 100")
    const closed = { code: "closed", message: "No." }
    expect(s.engine.jobChanges).toEqual([
      { from: ["running", "paused", "cancelling"], set: { bulkSize: 50, refusal: closed } },
    ])
    const refused = s.engine.changes.slice(100)
    expect(refused).toHaveLength(100)
    for (const { set } of refused) {
      expect(set).toMatchObject({
        state: "unknown",
        endedHow: "refused: closed",
        sendAlone: true,
        hadUnknownAttempt: true,
      })
      expect(set.outcome?.message).toContain("The service said: “No.” (closed).")
    }
  })

  test("refused without naming rows halves the next one, and a small one is sent row by row", async () => {
    s.serve = () => response(405, {})
    await go(bulkRows(14))
    expect(s.engine.jobChanges).toEqual([
      { from: ["running", "paused", "cancelling"], set: { bulkSize: 7, refusal: null } },
    ])
    expect(s.engine.changes[14]?.set).not.toHaveProperty("sendAlone")
    s.engine.changes.length = 0
    await go(bulkRows(13))
    expect(s.engine.changes[13]?.set.sendAlone).toBe(true)
    s.engine.jobChanges.length = 0
    await go(bulkRows(10), jobOf({ bulkSize: 5 }))
    expect(s.engine.jobChanges).toEqual([])
  })

  test("counts as refused with an unusable response, and as unknown without one", async () => {
    s.serve = () => response(405, {})
    await go(bulkRows(2))
    expect(s.run.log).toContain("refused 2")
    s.run = fakeRun(s)
    s.serve = () => response(503, {})
    await go(bulkRows(2))
    expect(s.run.log).toContain("unknown")
    s.run = fakeRun(s)
    s.engine.changes.length = 0
    s.serve = () => response(200, { data: "odd" })
    await go(bulkRows(2))
    expect(s.run.log).toContain("unknown")
    expect(s.engine.changes[2]?.set.endedHow).toBe("a success in an unexpected format")
  })

  test("did nothing after 401, but may have booked some rows before any other refusal", async () => {
    s.serve = () => response(401, { error: { code: "unauthorized", message: "Key." } })
    await go(bulkRows(2))
    expect(states().slice(2)).toEqual(["1 planned", "2 planned"])
    expect(s.run.log).toEqual(["sent", "turn", "on the wire", "not done"])
    expect(s.engine.jobChanges).toHaveLength(1)
    s.run = fakeRun(s)
    s.engine.changes.length = 0
    s.serve = () => response(402, {})
    await go(bulkRows(2))
    expect(states().slice(2)).toEqual(["1 unknown", "2 unknown"])
    expect(s.engine.changes[2]?.set.endedHow).toMatch(/^refused: /)
    expect(s.run.log.filter((line) => line === "not done")).toHaveLength(1)
    expect(s.engine.jobChanges).toHaveLength(2)
  })

  test("that was not sent is not unknown", async () => {
    s.serve = () => notSent
    await go(bulkRows(2))
    expect(states().slice(2)).toEqual(["1 planned", "2 planned"])
    s.engine.job = jobOf({ state: "paused" })
    await go(bulkRows(2))
    s.acquire = async () => {
      throw new Error("A fault.")
    }
    await expect(go(bulkRows(2))).rejects.toThrow("A fault.")
    expect(s.run.log.filter((line) => line === "not done")).toHaveLength(3)
    expect(s.run.log.filter((line) => line === "unknown")).toEqual([])
  })
})
