import { describe, expect, test } from "vitest"
import { rowOutcome } from "../../contract/row-outcomes.ts"
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
  seenPlanned,
  openStates,
} from "../../tests/support/transition-parts.ts"
import type { KindRules } from "./job-kind.ts"
import type { RowRecord } from "./job-store.ts"
import * as transitions from "./transitions.ts"

describe("before a call", () => {
  test("an update of a planned row applies while it is neither edited nor sent", () => {
    expect(transitions.updatePlanned(planned, { memberId: "mem_2" })).toEqual({
      ...seenPlanned,
      set: { memberId: "mem_2" },
    })
    expect(transitions.updatePlanned({ row: 7, edits: 3 }, {}, untilEnd)).toEqual({
      row: 7,
      from: ["planned"],
      edits: 3,
      set: {},
      claim: untilEnd,
    })
  })

  test("a refused, excluded or repeated row ends without being sent", () => {
    expect(transitions.refusePlanned(planned, outcome)).toEqual({
      ...seenPlanned,
      set: { state: "failed", outcome },
    })
    expect(transitions.refusePlanned(planned, outcome, { nextAt: null }, untilEnd)).toEqual({
      ...seenPlanned,
      set: { state: "failed", outcome, nextAt: null },
      release: untilEnd,
    })
    const excluded = {
      row: 7,
      from: ["planned"],
      edits: 3,
      set: { state: "excluded", outcome, awaits: null },
    }
    expect(transitions.excludeRow(holding, planned, outcome)).toEqual({ ...excluded, release: untilEnd })
    expect(transitions.excludeRow(rulesOf(), planned, outcome)).toEqual(excluded)
    const byEmail = rulesOf({
      claims: { untilEnd: ({ email }) => ({ scope: "until-end", key: `${email}` }) },
    })
    expect(transitions.excludeRow(byEmail, { ...planned, email: "ana@x.test" }, outcome).release).toEqual({
      scope: "until-end",
      key: "ana@x.test",
    })
    expect(transitions.duplicateInJob(planned)).toEqual({
      row: 7,
      from: ["planned"],
      set: { state: "failed", outcome: rowOutcome("duplicate_in_job") },
    })
  })

  test("a corrected row counts its edits and releases its claim", () => {
    const corrected = { ...rowOf({ memberId: "mem_9", points: 8, reason: "Other" }), input: { points: 8 } }
    const { memberId, email, label } = corrected
    const fields = {
      input: { points: 8 },
      memberId,
      email,
      label,
      effect: null,
      effectWithoutReference: null,
      purpose: null,
      correction: null,
      awaits: null,
    }
    const edited = transitions.editPlanned(holding, planned, corrected, { body: 1 })
    const given = { points: 8, reason: "Other" }
    const reset = { outcome: null, nextAt: null, notes: { body: 1 }, repeat: false }
    expect(edited).toEqual({
      ...seenPlanned,
      set: { ...fields, ...given, ...reset, edits: 4 },
      release: untilEnd,
    })
    expect(transitions.editPlanned(rulesOf(), planned, corrected, null).release).toBeUndefined()
    const failed = { row: 7, edits: 3, state: "failed" } as const
    const again = { row: 7, from: ["failed"], edits: 3 }
    const cleared = {
      state: "planned",
      outcome: null,
      nextAt: null,
      decision: null,
      hadUnknownAttempt: false,
      edits: 4,
      notes: null,
    }
    expect(transitions.planAgain(failed, undefined, null)).toEqual({ ...again, set: cleared })
    expect(transitions.planAgain(failed, corrected, null)).toEqual({
      ...again,
      set: { ...cleared, ...fields, ...given, repeat: false },
    })
    // A difference to earlier awards, which is left out with the amount of the file.
    const correction = { reference: "INV-1", net: 5, points: 8, job: null }
    const other = { row: 7, from: ["planned"], edits: 3 }
    expect(transitions.correctPlanned(planned, corrected, correction)).toEqual({
      ...other,
      set: { ...fields, ...given, correction },
    })
    expect(transitions.excludeDifference(holding, planned, corrected, outcome)).toEqual({
      ...other,
      set: { state: "excluded", outcome, ...fields, ...given },
      release: untilEnd,
    })
    expect(transitions.excludeReversed(planned, outcome)).toEqual({
      ...other,
      set: { state: "excluded", outcome, reverses: null },
    })
    const effects = { effect: "e", effectWithoutReference: "f" }
    expect(transitions.planAgain(failed, { ...corrected, ...effects }, null).set).toMatchObject(effects)
  })

  test("the intent applies only to the unchanged row and takes its claim while sent", () => {
    const attempt = { owner: "one", leaseUntil: 9000, bodyHash: "h", request: null, sentAt: 5000 }
    const set = {
      ...attempt,
      state: "sent",
      attempts: 3,
      firstSentAt: 5000,
      endedAt: null,
      endedHow: null,
      nextAt: null,
      lookupTimes: [],
      outcome: null,
      notes: { note: 1 },
    }
    const { sent: row, change } = transitions.intent(claiming, planned, attempt)
    expect(change).toEqual({ ...seenPlanned, set, claim: whileSent })
    expect(row).toEqual({ ...planned, ...set })
    const before = { ...planned, firstSentAt: 10 }
    expect(transitions.intent(rulesOf(), before, attempt).change).toEqual({
      ...seenPlanned,
      set: { ...set, firstSentAt: 10 },
    })
  })

  test("a row that its precheck ends is not sent", () => {
    const ended = (kind: "failed" | "conflict", notes?: RowRecord["notes"]) =>
      transitions.endBeforeSending(jobContext(claiming), planned, { kind, outcome, ...(notes && { notes }) })
    const set = { outcome, nextAt: null, decision: null }
    expect(ended("failed")).toEqual({ ...seenPlanned, set: { ...set, state: "failed" }, release: whileSent })
    expect(ended("conflict", { more: 2 })).toEqual({
      ...seenPlanned,
      set: { ...set, state: "conflict", notes: { note: 1, more: 2 } },
      release: whileSent,
    })
    const held = (kind: "failed" | "conflict") =>
      transitions.endBeforeSending(jobContext(holding), planned, { kind, outcome }).release
    expect([held("failed"), held("conflict")]).toEqual([untilEnd, undefined])
    const done = { upstreamId: "ord_1", balanceAfter: null }
    expect(transitions.endBeforeSending(jobContext(rulesOf()), planned, { kind: "done", done })).toEqual({
      ...seenPlanned,
      set: {
        state: "confirmed",
        ...done,
        confirmedAt: now,
        endedAt: now,
        outcome: null,
        nextAt: null,
      },
    })
  })
})

describe("after a call", () => {
  const effect = { upstreamId: "txn_1", balanceAfter: 90 }
  const byResponse = { at: 300, byResponse: true }
  const confirmed = {
    state: "confirmed",
    ...effect,
    confirmedAt: now,
    endedAt: 300,
    endedHow: "answered",
    outcome: null,
    nextAt: null,
  }

  test("a response confirms its row and claims the effect", () => {
    const rules = { ...claiming, claims: { ...claiming.claims, effects: "effects" } }
    expect(transitions.confirm(jobContext(rules), sent, effect, byResponse)).toEqual({
      ...seen(sent),
      from: openStates,
      set: confirmed,
      claim: { scope: "effects", key: "txn_1" },
      release: whileSent,
    })
    const withNotes = { ...effect, notes: { status: "new" } }
    expect(transitions.confirm(jobContext(holding), sent, withNotes, byResponse)).toEqual({
      ...seen(sent),
      from: openStates,
      set: { ...confirmed, notes: { note: 1, status: "new" } },
      release: untilEnd,
    })
  })

  test("a lookup confirms a row without changing how its call ended", () => {
    const end = { at: 300, byResponse: false }
    const { endedHow: _, endedAt: __, ...found } = confirmed
    expect(transitions.confirm(jobContext(rulesOf()), unknown, effect, end).set).toEqual(found)
    expect(
      transitions.confirm(jobContext(rulesOf()), { ...unknown, endedAt: null }, effect, end).set,
    ).toEqual({
      ...found,
      endedAt: 300,
    })
    const lookedUp = { lookupTimes: [1, 2], outcome }
    expect(transitions.confirm(jobContext(rulesOf()), unknown, effect, end, lookedUp).set).toEqual({
      ...found,
      ...lookedUp,
    })
  })

  test.each<[string, Partial<RowRecord>, Partial<KindRules>, number | null]>([
    ["resent after an unknown attempt is rechecked", { attempts: 2, hadUnknownAttempt: true }, {}, 10_300],
    ["sent once is not rechecked", { attempts: 1, hadUnknownAttempt: true }, {}, null],
    [
      "resent after a call that did nothing is not rechecked",
      { attempts: 2, hadUnknownAttempt: false },
      {},
      null,
    ],
    [
      "of an idempotent kind is not rechecked",
      { attempts: 2, hadUnknownAttempt: true },
      { resendSafety: "idempotent" },
      null,
    ],
  ])("a confirmed row %s", (_, row, rules, nextAt) => {
    const { set } = transitions.confirm(jobContext(rulesOf(rules)), { ...sent, ...row }, effect, byResponse)
    expect(set.nextAt).toBe(nextAt)
  })

  test("a call that provably did nothing plans the row again", () => {
    const undone = (kind: "not_done" | "systemic") =>
      transitions.planUndone(
        claiming,
        sent,
        kind === "not_done"
          ? { kind, limited: false, how: "not sent: refused" }
          : { kind, status: 401, code: "unauthorized", message: "" },
        300,
      )
    const change = {
      ...seen(sent),
      from: openStates,
      set: { state: "planned", endedAt: 300, endedHow: "not sent: refused", nextAt: null, outcome: null },
      release: whileSent,
    }
    expect(undone("not_done")).toEqual(change)
    expect(undone("systemic").set.endedHow).toBe("refused: unauthorized")
    expect(
      transitions.planUndone(holding, sent, { kind: "not_done", limited: true, how: "" }, 1).release,
    ).toBe(undefined)
  })

  test("the end of a call has a description", () => {
    const success = { kind: "success", data: null, response: { status: 200, body: null } } as const
    expect(transitions.describeOutcome(success)).toBe("a success that doesn’t name this row")
    expect(transitions.describeOutcome(success, "of another shape")).toBe("of another shape")
    expect(transitions.describeOutcome({ kind: "unknown", how: "reset", responded: false })).toBe("reset")
    expect(transitions.describeOutcome({ kind: "refused", ...outcome })).toBe("refused: closed")
  })

  const end = (rules: KindRules, row: RowRecord, called: Parameters<typeof transitions.endUnconfirmed>[2]) =>
    transitions.endUnconfirmed(jobContext(rules), row, called, 300)
  const refused = { kind: "refused", ...outcome } as const
  const markedUnknown = {
    state: "unknown",
    hadUnknownAttempt: true,
    endedAt: 300,
    endedHow: "refused: closed",
    nextAt: 1300,
    outcome: rowOutcome("looking"),
  }

  test("a definite refusal of a first attempt fails the row", () => {
    const set = { state: "failed", endedAt: 300, endedHow: "refused: closed", outcome, nextAt: null }
    expect(end(claiming, sent, refused)).toEqual({
      ...seen(sent),
      from: openStates,
      set,
      release: whileSent,
    })
    expect(end(holding, sent, refused).release).toEqual(untilEnd)
  })

  test("a refusal after an unknown attempt, or an inconclusive one, is looked up first", () => {
    const set = { ...markedUnknown, notes: { note: 1, refusal: outcome } }
    const change = { ...seen(sent), from: ["sent", "unknown"], set }
    expect(end(rulesOf(), { ...sent, hadUnknownAttempt: true }, refused)).toEqual(change)
    expect(
      end(rulesOf({ refusals: { isInconclusive: (code) => code === "closed" } }), sent, refused),
    ).toEqual(change)
    expect(end(rulesOf({ refusals: { isInconclusive: () => false } }), sent, refused).set.state).toBe(
      "failed",
    )
  })

  test("a fault of the service is looked up, and the row is never sent again", () => {
    const error = { code: "500", message: "Out of order." }
    const fault = { kind: "unknown", how: "status 500", responded: true, sendOnce: true } as const
    const set = (outcome: { code: string; message: string }) => ({
      ...markedUnknown,
      endedHow: "status 500",
      outcome,
      notes: { note: 1, sendOnce: outcome },
    })
    const idempotent = rulesOf({ resendSafety: "idempotent" })
    expect(end(idempotent, sent, { ...fault, serviceError: error }).set).toEqual(set(error))
    expect(end(idempotent, sent, fault).set).toEqual(set(rowOutcome("looking")))
  })

  test("any other outcome is looked up", () => {
    const set = { ...markedUnknown, endedHow: "reset" }
    const reset = { kind: "unknown", how: "reset", responded: false } as const
    const change = { ...seen(sent), from: ["sent", "unknown"], set }
    expect(end(claiming, sent, reset)).toEqual(change)
    const success = { kind: "success", data: null, response: { status: 200, body: null } } as const
    const endedHow = "a success that doesn’t name this row"
    expect(end(claiming, sent, success)).toEqual({ ...change, set: { ...set, endedHow } })
  })

  test("a row of an idempotent kind is resent with growing pauses, then looked up", () => {
    const idempotent = rulesOf({ resendSafety: "idempotent", claims: { whileSent: () => whileSent } })
    const ended = { kind: "unknown", how: "busy", responded: true, serviceError: outcome } as const
    const again = (attempts: number) => end(idempotent, { ...sent, attempts }, ended)
    const set = {
      state: "planned",
      hadUnknownAttempt: true,
      endedAt: 300,
      endedHow: "busy",
      nextAt: 1300,
      outcome,
    }
    expect(again(1)).toEqual({ ...seen(sent), from: ["sent", "unknown"], set, release: whileSent })
    expect([2, 5, 11].map((attempts) => again(attempts).set.nextAt)).toEqual([2300, 16_300, 300_300])
    expect(again(12).set).toEqual({ ...markedUnknown, endedHow: "busy" })
    const { serviceError: _, ...silent } = ended
    expect(end(idempotent, sent, silent).set.outcome).toBeNull()
    const inProgress = rulesOf({
      resendSafety: "idempotent",
      refusals: { isInProgress: (code) => code === "closed" },
    })
    expect(end(inProgress, sent, refused)).toEqual({
      ...seen(sent),
      from: ["sent", "unknown"],
      set: { ...set, endedHow: "refused: closed" },
    })
    expect(
      end(rulesOf({ resendSafety: "idempotent", refusals: { isInProgress: () => false } }), sent, refused).set
        .state,
    ).toBe("failed")
  })

  test("only a sent row becomes unknown while the end of its call is not known", () => {
    const single = transitions.markUnknown(sent, { at: null, how: "silent", nextAt: 9 }, { sendAlone: true })
    expect(single).toEqual({
      ...seen(sent),
      from: ["sent"],
      set: { ...markedUnknown, endedAt: null, endedHow: "silent", nextAt: 9, sendAlone: true },
    })
  })

  test("a form's row is looked up within 2 s", () => {
    const first = (lane: "people" | "jobs", settleMs: number) =>
      transitions.firstLookupAt(jobContext(rulesOf(), jobOf({ lane }), settleMs), 100)
    expect([first("people", 60_000), first("jobs", 60_000)]).toEqual([2100, 60_100])
    expect(first("people", 1000)).toBe(1100)
  })
})
