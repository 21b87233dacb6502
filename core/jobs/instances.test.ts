import { describe, expect, it } from "vitest"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { createMemoryStore } from "../../tests/support/memory-store.ts"
import { createPointsApp } from "../../tests/support/points-app.ts"
import type { Processes } from "../ports.ts"
import { createInstances } from "./instances.ts"

describe("the end of an instance", () => {
  const beaten = async (processes: Omit<Processes, "self">) => {
    const clock = createFakeClock()
    const store = createMemoryStore(clock)
    const beat = () => store.instances.beat("other", { pid: "1" })
    await beat()
    const instances = createInstances({ store, processes: { self: {}, ...processes }, clock }, "self")
    return { clock, store, beat, instances }
  }
  const unseen = async () => "unknown" as const

  it("is proven by this process having the store's lock", async () => {
    const { instances } = await beaten({ alone: true, look: unseen })
    expect(await instances.isOver("other")).toBe(true)
    expect(await instances.dead()).toEqual(["other"])
  })

  it("is never proven by silence alone", async () => {
    const { instances, clock } = await beaten({ look: unseen })
    await clock.advance(3_600_000)
    expect(await instances.isOver("other")).toBe(false)
  })

  it("is disproved for good by a later heartbeat", async () => {
    const { instances, clock, beat } = await beaten({ look: async () => "gone" })
    expect(await instances.isOver("other")).toBe(true)
    await clock.advance(5000)
    await beat()
    expect(await instances.isOver("other")).toBe(false)
    await clock.advance(60_000)
    expect(await instances.isOver("other")).toBe(false)
  })
})

describe("an instance of a version that knows only the job's lease", () => {
  const leaseMs = 30_000

  it("and this one never run a job at the same time", async () => {
    const clock = createFakeClock()
    const store = createMemoryStore(clock)
    const lease = (jobId: string) => store.jobs.lease(jobId, "earlier version", leaseMs)
    const jobs = {
      ...store.jobs,
      create: async (...given: Parameters<typeof store.jobs.create>) => {
        const made = await store.jobs.create(...given)
        if (typeof made === "object") await lease(made.job.id)
        return made
      },
    }
    const app = createPointsApp({ clock, store: { ...store, jobs } })
    const sent = () => app.bodies("/points/award").length
    const { id } = await app.make({
      kind: "award",
      rows: [{ member_id: "mem_1", points: 5, reason: "Thanks" }],
    })
    await app.pass(leaseMs - 5000)
    expect(sent()).toBe(0)
    await app.pass(10_000)
    expect(sent()).toBe(1)
    await app.until(id, "done")
    const [row] = await app.rows(id)
    expect(row?.state).toBe("confirmed")
  })
})
