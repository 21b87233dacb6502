import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { decidingAge, classifyAbsence, type AbsenceFacts } from "./absence.ts"

const proven: AbsenceFacts = {
  lookedAt: 1_000_000,
  endedAt: 0,
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

describe("an award counts as absent", () => {
  test("when all of it holds", () => {
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
  ])("never while %s", (_, missing) => {
    expect(classifyAbsence({ ...proven, ...missing }).kind).not.toBe("absent")
  })

  test("never within twice the settle time after its call, whatever else is known", () => {
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

test("what cannot be known goes to a person in the end, never round and round", () => {
  const late = { lookedAt: 1_000_000_000 }
  const codes = [
    { ...late, endedAt: null },
    { ...late, complete: false },
    { ...late, control: "none" },
    { ...late, control: "none", moreToCome: true },
    { ...late, control: "not-yet" },
    { ...late, pending: 1 },
    // A control that is never shown makes the lag grow with the clock.
    { ...late, control: "not-yet", lagMs: late.lookedAt },
  ] as const
  for (const facts of codes)
    expect(classifyAbsence({ ...proven, ...facts })).toMatchObject({ kind: "person" })
})

test("a wait always ends later than the look, however late that was", () => {
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

test("a new member needs time only", () => {
  expect(classifyAbsence({ ...proven, proof: "settled", control: "none" })).toEqual({ kind: "absent" })
})
