import { describe, expect, test } from "vitest"
import { rowOutcome } from "../../contract/row-outcomes.ts"
import type { RowDecision } from "../../contract/job-rows.ts"
import { jobOf, rowOf } from "../../tests/support/job-records.ts"
import {
  now,
  jobContext,
  rulesOf,
  whileSent,
  untilEnd,
  claiming,
  holding,
  planned,
  sent,
  unknown,
  outcome,
  seen,
} from "../../tests/support/transition-parts.ts"
import { type KindRules, twiceCodeOf } from "./job-kind.ts"
import * as transitions from "./transitions.ts"

describe("after a lookup", () => {
  const lookupTimes = [250]
  const after = (rules: KindRules, row = unknown) => transitions.afterLookup(rules, row, { lookupTimes })
  const from = { ...seen(unknown), from: ["unknown"] }

  test("the lookup times are stored when the row waits", () => {
    expect(transitions.updateUnknown(unknown, { nextAt: 9 })).toEqual({ ...from, set: { nextAt: 9 } })
    expect(after(claiming).wait(9)).toEqual({ ...from, set: { lookupTimes, nextAt: 9 } })
    expect(after(claiming).wait(9, { empty_at: 8 })).toEqual({
      ...from,
      set: { lookupTimes, nextAt: 9, notes: { note: 1, empty_at: 8 } },
    })
  })

  test("a conflict goes to a person and clears an earlier decision", () => {
    const set = { lookupTimes, nextAt: null, state: "conflict", outcome, decision: null }
    expect(after(claiming).conflict(outcome)).toEqual({ ...from, set, release: whileSent })
    expect(after(rulesOf()).conflict(outcome, { theirs: 1 })).toEqual({
      ...from,
      set: { ...set, notes: { note: 1, theirs: 1 } },
    })
  })

  test("a failed row releases its claims", () => {
    const set = { lookupTimes, nextAt: null, state: "failed", outcome }
    expect(after(claiming).failed(outcome)).toEqual({ ...from, set, release: whileSent })
    expect(after(holding).failed(outcome, { endedAt: null })).toEqual({
      ...from,
      set: { ...set, endedAt: null },
      release: untilEnd,
    })
  })

  test.each(["running", "paused", "done"] as const)(
    "an absent row of a %s job is resent if its kind allows it",
    (state) => {
      const job = jobOf({ state })
      const rules = { ...claiming, resends: 2 }
      const again = { lookupTimes, nextAt: null, state: "planned", outcome: null }
      expect(after(rules, { ...unknown, resends: 1 }).absent(job)).toEqual({
        ...from,
        set: { ...again, resends: 2 },
        release: whileSent,
      })
      const left = {
        lookupTimes,
        nextAt: null,
        state: "absent",
        outcome: rowOutcome("left_to_person"),
        decision: null,
      }
      expect(after(rules, { ...unknown, resends: 2 }).absent(job)).toEqual({
        ...from,
        set: left,
        release: whileSent,
      })
    },
  )

  test.each(["cancelling", "cancelled", "draft"] as const)(
    "an absent row of a %s job is left to a person",
    (state) => {
      const left = after(rulesOf({ resends: 2, messages: { absent: "not_changed" } })).absent(
        jobOf({ state }),
      )
      expect(left.set).toMatchObject({ state: "absent", outcome: rowOutcome("not_changed") })
    },
  )

  test("an absent row whose call met a fault of the service is not resent, and says what the service said", () => {
    const rules = { ...claiming, resends: 2 }
    const once = { ...unknown, notes: { note: 1, sendOnce: { code: "500", message: "Out of order." } } }
    const { code, message } = rowOutcome(rules.messages?.absent ?? "left_to_person")
    const left = { code, message: `${message} It said: “Out of order.”` }
    const set = { lookupTimes, nextAt: null, state: "absent", decision: null }
    expect(after(rules, once).absent(jobOf())).toMatchObject({ set: { ...set, outcome: left } })
    const resent = { ...unknown, resends: 2 }
    expect(after(rules, resent).absent(jobOf())).toMatchObject({
      set: { ...set, outcome: { code, message } },
    })
  })

  test("a row proven never sent is planned without traces of the lookup", () => {
    const set = { lookupTimes, nextAt: null, state: "planned", outcome: null, endedAt: null, endedHow: null }
    expect(after(claiming).unsent()).toEqual({ ...from, set, release: whileSent })
  })

  test("a second effect of a confirmed row goes to a person", () => {
    const confirmed = rowOf({ ...sent, state: "confirmed" })
    const change = { ...seen(confirmed), from: ["confirmed"] }
    expect(transitions.readAgainAt(confirmed, 9)).toEqual({ ...change, set: { nextAt: 9 } })
    const twice = (code: "awarded_twice" | "redeemed_twice") => ({
      ...change,
      set: { state: "conflict", outcome: rowOutcome(code), nextAt: null, decision: null },
    })
    const askAbout = (rules: KindRules) =>
      transitions.askAboutConfirmed(confirmed, rowOutcome(twiceCodeOf(rules)))
    expect(askAbout(rulesOf())).toEqual(twice("awarded_twice"))
    const redeems = rulesOf({ messages: { twice: "redeemed_twice" } })
    expect(askAbout(redeems)).toEqual(twice("redeemed_twice"))
  })
})

describe("a person's decision", () => {
  const by = { id: "usr_1", name: "Helen Park" }
  const decided = (decision: RowDecision["decision"], upstream_id: string | null = null): RowDecision => ({
    decision,
    upstream_id,
    at: "2026-11-20T00:00:00.000Z",
    by,
  })
  const absent = rowOf({ ...sent, state: "absent" })
  const from = { ...seen(absent), from: ["absent"], edits: 0 }

  test("to resend plans the row to be sent alone, and releases nothing", () => {
    const decision = decided("resend")
    const set = { state: "planned", decision, outcome: null, nextAt: null, sendAlone: true, edits: 1 }
    expect(transitions.storeDecision(claiming, absent, decision)).toEqual({ ...from, set })
  })

  test("that it happened claims the linked entry", () => {
    const decision = decided("happened", "txn_1")
    const rules = { ...claiming, claims: { ...claiming.claims, effects: "effects" } }
    const linked = { ...from, set: { decision, edits: 1, upstreamId: "txn_1" }, release: untilEnd }
    expect(transitions.storeDecision(rules, absent, decision)).toEqual({
      ...linked,
      claim: { scope: "effects", key: "txn_1" },
    })
    expect(transitions.storeDecision(claiming, absent, decision)).toEqual(linked)
    const alone = decided("happened")
    expect(transitions.storeDecision(rules, absent, alone)).toEqual({
      ...from,
      set: { decision: alone, edits: 1 },
      release: untilEnd,
    })
  })

  test("about a second effect keeps the id of the first one", () => {
    const twice = { ...absent, outcome: rowOutcome("awarded_twice") }
    const decision = decided("happened", "txn_2")
    expect(transitions.storeDecision(rulesOf(), twice, decision).set).toEqual({ decision, edits: 1 })
    const other = rulesOf({ messages: { twice: "redeemed_twice" } })
    expect(transitions.storeDecision(other, twice, decision).set).toEqual({
      decision,
      edits: 1,
      upstreamId: "txn_2",
    })
  })

  test("to leave out a planned row excludes it and releases the award of a reversal", () => {
    const decision = decided("leave")
    const set = {
      state: "excluded",
      decision,
      outcome: rowOutcome("left_out"),
      nextAt: null,
      awaits: null,
      edits: planned.edits + 1,
    }
    expect(transitions.storeDecision(holding, planned, decision)).toEqual({
      row: 7,
      from: ["planned"],
      attempt: 2,
      edits: planned.edits,
      set,
      release: untilEnd,
    })
    const reversal = { ...planned, reverses: { job: "J-1001", row: 1 } }
    expect(transitions.storeDecision(holding, reversal, decision).set).toEqual({ ...set, reverses: null })
    expect(transitions.storeDecision(rulesOf(), absent, decision)).toEqual({
      ...from,
      set: { decision, edits: 1 },
    })
    const cancelled = transitions.storeDecision(rulesOf(), absent, decision, true)
    expect(cancelled.set).toEqual({ decision, edits: 1, reverses: null })
    const happened = transitions.storeDecision(rulesOf(), absent, decided("happened"), true).set
    expect(happened).not.toHaveProperty("reverses")
  })

  test("to cancel the job looks up rows that may have been carried out and leaves the rest planned", () => {
    const from = { row: 7, from: ["planned"] }
    // It may have been carried out since an earlier proof.
    for (const ended of [{ endedAt: 9 }, { endedAt: null, sentAt: 9 }]) {
      const retried = rowOf({ attempts: 1, hadUnknownAttempt: true, decision: decided("resend"), ...ended })
      expect(transitions.cancelPlanned(holding, retried)).toEqual({
        ...from,
        set: { state: "unknown", outcome: rowOutcome("looking"), nextAt: 9, decision: null },
      })
    }
    for (const row of [rowOf({ hadUnknownAttempt: true }), rowOf({ attempts: 1 }), rowOf()]) {
      expect(transitions.cancelPlanned(holding, row)).toEqual({ ...from, set: {}, release: untilEnd })
      expect(transitions.cancelPlanned(rulesOf(), row)).toBeUndefined()
    }
    const reversing = rowOf({ reverses: { job: "J-1000", row: 1 } })
    expect(transitions.cancelPlanned(rulesOf(), reversing)).toEqual({ ...from, set: { reverses: null } })
    const left = { ...absent, decision: decided("leave") }
    for (const row of [rowOf({ state: "failed" }), left])
      expect(transitions.releaseReversed(row)).toEqual({
        row: 7,
        from: [row.state],
        set: { reverses: null },
      })
    for (const decision of [null, decided("happened")])
      expect(transitions.releaseReversed({ ...absent, decision })).toBeUndefined()
  })

  test("that it happened confirms a row whose kind reads it again, which is due now", () => {
    const rules = { ...claiming, recheck: async () => [], claims: { effects: "effects" } }
    const at = Date.parse("2026-11-20T00:00:00.000Z")
    const decision = decided("happened")
    const set = { decision, edits: 1, upstreamId: "Ana Ek", state: "confirmed", outcome: null }
    expect(transitions.storeDecision(rules, absent, decision)).toEqual({
      ...from,
      set: { ...set, confirmedAt: at, nextAt: at },
      claim: { scope: "effects", key: "Ana Ek" },
    })
    const before = { ...absent, confirmedAt: 5 }
    expect(transitions.storeDecision(rules, before, decision).set).toEqual({ decision, edits: 1 })
    const left = decided("leave")
    expect(transitions.storeDecision(rules, absent, left).set).toEqual({ decision: left, edits: 1 })
  })

  test("to look again waits from then on, and no longer counts as decided", () => {
    const row = { ...absent, decision: decided("leave"), edits: 4, notes: { note: 1 } }
    const set = { state: "unknown", nextAt: 9, lookupTimes: [], notes: { note: 1, reopened_at: 9 } }
    const looking = { ...set, outcome: rowOutcome("looking") }
    expect(transitions.lookUpAgain(row, 9)).toEqual({
      ...from,
      edits: 4,
      set: { ...looking, decision: null },
    })
    expect(transitions.lookUpAgain({ ...row, decision: null }, 9).set).toEqual(looking)
  })

  test("to leave out a failed row says who and why, and releases the award of a reversal", () => {
    const failed = rowOf({ state: "failed", outcome, edits: 2 })
    const left = (message: string) => ({
      state: "excluded",
      outcome: { code: rowOutcome("excluded_by_person").code, message },
      decision: null,
      edits: 3,
    })
    expect(transitions.excludeFailed(failed, "Helen Park")).toEqual({
      row: 7,
      from: ["failed"],
      edits: 2,
      set: left("Left out by Helen Park. It is closed."),
    })
    const reversal = { ...failed, outcome: null, reverses: { job: "J-1000", row: 1 } }
    expect(transitions.excludeFailed(reversal, "Bo Ek").set).toEqual({
      ...left("Left out by Bo Ek."),
      reverses: null,
    })
  })

  test("a claim is released only if the row is in the same state", () => {
    expect(transitions.releaseClaim(absent, untilEnd)).toEqual({
      ...seen(absent),
      from: ["absent"],
      set: {},
      release: untilEnd,
    })
  })
})

describe("after a restore", () => {
  test("an open row is looked up in any state", () => {
    const restore = { at: 4000, since: 1000 }
    const job = jobOf({ createdAt: 500 })
    const rules = rulesOf({
      claims: { untilEnd: () => untilEnd },
      restore: { notes: (_, __, since) => ({ since }) },
    })
    const restored = { at: 4000, since: 1000, made: 500, attempts: 0, sample: false }
    const set = {
      state: "unknown",
      hadUnknownAttempt: true,
      endedAt: 4000,
      endedHow: "Laurel’s store was restored from a backup",
      nextAt: now,
      lookupTimes: [],
      outcome: rowOutcome("restore_looking"),
      notes: { since: 1000, restored },
    }
    expect(transitions.unknownSinceRestore(jobContext(rules, job), rowOf(), restore)).toEqual({
      row: 7,
      from: ["planned"],
      attempt: 0,
      set,
      claim: untilEnd,
    })
    expect(transitions.unknownSinceRestore(jobContext(rulesOf(), job), unknown, restore)).toEqual({
      ...seen(unknown),
      from: ["unknown"],
      set: { ...set, endedHow: "reset", notes: { note: 1, restored: { ...restored, attempts: 1 } } },
    })
    expect(transitions.unknownSinceRestore(jobContext(holding, job), unknown, restore).claim).toBeUndefined()
    expect(
      transitions.unknownSinceRestore(jobContext(rulesOf(), job), rowOf(), restore).claim,
    ).toBeUndefined()
  })

  test("a row that this store never sent is planned after a person's decision", () => {
    const decision = {
      decision: "resend",
      upstream_id: null,
      at: "2026-11-20T00:00:00.000Z",
      by: { id: "usr_1", name: "Helen Park" },
    } as const
    const set = { state: "planned", outcome: null, nextAt: null, endedAt: null, endedHow: null, decision }
    const row = rowOf({ state: "conflict" })
    expect(transitions.planUnproven(row, decision)).toEqual({ row: 7, from: ["conflict"], attempt: 0, set })
  })
})
