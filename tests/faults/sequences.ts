import fc from "fast-check"
import type { CreateJobBody } from "../../contract/job.ts"
import { type Fate, goodFate, type ReadFate, readFields } from "./fates.ts"
import { worldTimes } from "./in-process.ts"
import { type Action, people, type Sequence } from "./sequence.ts"

const { settleMs, callMs } = worldTimes

/** Late commits take up to twice the settle time. */
const commit = fc.oneof(
  { weight: 4, arbitrary: fc.constant<number | null>(0) },
  { weight: 3, arbitrary: fc.constant<number | null>(null) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 2 * settleMs }) },
)

const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(goodFate) },
  {
    weight: 5,
    arbitrary: fc.record({
      commit,
      answer: fc.constantFrom(
        "good",
        "none",
        "error",
        "unreadable",
        "strange",
        "forbidden",
        "refused-together",
      ),
      answerMs: fc.integer({ min: 1, max: callMs + 200 }),
      lagMs: fc.constant(0),
      keep: fc.option(fc.integer({ min: 0, max: 3 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("refused", "limited", "unsent", "locked")
      .map((answer): Fate => ({ ...goodFate, answer })),
  },
)

const read = fc.oneof(
  { weight: 3, arbitrary: fc.constant<ReadFate>("good") },
  {
    weight: 2,
    arbitrary: fc.constantFrom<ReadFate>("none", "locked", ...readFields),
  },
)

const member = fc.constantFrom(...people)
const points = fc.integer({ min: 1, max: 3 })
const reason = fc.constant("Bonus")
const plain = fc.record({ member_id: member, points, reason })
/** Some have a person's own reference; Laurel's mark is then elsewhere. */
const award = fc.oneof(
  { weight: 3, arbitrary: plain },
  {
    weight: 1,
    arbitrary: fc.record({ member_id: member, points, reason, reference: fc.constantFrom("INV-1", "INV-2") }),
  },
)
const awards = fc.array(award, { minLength: 1, maxLength: 6 })
const deductions = fc.array(plain, { minLength: 1, maxLength: 6 })
const newcomer = fc.constantFrom("a", "b", "c", "d").map((name) => ({
  email: `${name}@new.test`,
  first_name: name,
  last_name: "New",
}))

const body: fc.Arbitrary<CreateJobBody> = fc.oneof(
  awards.map((rows): CreateJobBody => ({ kind: "award", rows, options: { mode: "single" } })),
  awards.map((rows): CreateJobBody => ({ kind: "award", rows, options: { mode: "bulk", bulk_size: 4 } })),
  deductions.map((rows): CreateJobBody => ({ kind: "deduct", rows })),
  fc.array(newcomer, { minLength: 1, maxLength: 4 }).map((rows): CreateJobBody => ({
    kind: "member-create",
    rows,
  })),
)

const action: fc.Arbitrary<Action> = fc.record({
  after: fc.integer({ min: 0, max: 6000 }),
  what: fc.constantFrom("pause", "resume", "resume", "cancel", "retry"),
})

/** State-machine runs: any kind of job, with lost, late and false responses, kills, and user actions. */
export const sequences: fc.Arbitrary<Sequence> = fc.record({
  body,
  fates: fc.array(fate, { maxLength: 8 }),
  lagMs: fc.constantFrom(0, 0, 0, settleMs / 2, settleMs, 2 * settleMs),
  reads: fc.array(read, { maxLength: 8 }),
  kills: fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 3 }),
  away: fc.array(fc.constantFrom(0, 0, 20_000, 300_000), { maxLength: 3 }),
  clockOffsetMs: fc.constantFrom(0, 0, 3_600_000, -3_600_000),
  actions: fc.array(action, { maxLength: 3 }),
  resends: fc.boolean(),
})
