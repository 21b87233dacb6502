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

/** Sum of L, D, P and W: 0 is correct. */
async function damage(world: World): Promise<number> {
  world.service.settleAll()
  const { L, D, P, W } = fiveCounts(world.service.truth, await world.counted())
  return L + D + P + W
}

/** Awards whose first write gets no response and is booked after `commit` ms; the others respond a little later. */
async function oneLost(commit: number, lagMs: number, mode: "single" | "bulk" = "single"): Promise<number> {
  const world = createWorld(people)
  world.service.fateOf = (_, nth) =>
    nth === 1 ? { ...goodFate, commit, answer: "none", lagMs } : { ...goodFate, answerMs: 40, lagMs }
  const apps = createSuccession(world, [])
  await apps.make(awards(mode), key)
  await apps.rest()
  return damage(world)
}

/** One scenario per safeguard that causes damage without it. */
const scenarios: Readonly<Record<string, () => Promise<number>>> = {
  "settle time: the write is booked long after its call ended": () => oneLost(1.5 * settleMs, 0, "bulk"),

  "canary: the write is booked immediately, but the history lags for a long time": () =>
    oneLost(0, 3.5 * settleMs),

  "a reset is unknown: the write is booked, and the connection ends without a response": () => oneLost(0, 0),

  async "one effect, one row: a cache returns the first response for the second of two equal deductions"() {
    const world = createWorld(people)
    world.service.fateOf = (_, nth) => (nth === 2 ? { ...goodFate, commit: null, answer: "kept" } : goodFate)
    const apps = createSuccession(world, [])
    const row = { member_id: anna, points: 5, reason: "Correction" }
    await apps.make({ kind: "deduct", rows: [row, row] }, key)
    await apps.rest()
    return damage(world)
  },

  async "intent before the call: the process dies after the service received the award and before its response"() {
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

  async "sample at start: the store is restored to the first write after the job is done"() {
    const world = createWorld(people)
    const first = world.start()
    let backUp = world.store.snapshot()
    world.service.fateOf = (_, nth) => {
      if (nth === 1) backUp = world.store.snapshot()
      return goodFate
    }
    void first.ask("POST /jobs", { body: awards("single"), headers: { "idempotency-key": key } })
    const isDone = async () =>
      (await world.store.jobs.list({ perPage: 1 }))[0]?.state === "done" ? true : undefined
    await world.passUntil(60 * settleMs, isDone)
    first.life.kill()
    world.store.restore(await backUp)
    world.start()
    await world.passUntil(60 * settleMs, isDone)
    return damage(world)
  },

  async "lease checked on the socket: the process freezes there, and another one sends the award"() {
    const world = createWorld(people)
    const frozen = world.start({ freezeAtSend: 1 })
    const body = { kind: "award", rows: [{ member_id: ben, points: 5, reason: "Bonus" }] }
    void frozen.ask("POST /jobs", { body, headers: { "idempotency-key": key } })
    await world.clock.advance(1000)
    const apps = createSuccession(world, [])
    apps.now()
    // The frozen one proves nothing: its call counts as ended ten minutes after its lease.
    const undecided = await world.passUntil(1_000_000, async () => {
      const [job] = await world.store.jobs.list({ perPage: 1 })
      return job?.attention === 1 ? job : undefined
    })
    await world.clock.advance(20 * settleMs)
    const path = `/jobs/${undecided?.id}/rows/1/decision`
    const { status } = await apps.now().ask(`POST ${path}`, { body: { decision: "resend" } })
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
  it("causes no loss or duplicate", async () => {
    expect(await play()).toBe(0)
  })
})
