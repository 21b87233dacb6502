import { beforeEach, describe, expect, it } from "vitest"
import { type Fate, goodFate } from "./fates.ts"
import { countsLine, fiveCounts } from "./five-counts.ts"
import { requirePidNamespaces, startFleet } from "./fleet.ts"
import { createWorld, digestAtOnce } from "./in-process.ts"
import { readCounted, submitJob, untilDone } from "./job-client.ts"
import { awardRows } from "./made-up-rows.ts"
import { createRandom } from "./random.ts"
import { createSuccession } from "./succession.ts"
import { until } from "./until.ts"

/** Timeout of each step on a busy machine. */
const stepMs = 90_000

it(
  "a container killed while the service accepted nothing leaves no row to a person",
  { timeout: 4 * stepMs },
  async () => {
    requirePidNamespaces()
    const times = { settle: 1, recheck: 0.5, lease: 30, call: 12 }
    const fleet = await startFleet({ instances: 1, times, container: true })
    try {
      const { store, faults } = fleet.sandbox
      // Fast enough for many concurrent requests, slow enough to be interrupted.
      faults.add({ id: "slow", kind: "slow", ms: 50, match: { method: "POST" } })
      const rows = awardRows(fleet.sandbox, 800, createRandom(52))
      const body = { kind: "award", rows, options: { mode: "bulk" } } as const
      const made = await submitJob(fleet.ask, body)
      await until("some awards", stepMs, () => (store.ledger.length >= 100 ? true : undefined))
      const silent = faults.add({ kind: "hang", match: { method: "POST" } })
      faults.remove("slow")
      await until("requests without a response", stepMs, () => (silent.fired > 0 ? true : undefined))
      const [app] = fleet.apps
      if (app === undefined) throw new Error("There is no server.")
      await app.kill()
      faults.clear()
      await app.start()
      const done = await untilDone(fleet.ask, made.id, stepMs)
      expect(done).toMatchObject({ state: "done", attention: 0, counts: { confirmed: 800 } })
      const counts = fiveCounts(store.ledger, [await readCounted(fleet.ask, made.id)])
      expect(countsLine(counts)).toBe("L=0 D=0 P=0 W=0 U=0")
    } finally {
      await fleet.close()
    }
  },
)

describe("a restart while the service is unreachable", () => {
  beforeEach(digestAtOnce)

  const members = Array.from({ length: 12 }, (_, at) => `mem_${at + 1}`)
  const rows = members.map((member_id) => ({ member_id, points: 5, reason: "Bonus" }))
  const lost: Fate = { ...goodFate, answer: "none" }

  /** A service that can be away: no connection is made, and reads get no response. */
  function createUnreliableWorld() {
    const world = createWorld(members)
    let isAway = false
    world.service.readOf = () => (isAway ? "none" : "good")
    return {
      world,
      apps: createSuccession(world, []),
      leave: (fateOf: (nth: number) => Fate = () => goodFate, after = 0) => {
        world.service.fateOf = (_, nth) => {
          isAway = nth > after
          return isAway ? { ...goodFate, answer: "unsent" } : fateOf(nth)
        }
      },
      comeBack: () => {
        isAway = false
        world.service.fateOf = () => goodFate
      },
    }
  }

  const countsOf = async (world: ReturnType<typeof createWorld>) =>
    countsLine(fiveCounts(world.service.truth, await world.counted()))

  it("loses and doubles no row of a job that was retrying", async () => {
    const { world, apps, leave, comeBack } = createUnreliableWorld()
    // Three calls reach the service; the response to the third is lost.
    leave((nth) => (nth === 3 ? lost : goodFate), 3)
    const id = await apps.make({ kind: "award", rows, options: { mode: "single" } }, "job-before-the-restart")
    await world.clock.advance(8000)
    expect(await world.store.jobs.get(id)).toMatchObject({
      state: "running",
      counts: { confirmed: 2, unknown: 1, planned: 9 },
    })
    apps.now().life.kill()
    apps.now()
    await world.clock.advance(8000)
    expect(await world.store.jobs.get(id)).toMatchObject({ state: "running", counts: { planned: 9 } })
    comeBack()
    await apps.rest()
    expect(await world.store.jobs.get(id)).toMatchObject({ state: "done", counts: { confirmed: 12 } })
    expect(await countsOf(world)).toBe("L=0 D=0 P=0 W=0 U=0")
  })

  it("sends a form's paused row only after a person resumes it", async () => {
    const { world, apps, leave, comeBack } = createUnreliableWorld()
    leave()
    const id = await apps.make({ kind: "award", rows: rows.slice(0, 1) }, "form-before-the-restart")
    await world.clock.advance(90_000)
    const paused = { state: "paused", pause: { code: "not_sent_in_time" }, counts: { planned: 1 } }
    expect(await world.store.jobs.get(id)).toMatchObject(paused)
    apps.now().life.kill()
    apps.now()
    await world.clock.advance(10_000)
    comeBack()
    await world.clock.advance(3_600_000)
    expect(await world.store.jobs.get(id)).toMatchObject(paused)
    expect(world.service.truth).toEqual([])
    await apps.rest()
    expect(await world.store.jobs.get(id)).toMatchObject({ state: "done", counts: { confirmed: 1 } })
    expect(await countsOf(world)).toBe("L=0 D=0 P=0 W=0 U=0")
  })
})
