import { beforeEach, describe, expect, it } from "vitest"
import type { CreateJobBody } from "../../contract/job.ts"
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
async function oneLost(commit: number, lagMs: number, mode: "single" | "bulk" = "single"): Promise<number> {
  const world = createWorld(people)
  world.service.fateOf = (_, nth) =>
    nth === 1 ? { ...goodFate, commit, answer: "none", lagMs } : { ...goodFate, answerMs: 40, lagMs }
  const apps = createSuccession(world, [])
  await apps.make(awards(mode), key)
  await apps.rest()
  return damage(world)
}

/** One scenario for each safeguard that does damage where that safeguard is missing. */
const scenarios: Readonly<Record<string, () => Promise<number>>> = {
  "settle time: it is booked long after its call ended": () => oneLost(1.5 * settleMs, 0, "bulk"),

  "control: it is booked at once, but the history shows nothing for a long time": () =>
    oneLost(0, 3.5 * settleMs),

  "a reset is unknown: it is booked at once, and the connection ends without an answer": () => oneLost(0, 0),

  async "one effect, one row: a cache answers the second of two equal deductions with the first response"() {
    const world = createWorld(people)
    world.service.fateOf = (_, nth) => (nth === 2 ? { ...goodFate, commit: null, answer: "kept" } : goodFate)
    const apps = createSuccession(world, [])
    const row = { member_id: anna, points: 5, reason: "Correction" }
    await apps.make({ kind: "deduct", rows: [row, row] }, key)
    await apps.rest()
    return damage(world)
  },

  async "intent before the call: the process dies when the service has the award and nobody has heard of it yet"() {
    const world = createWorld(people)
    const apps = createSuccession(world, [])
    world.service.fateOf = (_, nth) => {
      if (nth === 1) apps.now().life.kill()
      return goodFate
    }
    await apps.make(awards("single"), key)
    await apps.rest()
    return damage(world)
  },

  async "sample at start: the store is put back to the first write after all of it was done"() {
    const world = createWorld(people)
    const first = world.start()
    let backUp = world.store.snapshot()
    world.service.fateOf = (_, nth) => {
      if (nth === 1) backUp = world.store.snapshot()
      return goodFate
    }
    void first.ask("POST /jobs", awards("single"), { "idempotency-key": key })
    const isDone = async () =>
      (await world.store.jobs.list({ perPage: 1 }))[0]?.state === "done" ? true : undefined
    await world.passUntil(60 * settleMs, isDone)
    first.life.kill()
    world.store.restore(backUp)
    world.start()
    await world.passUntil(60 * settleMs, isDone)
    return damage(world)
  },

  async "lease checked on the socket: the process stands still there, and somebody else sends the award"() {
    const world = createWorld(people)
    const frozen = world.start({ freezeAtSend: 1 })
    const body = { kind: "award", rows: [{ member_id: ben, points: 5, reason: "Bonus" }] }
    void frozen.ask("POST /jobs", body, { "idempotency-key": key })
    await world.clock.advance(1000)
    const apps = createSuccession(world, [])
    apps.now()
    const asksSomebody = await world.passUntil(60 * settleMs, async () => {
      const [job] = await world.store.jobs.list({ perPage: 1 })
      return job?.attention === 1 ? job : undefined
    })
    await world.clock.advance(20 * settleMs)
    const path = `/jobs/${asksSomebody?.id}/rows/1/decision`
    const { status } = await apps.now().ask(`POST ${path}`, { decision: "resend" })
    expect(status).toBe(200)
    await apps.rest()
    expect(world.service.writes).toHaveLength(1)
    frozen.life.thaw()
    await world.clock.advance(20 * settleMs)
    return damage(world)
  },
}

beforeEach(digestAtOnce)

describe.each(Object.entries(scenarios))("%s", (_, play) => {
  it("does no damage", async () => {
    expect(await play()).toBe(0)
  })
})
