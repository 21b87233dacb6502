import { beforeEach, describe, expect, test, vi } from "vitest"
import { rowOutcome } from "../../contract/row-outcomes.ts"
import { contextWith, fakeEngine, type FakeEngine } from "../../tests/support/fake-engine.ts"
import { jobOf, rowOf } from "../../tests/support/job-records.ts"
import { fakeRun } from "../../tests/support/sending.ts"
import { AppError } from "../errors.ts"
import type { FoundEffect, KindRules, Lookup } from "./job-kind.ts"
import type { RowRecord } from "./job-store.ts"
import { recheckRow, recoverSentRows } from "./reconcile.ts"

vi.mock("./canaries.ts", () => ({}))

let engine: FakeEngine

beforeEach(() => {
  engine = fakeEngine()
})

describe("sent rows", () => {
  const sent = rowOf({ state: "sent", attempts: 2, owner: "one", sentAt: 90_000 })
  const withSent = jobOf({ counts: { ...jobOf().counts, sent: 1 } })
  let queries: string[] = []
  const recover = async (
    row: RowRecord,
    isOver: boolean,
    flying: readonly string[] = [],
    job = withSent,
    rules: Partial<KindRules> = {},
  ) => {
    queries = []
    const instances = {
      isOver: async ({ owner }: RowRecord) => isOver && owner === row.owner,
      dead: async () => ["dead"],
    }
    const overdue = async (id: string, at: number, owners: readonly string[]) => {
      queries.push(`overdue ${id} ${at} ${owners.join()}`)
      return [row]
    }
    engine = fakeEngine({ instances }, { overdue })
    const run = fakeRun({ engine })
    for (const key of flying) run.inFlight.add(key)
    await recoverSentRows(contextWith(engine, rules, job), run)
    return engine.changes
  }
  const unknown = {
    state: "unknown",
    hadUnknownAttempt: true,
    outcome: rowOutcome("looking"),
    nextAt: 101_000,
  }

  test("of a dead process are looked up as ended", async () => {
    const endedHow = "the server that sent it stopped before a response came"
    const set = { ...unknown, endedAt: 100_000, endedHow }
    expect(await recover(sent, true)).toEqual([{ row: 7, attempt: 2, from: ["sent", "unknown"], set }])
    expect(queries).toEqual(["overdue J-1001 100000 dead"])
    expect(engine.calls).toEqual(["run taken over: ", "job changed: J-1001"])
  })

  test("of a process that may be frozen have no end yet", async () => {
    const set = { ...unknown, endedAt: null, endedHow: "no contact with the server that sent it" }
    expect(await recover(sent, false)).toEqual([{ row: 7, attempt: 2, from: ["sent"], set }])
  })

  test("within their lease stay as they are if the stop of their process came before they were sent", async () => {
    expect(await recover({ ...sent, leaseUntil: 100_000 }, false)).toEqual([])
    expect(await recover({ ...sent, leaseUntil: 99_999 }, false)).toHaveLength(1)
  })

  test("of a kind compared before sending end with their lease", async () => {
    const changes = await recover(sent, false, [], withSent, { resendSafety: "compared" })
    expect(changes).toMatchObject([{ set: { state: "unknown", endedAt: 100_000, nextAt: 101_000 } }])
  })

  test("of an idempotent kind are resent after their lease", async () => {
    const changes = await recover(sent, false, [], withSent, { resendSafety: "idempotent" })
    expect(changes).toMatchObject([{ set: { state: "planned", endedAt: 100_000, hadUnknownAttempt: true } }])
  })

  test("whose call is in flight here stay unchanged", async () => {
    const own = { ...sent, owner: "this" }
    expect(await recover(own, true, ["7:2"])).toEqual([])
    expect(engine.calls).toEqual([])
    expect(await recover(own, true, ["7:1"])).toHaveLength(1)
    expect(engine.calls).toEqual(["job changed: J-1001"])
    expect(await recover(sent, true, ["7:2"])).toHaveLength(1)
  })

  test("are only queried if there are any", async () => {
    expect(await recover(sent, true, [], jobOf())).toEqual([])
    expect(queries).toEqual([])
  })
})

describe("a resent and confirmed row", () => {
  const confirmed = rowOf({ state: "confirmed", attempts: 2, hadUnknownAttempt: true, upstreamId: "txn_1" })
  const rechecked = async (lookup: () => Lookup) => {
    engine.changes.length = 0
    await recheckRow(contextWith(engine, { lookup: async () => lookup() }), confirmed)
    return engine.changes
  }
  const found = (upstreamId: string, tagged = true): FoundEffect => ({
    upstreamId,
    createdAt: undefined,
    points: 5,
    text: null,
    reference: null,
    tagged,
  })
  const shows =
    (complete: boolean, ...effects: readonly FoundEffect[]) =>
    (): Lookup => ({
      kind: "read",
      found: effects,
      complete,
    })
  const fails = (error: Error) => () => {
    throw error
  }
  const from = { row: 7, attempt: 2, from: ["confirmed"] }
  const over = [{ ...from, set: { nextAt: null } }]
  const later = [{ ...from, set: { nextAt: 101_000 } }]
  const unreadable = { status: 502, code: "unreadable_answer", message: "No." } as const

  test("needs no further recheck without a second effect", async () => {
    expect(await rechecked(shows(true, found("txn_1"), found("txn_2", false)))).toEqual(over)
    expect(engine.calls).toEqual(["job changed: J-1001"])
    expect(await rechecked(() => ({ kind: "no_record" }))).toEqual(over)
  })

  test("goes to a person with a second effect, even after an incomplete lookup", async () => {
    const outcome = rowOutcome("awarded_twice")
    const twice = [{ ...from, set: { state: "conflict", outcome, nextAt: null, decision: null } }]
    expect(await rechecked(shows(false, found("txn_1"), found("txn_2")))).toEqual(twice)
  })

  test("is rechecked later after an incomplete or failed lookup", async () => {
    expect(await rechecked(shows(false, found("txn_1")))).toEqual(later)
    expect(await rechecked(fails(new AppError(unreadable)))).toEqual(later)
    expect(engine.calls).toEqual([])
    const jobs = { settleMs: 200, recheckMs: 700, leaseMs: 8000, callMs: 800 }
    engine = fakeEngine({ config: { jobs } })
    expect(await rechecked(shows(false))).toEqual(later)
    engine = fakeEngine({ config: { jobs: { ...jobs, settleMs: 3000 } } })
    expect(await rechecked(shows(false))).toEqual([{ ...from, set: { nextAt: 103_000 } }])
  })

  test("throws when the key is refused or on an internal error", async () => {
    const refused = new AppError({ ...unreadable, details: { upstream_status: 401 } })
    for (const error of [refused, new Error("A fault.")])
      await expect(rechecked(fails(error))).rejects.toBe(error)
    expect(engine.changes).toEqual([])
  })
})
