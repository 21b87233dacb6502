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
  sentAt: 0,
  lookups: 3,
  settleMs: 1000,
  recheckMs: 500,
  proof: "control",
  complete: true,
  lagMs: 100,
  seenLagMs: 100,
  gapMs: 50,
  control: "found",
  moreToCome: false,
  pending: 0,
}

describe("an award is absent", () => {
  test("when every condition holds", () => {
    expect(classifyAbsence(proven)).toEqual({ kind: "absent" })
  })

  test.each<[string, Partial<AbsenceFacts>]>([
    ["the end of its call is not known", { endedAt: null }],
    ["it is too young", { lookedAt: decidingAge(proven) - 1 }],
    ["rows of the history were not seen", { complete: false }],
    ["nothing of ours was answered since", { control: "none" }],
    ["an older effect of ours is still missing", { control: "not-yet" }],
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

test("an inconclusive row always ends with a person", () => {
  const late = { lookedAt: 1_000_000_000 }
  const codes = [
    { ...late, endedAt: null },
    { ...late, complete: false },
    { ...late, control: "none" },
    { ...late, control: "none", moreToCome: true },
    { ...late, control: "not-yet" },
    { ...late, pending: 1 },
    // The lag of a missing canary grows with the clock.
    { ...late, control: "not-yet", lagMs: late.lookedAt },
  ] as const
  for (const facts of codes)
    expect(classifyAbsence({ ...proven, ...facts })).toMatchObject({ kind: "person" })
})

test("a wait always ends after the lookup", () => {
  const ms = fc.integer({ min: 0, max: 1_000_000 })
  const facts = fc.record({
    lookedAt: ms,
    endedAt: fc.option(ms),
    sentAt: ms,
    lookups: fc.nat(4),
    settleMs: ms,
    lagMs: ms,
    seenLagMs: ms,
    gapMs: ms,
    complete: fc.boolean(),
    control: fc.constantFrom("found", "not-yet", "none"),
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
  expect(classifyAbsence({ ...proven, proof: "settled", control: "none" })).toEqual({ kind: "absent" })
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
  sentAt: start,
  lookups: 2,
  proof: "control",
  complete: true,
  control: "found",
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
  ["everything holds at the age that decides", {}, absent],
  [
    "too young by 1 ms: looked up half a settle time later",
    { lookedAt: start + age - 1 },
    wait(age - 1 + soonMs),
  ],
  ["much too young: looked up at the age that decides", { lookedAt: start + 1000 }, wait(age)],
  [
    "a short settle time waits 50 ms at least",
    { settleMs: 60, lookedAt: start + 1119, recheckMs: 700 },
    wait(1169),
  ],
  [
    "a lag that grows with the clock is not waited for",
    { lookedAt: start + 1000, lagMs: 20_000 },
    wait(patience + soonMs),
  ],
  ["a lag that grows goes to a person", { ...late, lagMs: 20_000 }, person("history_lagging")],
  ["a lag that grows, at the end of the patience", { ...justInTime, lagMs: 20_000 }, wait(patience + soonMs)],
  [
    "a lag that grows, looked up too seldom",
    { ...late, lagMs: 20_000, lookups: 1 },
    wait(patience + 1 + soonMs),
  ],
  ["the end of the call is not known", { endedAt: null, ...justInTime }, wait(patience + soonMs)],
  [
    "the end of the call is not known, sent later",
    { endedAt: null, ...late, sentAt: start + 1 },
    wait(patience + 1 + soonMs),
  ],
  ["the end of the call is never known", { endedAt: null, ...late }, person("owner_unknown")],
  [
    "a control that is not shown yet, of a row that is looked up again",
    { control: "not-yet", ...late, waitedSince: late.lookedAt - patience },
    wait(patience + 1 + soonMs),
  ],
  [
    "a control that is never shown, of a row that is looked up again",
    { control: "not-yet", ...late, waitedSince: late.lookedAt - patience - 1 },
    person("history_lagging"),
  ],
  ["not everything was seen", { complete: false }, wait(age + soonMs)],
  ["not everything is ever seen", { complete: false, ...late }, person("history_lagging")],
  [
    "not everything was seen in one lookup",
    { complete: false, ...late, lookups: 1 },
    wait(patience + 1 + soonMs),
  ],
  ["time alone proves it", { proof: "settled", control: "none", pending: undefined }, absent],
  ["no control, and none will come", { control: "none" }, person("no_control")],
  ["no control yet", { control: "none", moreToCome: true }, wait(age + soonMs)],
  ["no control ever", { control: "none", moreToCome: true, ...late }, person("no_control")],
  ["a control that is not shown yet", { control: "not-yet" }, wait(age + soonMs)],
  ["a control that is never shown", { control: "not-yet", ...late }, person("history_lagging")],
  ["the balance was not read", { pending: undefined }, { kind: "read_balance" }],
  ["points wait for approval", { pending: 1 }, wait(age + soonMs)],
  [
    "points wait two settle times more",
    { pending: 1, lookedAt: start + age + 2000 },
    wait(age + 2000 + soonMs),
  ],
  ["points wait for longer", { pending: 1, lookedAt: start + age + 2001 }, person("points_pending")],
])("%s", (_, facts, verdict) => {
  expect(classifyAbsence({ ...sent, ...facts })).toEqual(verdict)
})

describe("a row of a job held after a restore", () => {
  const heldAge = 5000
  const heldPatience = 14_700
  const held: HeldFacts = {
    ...times,
    lookedAt: start + heldAge,
    lookups: 2,
    restoredAt: start,
    proof: "control",
    complete: true,
    control: "found",
    showsOwnEffect: undefined,
    pending: 0,
  }
  const over = { lookedAt: start + heldPatience + 1 }
  const atEnd = { lookedAt: start + heldPatience }
  const unsure = person("restore_unsure")

  test.each<[string, Partial<HeldFacts>, object]>([
    ["everything holds", {}, absent],
    ["too young by 1 ms", { lookedAt: start + heldAge - 1 }, wait(heldAge - 1 + soonMs)],
    ["much too young", { lookedAt: start + 1000 }, wait(heldAge)],
    [
      "a lag that grows is not waited for",
      { lookedAt: start + 1000, lagMs: 20_000 },
      wait(heldPatience + soonMs),
    ],
    ["a lag that grows", { ...over, lagMs: 20_000 }, unsure],
    [
      "a lag that grows, at the end of the patience",
      { ...atEnd, lagMs: 20_000 },
      wait(heldPatience + soonMs),
    ],
    [
      "a lag that grows, looked up too seldom",
      { ...over, lagMs: 20_000, lookups: 1 },
      wait(heldPatience + 1 + soonMs),
    ],
    ["not everything was seen", { complete: false }, wait(heldAge + soonMs)],
    ["not everything is ever seen", { complete: false, ...over }, unsure],
    ["time alone proves it", { proof: "settled", lookups: 0, pending: undefined }, absent],
    ["one lookup decides nothing", { lookups: 0 }, wait(heldAge + 700)],
    ["a second one does", { lookups: 1 }, absent],
    ["a control that is not shown yet", { control: "not-yet" }, wait(heldAge + soonMs)],
    ["a control that is never shown", { control: "not-yet", ...over }, unsure],
    ["no control", { control: "none" }, { kind: "look_up_ours" }],
    ["no control, and effects of ours are not shown", { control: "none", showsOwnEffect: false }, unsure],
    ["no control, but effects of ours are shown", { control: "none", showsOwnEffect: true }, absent],
    ["the balance was not read", { pending: undefined }, { kind: "read_balance" }],
    ["the balance cannot be read", { pending: "unreadable" }, wait(heldAge + soonMs)],
    ["the balance can never be read", { pending: "unreadable", ...over }, unsure],
    ["points wait for approval", { pending: 1 }, person("points_pending")],
  ])("%s", (_, facts, verdict) => {
    expect(classifyHeldAbsence({ ...held, ...facts })).toEqual(verdict)
  })
})

describe("state of the history by its canaries", () => {
  const control = (answeredAt: number, seenAt: number | null) => ({ answeredAt, seenAt })

  test.each<[string, ReturnType<typeof control>[], object]>([
    ["nothing is watched", [], { control: "none", lagMs: 0, seenLagMs: 0 }],
    ["one from before, seen", [control(50, 70)], { control: "none", lagMs: 20, seenLagMs: 20 }],
    ["one at the very end of the call", [control(100, 130)], { control: "none", lagMs: 30, seenLagMs: 30 }],
    ["one since, seen", [control(101, 141)], { control: "found", lagMs: 40, seenLagMs: 40 }],
    ["one since, not seen", [control(101, null)], { control: "not-yet", lagMs: 899, seenLagMs: 0 }],
    [
      "the largest lag counts",
      [control(50, 60), control(101, 106)],
      { control: "found", lagMs: 10, seenLagMs: 10 },
    ],
    [
      "an older one is missing",
      [control(101, 106), control(50, null)],
      { control: "not-yet", lagMs: 950, seenLagMs: 5 },
    ],
    [
      "only a later one is missing",
      [control(101, 106), control(200, null)],
      { control: "found", lagMs: 800, seenLagMs: 5 },
    ],
    [
      "one of the same moment is missing",
      [control(101, 106), control(101, null)],
      { control: "found", lagMs: 899, seenLagMs: 5 },
    ],
    [
      "one between two that are shown is missing",
      [control(101, 106), control(150, null), control(200, 201)],
      { control: "not-yet", lagMs: 850, seenLagMs: 5 },
    ],
  ])("%s", (_, canaries, state) => {
    expect(historyStateFrom(canaries, 100, 1000)).toEqual(state)
  })
})
