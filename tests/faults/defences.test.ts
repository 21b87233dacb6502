import { beforeEach, describe, expect, it } from "vitest"
import type { CreateJobBody } from "../../contract/job.ts"
import { allDefences, type Defences } from "../../core/jobs/defences.ts"
import { goodFate } from "./fates.ts"
import { fiveCounts } from "./five-counts.ts"
import { createWorld, digestAtOnce, type World, worldTimes } from "./in-process.ts"
import { createSuccession } from "./succession.ts"

const { settleMs } = worldTimes
const key = "a-key-of-a-made-up-draft"
const people = ["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => `mem_${name}`)
const [anna = "", ben = ""] = people

function awards(mode: "single" | "bulk"): CreateJobBody {
  const rows = people.map((member_id) => ({ member_id, points: 5, reason: "Bonus" }))
  return { kind: "award", rows, options: { mode, bulk_size: 4 } }
}

/** Everything that may not be, in one number. */
async function damage(world: World): Promise<number> {
  world.service.settleAll()
  const { L, D, P, W } = fiveCounts(world.service.truth, await world.counted())
  return L + D + P + W
}

/** Awards whose first write is answered by nothing and booked after `commit` ms; the others end a little later. */
async function oneLost(
  defences: Partial<Defences>,
  commit: number,
  lagMs: number,
  mode: "single" | "bulk" = "single",
): Promise<number> {
  const world = createWorld(people, { defences })
  world.service.fateOf = (_, nth) =>
    nth === 1 ? { ...goodFate, commit, answer: "none", lagMs } : { ...goodFate, answerMs: 40, lagMs }
  const desks = createSuccession(world, [])
  await desks.make(awards(mode), key)
  await desks.rest()
  return damage(world)
}

/** What each defence keeps away, played with the defences that are given. */
const scenarios: Readonly<Record<keyof Defences, (defences: Partial<Defences>) => Promise<number>>> = {
  // It is booked long after its call ended.
  settle: (defences) => oneLost(defences, 1.5 * settleMs, 0, "bulk"),

  // It is booked at once, but the history shows nothing for a long time.
  control: (defences) => oneLost(defences, 0, 3.5 * settleMs),

  // It is booked at once, and the connection ends without an answer.
  resetIsUnknown: (defences) => oneLost(defences, 0, 0),

  // Something in between answers the second of two equal deductions with what it kept of the first.
  async uniqueClaims(defences) {
    const world = createWorld(people, { defences })
    world.service.fateOf = (_, nth) => (nth === 2 ? { ...goodFate, commit: null, answer: "kept" } : goodFate)
    const desks = createSuccession(world, [])
    const row = { member_id: anna, points: 5, reason: "Correction" }
    await desks.make({ kind: "deduct", rows: [row, row] }, key)
    await desks.rest()
    return damage(world)
  },

  // The process dies when the service has the award and nobody has heard of it yet.
  async intentFirst(defences) {
    // The sample of the next start would find what was done without an intent.
    const world = createWorld(people, { defences: { sample: false, ...defences } })
    const desks = createSuccession(world, [])
    world.service.fateOf = (_, nth) => {
      if (nth === 1) desks.now().life.kill()
      return goodFate
    }
    await desks.make(awards("single"), key)
    await desks.rest()
    return damage(world)
  },

  // Everything is put back to the moment of the first write after all of it was done.
  async sample(defences) {
    const world = createWorld(people, { defences })
    const first = world.start()
    let backUp: unknown
    world.service.fateOf = (_, nth) => {
      if (nth === 1) backUp = world.store.snapshot()
      return goodFate
    }
    void first.ask("POST /jobs", awards("single"), { "idempotency-key": key })
    const isDone = async () =>
      (await world.store.jobs.list({ perPage: 1 }))[0]?.state === "done" ? true : undefined
    await world.passUntil(60 * settleMs, isDone)
    first.life.kill()
    expect(world.store.restore(backUp)).toBe(true)
    world.start()
    await world.passUntil(60 * settleMs, isDone)
    return damage(world)
  },

  // The process stands still on the connected socket. Much later somebody else sends the award, and then it goes on.
  async socketCheck(defences) {
    const world = createWorld(people, { defences })
    const frozen = world.start({ freezeAtSend: 1 })
    const body = { kind: "award", rows: [{ member_id: ben, points: 5, reason: "Bonus" }] }
    void frozen.ask("POST /jobs", body, { "idempotency-key": key })
    await world.clock.advance(1000)
    const desks = createSuccession(world, [])
    desks.now()
    const asksSomebody = await world.passUntil(60 * settleMs, async () => {
      const [job] = await world.store.jobs.list({ perPage: 1 })
      return job?.attention === 1 ? job : undefined
    })
    await world.clock.advance(20 * settleMs)
    const path = `/jobs/${asksSomebody?.id}/rows/1/decision`
    const { status } = await desks.now().ask(`POST ${path}`, { decision: "resend" })
    expect(status).toBe(200)
    await desks.rest()
    expect(world.service.writes).toHaveLength(1)
    frozen.life.thaw()
    await world.clock.advance(20 * settleMs)
    return damage(world)
  },
}

beforeEach(digestAtOnce)

describe.each(Object.keys(allDefences) as (keyof Defences)[])("without the defence %s", (name) => {
  it("damage is done, and with it none", async () => {
    expect(await scenarios[name]({})).toBe(0)
    expect(await scenarios[name]({ [name]: false })).toBeGreaterThan(0)
  })
})
