import { beforeEach, describe, expect, it } from "vitest"
import type { Store } from "../../core/ports.ts"
import type { CreateJobBody } from "../../contract/job.ts"
import { type Fate, goodFate } from "./fates.ts"
import { countsLine, fiveCounts } from "./five-counts.ts"
import { createWorld, digestAtOnce } from "./in-process.ts"
import { createSuccession } from "./succession.ts"
import { people } from "./sequence.ts"

const award = (member_id: string) => ({ member_id, points: 5, reason: "Bonus" })
const [a = "", b = "", c = ""] = people
const jobs: readonly CreateJobBody[] = [
  { kind: "award", rows: [award(a), award(b), award(c)], options: { mode: "single" } },
  { kind: "award", rows: [award(a), award(b), award(c)], options: { mode: "bulk" } },
  { kind: "deduct", rows: [award(a)] },
]

/** Plays the jobs, with a kill at one step; gives the counts and how many steps there were without one. */
async function play(kill: number | undefined, fateOf: (nth: number) => Fate) {
  const world = createWorld(people)
  world.service.fateOf = (_, nth) => fateOf(nth)
  const desks = createSuccession(world, kill === undefined ? [] : [kill])
  const first = desks.now()
  for (const [at, body] of jobs.entries()) await desks.make(body, `a-key-of-a-draft-${at}`)
  await desks.rest()
  world.service.settleAll()
  desks.now().life.kill()
  const counts = fiveCounts(world.service.truth, await world.counted())
  return { counts, steps: first.life.steps, ends: await endsSaid(world.store) }
}

/** The jobs that are at an end, and those whose end stands in the audit log, once for each time it does. */
async function endsSaid(store: Store): Promise<{ ended: string[]; said: string[] }> {
  const all = await store.jobs.list({ perPage: 100 })
  const entries = await store.audit.list({ per_page: 100 }, {})
  const over = all.filter(({ state }) => state === "done" || state === "cancelled")
  const ids = new Set(all.map(({ id }) => id))
  return {
    ended: over.map(({ id }) => id).toSorted(),
    said: entries.flatMap(({ request_id }) => (ids.has(request_id) ? [request_id] : [])).toSorted(),
  }
}

const lost: Fate = { ...goodFate, answer: "none" }
const refusedToAnswer: Fate = { ...lost, commit: null }

beforeEach(digestAtOnce)

describe("a kill before and after every write to the store and every send", () => {
  it.each([
    ["when the service answers well", () => goodFate],
    ["when every second answer is lost", (nth: number) => (nth % 2 === 0 ? lost : goodFate)],
    [
      "when every second call is not carried out",
      (nth: number) => (nth % 2 === 0 ? refusedToAnswer : goodFate),
    ],
  ])("loses and doubles nothing %s", { timeout: 900_000 }, async (_, fateOf) => {
    const { counts, steps } = await play(undefined, fateOf)
    expect(countsLine({ ...counts, U: 0 })).toBe("L=0 D=0 P=0 W=0 U=0")
    expect(steps).toBeGreaterThan(30)
    for (let kill = 1; kill <= steps; kill += 1) {
      const killed = await play(kill, fateOf)
      expect([kill, countsLine({ ...killed.counts, U: 0 }), killed.counts.notes]).toEqual([
        kill,
        "L=0 D=0 P=0 W=0 U=0",
        expect.anything(),
      ])
      expect([kill, killed.ends.said]).toEqual([kill, killed.ends.ended])
    }
  })
})
