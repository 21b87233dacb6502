import { describe, expect, it } from "vitest"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { createMemoryStore } from "../../tests/support/memory-store.ts"
import { createPointsApp } from "../../tests/support/points-app.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { quietLog } from "../../tests/support/quiet-log.ts"
import type { Processes } from "../ports.ts"
import { createInstances, endWithoutProof } from "./instances.ts"

const settleMs = 120_000

describe("the end of a call", () => {
  /** The other instance's last heartbeat, and an attempt that it sent then. */
  const beaten = async (processes: Partial<Processes> = {}) => {
    const clock = createFakeClock()
    const store = createMemoryStore(clock)
    const beat = () => store.instances.beat("other", { pid: "1" })
    await beat()
    const unseen = { self: {}, hasEnded: () => false }
    const parts = { store, clock, log: quietLog, config: { jobs: { leaseMs: 30_000, settleMs } } }
    const instances = createInstances({ ...parts, processes: { ...unseen, ...processes } }, "self")
    const sentAt = clock.now()
    const attempt = { owner: "other", sentAt, leaseUntil: sentAt + 30_000 }
    const isOver = (changes: Partial<typeof attempt> = {}) =>
      instances.isOver({ ...attempt, ...changes }, clock.now())
    return { clock, store, beat, instances, attempt, isOver }
  }
  const deadProcess = { hasEnded: () => true }

  it("is proven by this process having the store's lock", async () => {
    const { instances, isOver } = await beaten({ alone: true })
    expect(await isOver()).toBe(true)
    expect(await instances.dead()).toEqual(["other"])
  })

  it("is proven by the death of its process, once that is silent", async () => {
    const { clock, instances, isOver } = await beaten(deadProcess)
    await clock.advance(14_000)
    expect(await isOver()).toBe(false)
    await clock.advance(2000)
    expect(await isOver()).toBe(true)
    expect(await instances.dead()).toEqual(["other"])
  })

  it("is not proven by a death that heartbeats disprove, as those of a copied machine", async () => {
    const { clock, beat, isOver } = await beaten(deadProcess)
    for (let beats = 0; beats < 20; beats += 1) {
      await clock.advance(5000)
      await beat()
      expect(await isOver()).toBe(false)
    }
  })

  it("is proven by a recorded stop, for what was sent before it", async () => {
    const { clock, store, instances, isOver, attempt } = await beaten()
    await clock.advance(20_000)
    await store.instances.stopped("other")
    expect(await isOver()).toBe(true)
    // It was only frozen, and sends another row before its next heartbeat.
    expect(await isOver({ sentAt: attempt.sentAt + 20_001, leaseUntil: attempt.sentAt + 50_001 })).toBe(false)
    expect(await instances.dead()).toEqual(["other"])
    await clock.advance(31_000)
    expect(await instances.dead()).toEqual([])
  })

  it("is not proven by silence, until ten minutes or five settle times after the lease", async () => {
    const { clock, isOver, attempt } = await beaten()
    expect(endWithoutProof(attempt, settleMs)).toBe(attempt.sentAt + 630_000)
    expect(endWithoutProof(attempt, 200_000)).toBe(attempt.sentAt + 1_030_000)
    await clock.advance(629_999)
    expect(await isOver()).toBe(false)
    await clock.advance(1)
    expect(await isOver()).toBe(true)
  })

  it("is known of this instance's own calls, and not of rows that were never sent", async () => {
    const { instances, isOver, attempt } = await beaten()
    expect(await isOver({ owner: "self" })).toBe(true)
    expect(await instances.isOver({ ...attempt, sentAt: null }, Infinity)).toBe(false)
    expect(await instances.isOver({ ...attempt, owner: null }, Infinity)).toBe(false)
  })
})

describe("a start under an INSTANCE_ID", () => {
  const named = (instance: string) => ({ self: { instance }, hasEnded: () => false })

  it("waits for the silence of the earlier process and ends it", async () => {
    const kit = createTestKit({ processes: named("laurel-1") })
    const { clock, store } = kit
    await store.instances.beat("earlier", { instance: "laurel-1" })
    await store.instances.beat("unrelated", { instance: "laurel-2" })
    let claimed: unknown = "waits"
    void kit.app.claim().then((living) => (claimed = living))
    await clock.advance(14_000)
    expect(claimed).toBe("waits")
    await clock.advance(2000)
    expect(claimed).toBeUndefined()
    expect((await store.instances.get("earlier"))?.stoppedAt).not.toBeNull()
    expect((await store.instances.get("unrelated"))?.stoppedAt).toBeNull()
  })

  it("is refused while another process of it gives signs of life", async () => {
    const kit = createTestKit({ processes: named("laurel-1") })
    const { clock, store } = kit
    const beat = () => store.instances.beat("earlier", { instance: "laurel-1", pid: "7" })
    await beat()
    let claimed: unknown = "waits"
    void kit.app.claim().then((living) => (claimed = living))
    for (let beats = 0; beats < 8; beats += 1) {
      await clock.advance(5000)
      await beat()
    }
    expect(claimed).toMatchObject({ id: "earlier", process: { pid: "7" }, stoppedAt: null })
    expect((await store.instances.list()).map(({ id }) => id)).toEqual(["earlier"])
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
