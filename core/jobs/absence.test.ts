import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  type AbsenceFacts,
  classifyAbsence,
  classifyHeldAbsence,
  decidingAge,
  type HeldFacts,
  historyStateFrom,
  patienceFor,
} from "./absence.ts"

const proven: AbsenceFacts = {
  lookedAt: 1_000_000,
  endedAt: 0,
  waitedSince: 0,
  lookups: 3,
  settleMs: 1000,
  recheckMs: 500,
  proof: "canary",
  complete: true,
  lagMs: 100,
  seenLagMs: 100,
  gapMs: 50,
  canary: "found",
  moreToCome: false,
  pending: 0,
}

describe("an award is absent", () => {
  test("when every condition holds", () => {
    expect(classifyAbsence(proven)).toEqual({ kind: "absent" })
  })

  test.each<[string, Partial<AbsenceFacts>]>([
    ["the end of its call is not known", { endedAt: null }],
    ["the call is too recent", { lookedAt: decidingAge(proven) - 1 }],
    ["the lookup is incomplete", { complete: false }],
    ["there is no later canary", { canary: "none" }],
    ["an older canary is still missing", { canary: "not-yet" }],
    ["points wait for approval", { pending: 5 }],
    ["the balance was not read", { pending: undefined }],
  ])("not while %s", (_, missing) => {
    expect(classifyAbsence({ ...proven, ...missing }).kind).not.toBe("absent")
  })

  test("not within twice the settle time after its call", () => {
    const ms = fc.integer({ min: 0, max: 10_000 })
    const holds = fc.check(
      fc.property(fc.record({ lookedAt: ms, settleMs: ms, recheckMs: ms, lagMs: ms, gapMs: ms }), (times) => {
        const verdict = classifyAbsence({ ...proven, ...times })
        const tooSoon = verdict.kind === "absent" && times.lookedAt < 2 * times.settleMs
        const goesBack = verdict.kind === "wait" && verdict.until <= 0
        return !tooSoon && !goesBack
      }),
    )
    expect(holds.failed).toBe(false)
  })
})

test("an inconclusive row whose call ended always ends with a person", () => {
  const late = { lookedAt: 1_000_000_000 }
  const codes = [
    { ...late, complete: false },
    { ...late, canary: "none" },
    { ...late, canary: "none", moreToCome: true },
    { ...late, canary: "not-yet" },
    { ...late, pending: 1 },
    // The lag of a missing canary grows with the clock.
    { ...late, canary: "not-yet", lagMs: late.lookedAt },
  ] as const
  for (const facts of codes)
    expect(classifyAbsence({ ...proven, ...facts })).toMatchObject({ kind: "person" })
})

test("a wait always ends after the lookup", () => {
  const ms = fc.integer({ min: 0, max: 1_000_000 })
  const facts = fc.record({
    lookedAt: ms,
    endedAt: fc.option(ms),
    lookups: fc.nat(4),
    settleMs: ms,
    lagMs: ms,
    seenLagMs: ms,
    gapMs: ms,
    complete: fc.boolean(),
    canary: fc.constantFrom("found", "not-yet", "none"),
    moreToCome: fc.boolean(),
    pending: fc.option(fc.nat(1), { nil: undefined }),
  })
  const holds = fc.check(
    fc.property(facts, (some) => {
      const verdict = classifyAbsence({ ...proven, ...some })
      return verdict.kind !== "wait" || verdict.until > some.lookedAt
    }),
  )
  expect(holds.failed).toBe(false)
})

test("a new member only needs the settle time", () => {
  expect(classifyAbsence({ ...proven, proof: "settled", canary: "none" })).toEqual({ kind: "absent" })
})

/** Large enough that a missing or inverted offset fails the tests. */
const start = 10_000
const times = { settleMs: 1000, recheckMs: 700, lagMs: 100, gapMs: 50 }
/** 2 × settle + 2 × lag + 2 × gap + recheck. */
const age = 3000
/** Ten settle times more. */
const patience = 13_000
const soonMs = 500
const sent: AbsenceFacts = {
  ...times,
  seenLagMs: 100,
  lookedAt: start + age,
  endedAt: start,
  waitedSince: start,
  lookups: 2,
  proof: "canary",
  complete: true,
  canary: "found",
  moreToCome: false,
  pending: 0,
}
const late = { lookedAt: start + patience + 1 }
const justInTime = { lookedAt: start + patience }
const absent = { kind: "absent" }
const wait = (ms: number) => ({ kind: "wait", until: start + ms })
const person = (code: string) => ({ kind: "person", code })

test("the deciding age is twice settle time, lag and gap, plus one recheck", () => {
  expect(decidingAge(times)).toBe(age)
  expect(patienceFor(200)).toBe(10_000)
  expect(patienceFor(3000)).toBe(30_000)
})

test.each<[string, Partial<AbsenceFacts>, object]>([
  ["absent at the deciding age", {}, absent],
  [
    "1 ms before the deciding age: looked up half a settle time later",
    { lookedAt: start + age - 1 },
    wait(age - 1 + soonMs),
  ],
  ["long before the deciding age: looked up at that age", { lookedAt: start + 1000 }, wait(age)],
  [
    "a short settle time: waits at least 50 ms",
    { settleMs: 60, lookedAt: start + 1119, recheckMs: 700 },
    wait(1169),
  ],
  [
    "a growing lag does not extend the patience",
    { lookedAt: start + 1000, lagMs: 20_000 },
    wait(patience + soonMs),
  ],
  ["a growing lag goes to a person", { ...late, lagMs: 20_000 }, person("history_lagging")],
  ["a growing lag at the end of the patience", { ...justInTime, lagMs: 20_000 }, wait(patience + soonMs)],
  ["a growing lag with too few lookups", { ...late, lagMs: 20_000, lookups: 1 }, wait(patience + 1 + soonMs)],
  ["the end of the call is not known", { endedAt: null, ...justInTime }, wait(patience + soonMs)],
  ["the end of the call is not known for long", { endedAt: null, ...late }, wait(patience + 1 + soonMs)],
  [
    "a canary not shown yet, for a reopened row",
    { canary: "not-yet", ...late, waitedSince: late.lookedAt - patience },
    wait(patience + 1 + soonMs),
  ],
  [
    "a canary never shown, for a reopened row",
    { canary: "not-yet", ...late, waitedSince: late.lookedAt - patience - 1 },
    person("history_lagging"),
  ],
  ["an incomplete lookup", { complete: false }, wait(age + soonMs)],
  ["lookups that are never complete", { complete: false, ...late }, person("history_lagging")],
  ["a single incomplete lookup", { complete: false, ...late, lookups: 1 }, wait(patience + 1 + soonMs)],
  ["proof by time only", { proof: "settled", canary: "none", pending: undefined }, absent],
  ["no canary expected", { canary: "none" }, person("no_canary")],
  ["no canary yet", { canary: "none", moreToCome: true }, wait(age + soonMs)],
  [
    "no canary until the end of the patience",
    { canary: "none", moreToCome: true, ...late },
    person("no_canary"),
  ],
  ["a canary not shown yet", { canary: "not-yet" }, wait(age + soonMs)],
  ["a canary never shown", { canary: "not-yet", ...late }, person("history_lagging")],
  ["the balance was not read", { pending: undefined }, { kind: "read_balance" }],
  ["points wait for approval", { pending: 1 }, wait(age + soonMs)],
  [
    "points pending for two more settle times",
    { pending: 1, lookedAt: start + age + 2000 },
    wait(age + 2000 + soonMs),
  ],
  ["points pending for too long", { pending: 1, lookedAt: start + age + 2001 }, person("points_pending")],
])("%s", (_, facts, verdict) => {
  expect(classifyAbsence({ ...sent, ...facts })).toEqual(verdict)
})

describe("a row of a job heldFacts after a restore", () => {
  const heldAge = 5000
  const heldPatience = 14_700
  const heldFacts: HeldFacts = {
    ...times,
    lookedAt: start + heldAge,
    lookups: 2,
    restoredAt: start,
    proof: "canary",
    complete: true,
    canary: "found",
    showsOwnEffect: undefined,
    pending: 0,
  }
  const over = { lookedAt: start + heldPatience + 1 }
  const atEnd = { lookedAt: start + heldPatience }
  const unsure = person("restore_unsure")

  test.each<[string, Partial<HeldFacts>, object]>([
    ["absent", {}, absent],
    ["1 ms before the deciding age", { lookedAt: start + heldAge - 1 }, wait(heldAge - 1 + soonMs)],
    ["long before the deciding age", { lookedAt: start + 1000 }, wait(heldAge)],
    [
      "a growing lag does not extend the patience",
      { lookedAt: start + 1000, lagMs: 20_000 },
      wait(heldPatience + soonMs),
    ],
    ["a lag that grows", { ...over, lagMs: 20_000 }, unsure],
    ["a growing lag at the end of the patience", { ...atEnd, lagMs: 20_000 }, wait(heldPatience + soonMs)],
    [
      "a growing lag with too few lookups",
      { ...over, lagMs: 20_000, lookups: 1 },
      wait(heldPatience + 1 + soonMs),
    ],
    ["an incomplete lookup", { complete: false }, wait(heldAge + soonMs)],
    ["lookups that are never complete", { complete: false, ...over }, unsure],
    ["proof by time only", { proof: "settled", lookups: 0, pending: undefined }, absent],
    ["a single lookup is not enough", { lookups: 0 }, wait(heldAge + 700)],
    ["a second lookup is enough", { lookups: 1 }, absent],
    ["a canary not shown yet", { canary: "not-yet" }, wait(heldAge + soonMs)],
    ["a canary never shown", { canary: "not-yet", ...over }, unsure],
    ["no canary", { canary: "none" }, { kind: "look_up_ours" }],
    ["no canary, and own effects are not shown", { canary: "none", showsOwnEffect: false }, unsure],
    ["no canary, but own effects are shown", { canary: "none", showsOwnEffect: true }, absent],
    ["the balance was not read", { pending: undefined }, { kind: "read_balance" }],
    ["the balance cannot be read", { pending: "unreadable" }, wait(heldAge + soonMs)],
    ["the balance can never be read", { pending: "unreadable", ...over }, unsure],
    ["points wait for approval", { pending: 1 }, person("points_pending")],
  ])("%s", (_, facts, verdict) => {
    expect(classifyHeldAbsence({ ...heldFacts, ...facts })).toEqual(verdict)
  })
})

describe("state of the history by its canaries", () => {
  const canary = (answeredAt: number, seenAt: number | null) => ({ answeredAt, seenAt })

  test.each<[string, ReturnType<typeof canary>[], object]>([
    ["no canaries", [], { canary: "none", lagMs: 0, seenLagMs: 0 }],
    ["an earlier canary, seen", [canary(50, 70)], { canary: "none", lagMs: 20, seenLagMs: 20 }],
    ["a canary at the end of the call", [canary(100, 130)], { canary: "none", lagMs: 30, seenLagMs: 30 }],
    ["a later canary, seen", [canary(101, 141)], { canary: "found", lagMs: 40, seenLagMs: 40 }],
    ["a later canary, not seen", [canary(101, null)], { canary: "not-yet", lagMs: 899, seenLagMs: 0 }],
    [
      "several canaries: the largest lag counts",
      [canary(50, 60), canary(101, 106)],
      { canary: "found", lagMs: 10, seenLagMs: 10 },
    ],
    [
      "an older canary is missing",
      [canary(101, 106), canary(50, null)],
      { canary: "not-yet", lagMs: 950, seenLagMs: 5 },
    ],
    [
      "only a later canary is missing",
      [canary(101, 106), canary(200, null)],
      { canary: "found", lagMs: 800, seenLagMs: 5 },
    ],
    [
      "a canary of the same time is missing",
      [canary(101, 106), canary(101, null)],
      { canary: "found", lagMs: 899, seenLagMs: 5 },
    ],
    [
      "a canary between two others is missing",
      [canary(101, 106), canary(150, null), canary(200, 201)],
      { canary: "not-yet", lagMs: 850, seenLagMs: 5 },
    ],
  ])("%s", (_, canaries, state) => {
    expect(historyStateFrom(canaries, 100, 1000)).toEqual(state)
  })
})
