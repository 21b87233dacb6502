import { beforeEach, describe, expect, test, vi } from "vitest"
import type { AuditEntry } from "../../contract/audit.ts"
import { fakeEngine, type FakeEngine } from "../../tests/support/fake-engine.ts"
import { jobOf, rowOf } from "../../tests/support/job-records.ts"
import type { ActContext, NewAuditEntry } from "../audit/audit-log.ts"
import {
  cancelJob,
  closeOpenJob,
  editJob,
  excludeAwaiting,
  excludeFailed,
  finishIfOver,
  pauseRunning,
  resumeJob,
  retryJob,
  startDraft,
} from "./job-actions.ts"
import { jobAct } from "./engine-context.ts"
import type { EntryBuilder, JobChange, JobRecord, RowChange, RowRecord } from "./job-store.ts"

const world = vi.hoisted(() => ({
  rules: {} as object,
  most: [] as number[],
  retried: 1,
  excluded: 2,
  missed: [] as number[],
  recorded: [] as unknown[],
}))

vi.mock("./kinds/kind-rules.ts", () => ({
  kindRules: {
    get award() {
      return world.rules
    },
  },
}))
vi.mock("./amount-limits.ts", () => {
  const rules = (name: string) => ({
    most: (at: number) => `${name} ${at}`,
    refusal: async (passed: string, maker: string, moved: object, rest: string) =>
      new Error([passed, maker, JSON.stringify(moved), rest].join(" ")),
  })
  return { noAmountRules: rules("none"), amountRules: async (_: unknown, kind: string) => rules(kind) }
})
vi.mock("./resolve-rows.ts", () => ({
  resolveDraft: async (_: unknown, { id }: JobRecord, repeats: number | null) => {
    if (repeats !== null) world.recorded.push(`${id} ${repeats}`)
    return { changes: [], deductions: [] }
  },
}))
vi.mock("./restore.ts", () => ({
  requireNotHeld: (_: unknown, what: string) => world.recorded.push(what),
}))
vi.mock("./retry.ts", () => ({
  editRows: async () => {},
  excludeFailedRows: async (_: unknown, __: unknown, job: JobRecord, ___: unknown, audit: EntryBuilder) => {
    audit(job)
    return world.excluded
  },
  retryRows: async (_: unknown, job: JobRecord, __: unknown, again: JobChange, audit: EntryBuilder) => {
    world.recorded.push(again)
    if (world.retried > 0) audit(job)
    return { planned: world.retried, missed: world.missed }
  },
}))

let engine: FakeEngine
let entries: (NewAuditEntry & Partial<AuditEntry>)[]
let rows: RowRecord[]
let portions: unknown[]

beforeEach(() => {
  world.rules = {}
  world.retried = 1
  world.missed = []
  world.recorded = []
  entries = []
  rows = []
  portions = []
  engine = fakeEngine(
    {
      accounts: { get: async () => undefined },
      audit: {
        together: (
          entryFor: (job: JobRecord, only?: RowRecord) => NewAuditEntry,
          work: (entry: (job: JobRecord, only?: RowRecord) => void) => unknown,
        ) => work((...given) => void entries.push({ ...entryFor(...given), id: "made" })),
      },
    },
    {
      now: async () => 100_000,
      rowsIn: async (_: string, states: readonly string[], after: number) => {
        portions.push(states)
        return rows.filter(({ state, row }) => states.includes(state) && row > after)
      },
      async changeRows(
        _: string,
        changes: readonly RowChange[],
        __: unknown,
        ___: unknown,
        audit?: EntryBuilder,
      ) {
        engine.changes.push(...changes)
        audit?.(engine.job)
        return changes.map(() => "changed")
      },
      async change(
        _: string,
        from: readonly string[],
        set: JobChange["set"],
        audit?: (job: JobRecord, only: RowRecord | undefined) => AuditEntry,
      ) {
        if (!from.includes(engine.job.state)) return undefined
        engine.jobChanges.push({ from, set })
        engine.job = { ...engine.job, ...set }
        audit?.(engine.job, engine.job.total === 1 ? rows[0] : undefined)
        return engine.job
      },
      async start(_: string, set: JobChange["set"], most: unknown, from: string, audit: EntryBuilder) {
        engine.calls.push(`start: ${JSON.stringify([set, most, from])}`)
        if (engine.job.state !== from) return "stale"
        if (limit !== undefined) return limit
        engine.job = { ...engine.job, ...set, state: "running" }
        audit(engine.job)
        return engine.job
      },
    },
  )
  limit = undefined
})

let limit: "over_job" | "over_day" | "rows_changed" | undefined

const finish = async (job: Partial<JobRecord>) => {
  engine.job = jobOf(job)
  engine.jobChanges.length = 0
  engine.changes.length = 0
  return (await finishIfOver(engine.context, "J-1001"))?.state
}
const counts = (some: Partial<JobRecord["counts"]>) => ({ counts: { ...jobOf().counts, ...some } })
const hold = { state: "ready", sign: "counter", at: 1, since: null, confirmedBefore: 0 } as const

describe("the end of a job", () => {
  test("is reached when no row is planned, sent or unknown", async () => {
    expect(await finish(counts({ confirmed: 10 }))).toBe("done")
    expect(engine.jobChanges).toEqual([
      { from: ["running", "paused"], set: { state: "done", pause: null, finishedAt: 100_000 } },
    ])
    expect(engine.calls).toEqual(["job changed: J-1001"])
    expect(await finish({ state: "paused" })).toBe("done")
    for (const open of ["planned", "sent", "unknown"] as const) {
      expect(await finish(counts({ [open]: 1 }))).toBe("running")
      expect(engine.jobChanges).toEqual([])
    }
    for (const state of ["draft", "done", "cancelled"] as const) expect(await finish({ state })).toBe(state)
    expect(engine.jobChanges).toEqual([])
  })

  test("waits for a person while it is held and rows need a decision", async () => {
    expect(await finish({ hold, attention: 1 })).toBe("running")
    expect(await finish({ hold, attention: 0 })).toBe("done")
    expect(await finish({ attention: 1 })).toBe("done")
    expect(await finish({ hold: { ...hold, state: "released" }, attention: 1 })).toBe("done")
  })

  test("is written to the audit log with its counts or its only row", async () => {
    await finish({ ...counts({ confirmed: 8, failed: 2 }), title: "Q3" })
    const actor = { id: "usr_1", name: "Helen Park", role: "admin" }
    const made = { actor, area: "program", request_id: "J-1001", source: null, id: "made" }
    const on = { kind: "job", id: "J-1001", label: "Q3: 8 of 10" }
    const note = "8 done, 2 not done."
    expect(entries).toEqual([{ ...made, action: "job.finish", on, outcome: "done", note, changes: [] }])
    await finish({ ...counts({ failed: 10 }) })
    await finish({ ...counts({ confirmed: 9 }), attention: 1 })
    expect(entries.slice(1).map(({ outcome }) => outcome)).toEqual(["failed", "unknown"])
    entries.length = 0
    const job = { total: 1, ...counts({ confirmed: 1 }) }
    rows = [rowOf({ state: "confirmed", label: null, email: "ana@x.test" })]
    await finish(job)
    const changes = [
      { field: "points", from: null, to: "5" },
      { field: "reason", from: null, to: "Bonus" },
      { field: "job", from: null, to: "J-1001" },
    ]
    const member = { kind: "member", id: "mem_1", label: "ana@x.test" }
    const one = { ...made, action: "points.award", on: member, outcome: "done", note: null, changes }
    expect(entries).toEqual([one])
    const closed = { code: "closed", message: "It is closed." }
    const ends: [RowRecord["state"], string][] = [
      ["failed", "refused"],
      ["planned", "refused"],
      ["absent", "unknown"],
      ["conflict", "unknown"],
    ]
    for (const [state, outcome] of ends) {
      rows = [rowOf({ state, outcome: closed, memberId: null, points: null, reason: null })]
      await finish(job)
      expect(entries.at(-1)).toMatchObject({
        outcome,
        note: "It is closed.",
        changes: [changes[2]],
        on: { id: "" },
      })
    }
    const changed = { field: "order_id", from: null, to: "ord_1" }
    world.rules = { audit: { on: () => on, changes: () => [changed] } }
    await finish(job)
    expect(entries.at(-1)).toMatchObject({ on, changes: [changed, changes[2]] })
  })

  test("leaves rows of a cancelled job planned, and looks up those that may have been carried out", async () => {
    rows = [
      rowOf({ row: 1 }),
      rowOf({ row: 2, hadUnknownAttempt: true, attempts: 1 }),
      rowOf({ row: 3, state: "failed" }),
    ]
    expect(await finish({ state: "cancelling", ...counts({ planned: 2 }) })).toBe("cancelled")
    expect(engine.changes.map(({ row, set }) => `${row} ${set.state}`)).toEqual(["2 unknown"])
    expect(engine.jobChanges).toEqual([
      { from: ["cancelling"], set: { state: "cancelled", pause: null, finishedAt: 100_000 } },
    ])
    expect(entries[0]?.note).toBe("Cancelled: 0 done, 2 not sent.")
    expect(portions).toEqual([["planned"]])
    for (const open of ["sent", "unknown"] as const)
      expect(await finish({ state: "cancelling", ...counts({ [open]: 1 }) })).toBe("cancelling")
    rows = [rowOf({ row: 3, state: "failed", reverses: { job: "J-1000", row: 1 } })]
    await finish({ state: "cancelling", reverses: "J-1000" })
    expect(engine.changes).toEqual([{ row: 3, from: ["failed"], set: { reverses: null } }])
  })

  test("waits while the job is open, and closes it at the end of its day", async () => {
    const open = { isOpen: true, closesAt: engine.now + 1 }
    expect(await finish(open)).toBe("running")
    expect(engine.jobChanges).toEqual([])
    engine.now += 1
    expect(await finish(open)).toBe("done")
    expect(engine.jobChanges.map(({ from, set }) => [from, set.isOpen])).toEqual([
      [["running", "paused"], false],
      [["running", "paused"], undefined],
    ])
    expect(await finish({ isOpen: true, closesAt: null })).toBe("done")
    expect(await finish({ ...open, state: "cancelled" })).toBe("cancelled")
  })

  test("changes nothing when another instance has ended the job", async () => {
    expect(await finishIfOver(fakeEngine({}, { get: async () => undefined }).context, "J-1")).toBeUndefined()
    const other = fakeEngine({}, { change: async () => undefined })
    expect(await finishIfOver(other.context, "J-1")).toBe(other.job)
    expect(other.calls).toEqual([])
  })
})

describe("people's actions on a job", () => {
  const requester: ActContext = {
    user: { id: "usr_2", name: "Bo Ek", email: "bo@x.test", role: "manager" },
    requestId: "req_1",
    source: null,
  }
  const store = (job: Partial<JobRecord>) => {
    engine.job = jobOf(job)
    engine.calls.length = 0
    entries.length = 0
  }
  const noted = () => entries.map(({ action, note }) => [action, note])
  const conflict = (message: string) => expect.objectContaining({ status: 409, message })

  test("pausing and cancelling are limited to some states", async () => {
    store({})
    expect((await pauseRunning(engine.context, requester, "J-1001", { reason: "Lunch" })).state).toBe(
      "paused",
    )
    expect(engine.jobChanges[0]).toEqual({
      from: ["running"],
      set: { state: "paused", pause: { code: "paused_by_person", message: "Bo Ek paused it." } },
    })
    expect([noted(), engine.calls]).toEqual([[["job.pause", "Lunch"]], ["job moved: J-1001"]])
    await expect(pauseRunning(engine.context, requester, "J-1001", { reason: "" })).rejects.toEqual(
      conflict("This job is paused, so it can’t be paused. Nothing was done."),
    )
    expect((await cancelJob(engine.context, requester, "J-1001", { reason: "" })).state).toBe("cancelling")
    expect(noted()[1]).toEqual(["job.cancel", null])
    await expect(cancelJob(engine.context, requester, "J-1001", {})).rejects.toEqual(
      conflict("This job is being cancelled, so it can’t be cancelled. Nothing was done."),
    )
    expect(engine.jobChanges[1]).toEqual({
      from: ["draft", "running", "paused"],
      set: { state: "cancelling", pause: null },
    })
    const missing = fakeEngine({}, { change: async () => undefined, get: async () => undefined })
    await expect(pauseRunning(missing.context, requester, "J-1", {})).rejects.toMatchObject({ status: 404 })
  })

  test("a draft starts only with the expected numbers of rows and repeats", async () => {
    store({ state: "draft", total: 3 })
    await expect(startDraft(engine.context, requester, "J-1001", { total: 2 })).rejects.toEqual(
      conflict("This draft has 3 rows, not 2. Nothing was started. Add the rest first."),
    )
    expect((await startDraft(engine.context, requester, "J-1001", { total: 3 })).state).toBe("running")
    expect(engine.calls[0]).toBe('start: [{"startedAt":100000,"repeats":null},"award 100000","draft"]')
    expect([noted(), world.recorded]).toEqual([[["job.start", null]], []])
    store({ state: "draft", total: 3, file: { name: "june.csv", fingerprint: "0123456789abcdef" } })
    await startDraft(engine.context, requester, "J-1001", {})
    expect([noted(), world.recorded]).toEqual([[["job.start", null]], ["J-1001 0"]])
    for (const [repeats, note] of [
      [1, "1 row repeats an earlier one and was included on purpose."],
      [2, "2 rows repeat earlier ones and were included on purpose."],
    ] as const) {
      store({ state: "draft", total: 3 })
      await startDraft(engine.context, requester, "J-1001", { repeats })
      expect(noted()).toEqual([["job.start", note]])
    }
    store({ state: "draft", total: 0 })
    await expect(startDraft(engine.context, requester, "J-1001", {})).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining("This draft has no rows. Nothing was started."),
    })
    store({ state: "done", total: 0 })
    world.recorded = []
    await expect(startDraft(engine.context, requester, "J-1001", { repeats: 1 })).rejects.toEqual(
      conflict("This job is done, so it can’t be started. Nothing was done."),
    )
    expect(world.recorded).toEqual([])
  })

  test.each(["over_job", "over_day"] as const)(
    "no job starts or resumes when the store returns %s",
    async (passed) => {
      store({ state: "draft" })
      limit = passed
      const moved = '{"job":50,"added":50,"startedAt":100000}'
      await expect(startDraft(engine.context, requester, "J-1001", {})).rejects.toThrow(
        `${passed} usr_1 ${moved} Nothing was started.`,
      )
      store({ state: "paused" })
      await expect(resumeJob(engine.context, requester, "J-1001", {})).rejects.toThrow(
        "It was not resumed. Nothing was sent.",
      )
      expect(entries).toEqual([])
      expect(engine.calls).not.toContain("job moved: J-1001")
    },
  )

  test("a resumed job is prepared again, and a form's job counts for the day of the resume", async () => {
    const resumed = async (job: Partial<JobRecord>) => {
      store({ state: "paused", ...job })
      await resumeJob(engine.context, requester, "J-1001", { reason: "Go" })
      return engine.calls[0]
    }
    expect(await resumed({})).toBe('start: [{"pause":null,"prepared":false},"none undefined","paused"]')
    expect(noted()).toEqual([["job.resume", "Go"]])
    const set = '{"pause":null,"prepared":false,"startedAt":100000}'
    expect(await resumed({ lane: "people" })).toBe(`start: [${set},"award 100000","paused"]`)
    expect(await resumed({ lane: "people", reverses: "J-1" })).toBe(`start: [${set},"none 100000","paused"]`)
    store({})
    await expect(resumeJob(engine.context, requester, "J-1001", {})).rejects.toEqual(
      conflict("This job is running, so it can’t be resumed. Nothing was done."),
    )
  })

  test("rows are edited in a paused job only, with the first changes in the audit log", async () => {
    store({ state: "paused" })
    await editJob(engine.context, requester, "J-1001", { rows: [], reason: "Typo" })
    const many = Array.from({ length: 201 }, (_, at) => ({ field: `f${at}`, from: null, to: "x" }))
    expect(jobAct(requester, "job.edit", jobOf(), { note: "Typo", changes: many }).changes).toHaveLength(200)
    expect(world.recorded).toEqual(["its rows can’t be edited yet"])
    store({})
    await expect(editJob(engine.context, requester, "J-1001", { rows: [] })).rejects.toEqual(
      conflict("This job is running, so it can’t be edited. Nothing was done."),
    )
  })

  test("a job that may send twice looks its planned rows up again when it is resumed", async () => {
    rows = [rowOf({ row: 1 }), rowOf({ row: 2, hadUnknownAttempt: true, attempts: 1 })]
    const lookedUp = async (resendSafety: string, job: Partial<JobRecord> = {}) => {
      world.rules = { resendSafety }
      store({ state: "paused", ...job })
      engine.changes.length = 0
      await resumeJob(engine.context, requester, "J-1001", {})
      return engine.changes.map(({ row }) => row)
    }
    expect(await lookedUp("proof")).toEqual([2])
    expect(await lookedUp("idempotent")).toEqual([])
    expect(await lookedUp("proof", { hold })).toEqual([])
  })

  test("no draft starts whose rows changed meanwhile", async () => {
    store({ state: "draft" })
    limit = "rows_changed"
    await expect(startDraft(engine.context, requester, "J-1001", {})).rejects.toEqual(
      conflict("Rows of this job changed in the meantime. Nothing was started. Try again."),
    )
  })

  test("rows that wait for a reversal are left out of a running or paused job, with their number", async () => {
    const awaits = "J-1000"
    rows = [rowOf({ row: 1, awaits }), rowOf({ row: 2 }), rowOf({ row: 3, awaits })]
    for (const state of ["running", "paused"] as const) {
      store({ state })
      await excludeAwaiting(engine.context, requester, "J-1001", { reason: "Wrong file." })
      expect(engine.changes.splice(0)).toMatchObject([
        { row: 1, set: { state: "excluded", awaits: null, outcome: { code: "not_reversed" } } },
        { row: 3, set: { state: "excluded", awaits: null } },
      ])
      expect(engine.calls).toEqual(["job moved: J-1001"])
      expect(noted()).toEqual([["job.leave_out", "Wrong file. 2 rows that wait for a reversal."]])
    }
    store({})
    await excludeAwaiting(engine.context, requester, "J-1001", {})
    expect(noted()).toEqual([["job.leave_out", "2 rows that wait for a reversal."]])
    rows = [rowOf({ row: 2 })]
    store({})
    await expect(excludeAwaiting(engine.context, requester, "J-1001", {})).rejects.toEqual(
      conflict("No row of this job waits for a reversal any more. Nothing was done."),
    )
    store({ state: "done" })
    await expect(excludeAwaiting(engine.context, requester, "J-1001", {})).rejects.toEqual(
      conflict("This job is done, so it can’t be changed. Nothing was done."),
    )
    expect(noted()).toEqual([])
  })

  test("failed rows are left out with their reason, and a row that changed meanwhile is reported", async () => {
    store({ state: "done" })
    const body = { rows: [1, 2], reason: "Left the company" }
    expect((await excludeFailed(engine.context, requester, "J-1001", body)).id).toBe("J-1001")
    expect([noted(), world.recorded]).toEqual([
      [["job.leave_out", "Left the company"]],
      ["its rows can’t be left out yet"],
    ])
    await expect(
      excludeFailed(engine.context, requester, "J-1001", { ...body, rows: [1, 2, 3] }),
    ).rejects.toEqual(
      conflict("Someone else changed some of these rows in the meantime. Reload to see them."),
    )
  })

  test("a person’s open job is closed once, and moves then", async () => {
    const closed: (string | undefined)[] = ["J-1001", undefined]
    const users: string[] = []
    const open = fakeEngine({}, { closeOpen: async (user: string) => (users.push(user), closed.shift()) })
    await closeOpenJob(open.context, "usr_2")
    await closeOpenJob(open.context, "usr_2")
    expect([users, open.calls]).toEqual([["usr_2", "usr_2"], ["job moved: J-1001"]])
  })

  test("failed rows are retried unless the job is a draft or was cancelled", async () => {
    store({ state: "done" })
    await retryJob(engine.context, requester, "J-1001", { reason: "Again" })
    const set = { state: "running", pause: null, prepared: false, finishedAt: null }
    const again = { from: ["running", "done"], only: true, set }
    expect(world.recorded).toEqual(["its rows can’t be retried yet", again])
    expect([noted(), engine.calls]).toEqual([[["job.retry", "Again"]], ["job moved: J-1001"]])
    // A paused job stays paused.
    store({ state: "paused" })
    await retryJob(engine.context, requester, "J-1001", {})
    expect(world.recorded.at(-1)).toEqual({
      from: ["running", "paused"],
      only: true,
      set: { prepared: false },
    })
    world.missed = [3, 5]
    await expect(retryJob(engine.context, requester, "J-1001", {})).rejects.toEqual(
      conflict(
        "Someone else dealt with row 3, 5 in the meantime, so nothing was done there. The other rows are retried.",
      ),
    )
    // The other rows are retried, with an audit entry.
    expect(noted()).toHaveLength(2)
    world.missed = []
    world.retried = 0
    await expect(retryJob(engine.context, requester, "J-1001", {})).rejects.toEqual(
      conflict("None of these rows is left to send again. Nothing was done."),
    )
    for (const [state, words] of [
      ["draft", "a draft"],
      ["cancelling", "being cancelled"],
      ["cancelled", "cancelled"],
    ] as const) {
      store({ state })
      await expect(retryJob(engine.context, requester, "J-1001", {})).rejects.toEqual(
        conflict(`This job is ${words}, so it can’t be tried again. Nothing was done.`),
      )
    }
  })
})
