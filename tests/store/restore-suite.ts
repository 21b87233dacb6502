import { describe, expect, test } from "vitest"
import type { JobHold, JobStore } from "../../core/jobs/job-store.ts"
import { make, sampleRows, setRow } from "./job-samples.ts"
import type { StoreUnderTest } from "./store-suite.ts"

async function holdOf(jobs: JobStore, id: string): Promise<JobHold | null> {
  return (await jobs.get(id))?.hold ?? null
}

/** The restore counter, and holds of jobs after a restore. */
export function describeRestores(instances: () => StoreUnderTest): void {
  describe("restores", () => {
    test("instances never get the same counter value", async () => {
      const { one, other } = instances()
      const { epoch, count, found } = await one.restores.get()
      expect(found).toBeNull()
      const counted = await Promise.all(
        Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? one : other).restores.count()),
      )
      expect(new Set(counted.map((use) => use.count)).size).toBe(20)
      expect(new Set(counted.map((use) => use.epoch))).toEqual(new Set([epoch]))
      const last = await other.restores.get()
      expect(last.count).toBe(count + 20)
      expect(last.countedAt).toBeTypeOf("number")
    })

    test("a hold covers every earlier job except cancelled ones, and survives their changes", async () => {
      const { one, other } = instances()
      const running = await make(one.jobs, sampleRows(3))
      await setRow(one.jobs, running.id, 1, { state: "confirmed", upstreamId: "txn_1", confirmedAt: 5 })
      const paused = await make(one.jobs, sampleRows(1))
      await one.jobs.change(paused.id, ["running"], { state: "paused" })
      const cancelled = await make(one.jobs, sampleRows(1))
      await one.jobs.change(cancelled.id, ["running"], { state: "cancelled" })
      const done = await make(one.jobs, sampleRows(1))
      await setRow(one.jobs, done.id, 1, { state: "failed" })
      await one.jobs.change(done.id, ["running"], { state: "done", finishedAt: 5 })
      const before = await one.restores.get()
      const at = (await one.jobs.now()) + 1
      const summary = await other.jobs.summary(undefined)

      await one.restores.hold({ sign: "counter", at, since: at - 1000 }, "a-later-epoch", before.count + 7)

      const hold = { state: "looking", sign: "counter", at, since: at - 1000 }
      expect(await holdOf(other.jobs, running.id)).toEqual({ ...hold, confirmedBefore: 1 })
      expect(await holdOf(other.jobs, paused.id)).toEqual({ ...hold, confirmedBefore: 0 })
      expect(await holdOf(other.jobs, done.id)).toEqual({ ...hold, confirmedBefore: 0 })
      expect(await holdOf(other.jobs, cancelled.id)).toBeNull()
      const busy = (await other.jobs.busy()).map(({ id }) => id)
      expect(busy).toEqual(expect.arrayContaining([running.id, paused.id]))
      expect(busy).not.toContain(done.id)
      const after = await other.jobs.summary(undefined)
      expect(after.held).toBe(summary.active)
      expect(after.looking).toBe(summary.active)
      const use = await other.restores.get()
      expect(use).toMatchObject({ epoch: "a-later-epoch", found: { sign: "counter", at, read: false } })
      expect(use.earlier).toContain(before.epoch)
      expect(use.count).toBeGreaterThan(before.count + 7)

      // The hold survives changes of rows and job, and needs a person once everything was looked up.
      await setRow(other.jobs, running.id, 2, { state: "unknown", nextAt: 5 })
      await setRow(other.jobs, running.id, 2, { state: "planned", nextAt: null })
      const ready = { ...hold, state: "ready", sign: "counter", confirmedBefore: 1 } as const
      await one.jobs.change(running.id, ["running"], { hold: ready })
      expect(await holdOf(other.jobs, running.id)).toEqual(ready)
      expect((await other.jobs.summary(undefined)).attention).toBe(summary.attention + 1)
      await one.jobs.change(running.id, ["running"], { hold: { ...ready, state: "released" } })
      expect((await other.jobs.summary(undefined)).held).toBe(summary.active - 1)

      const later = await make(one.jobs, sampleRows(1))
      expect(await holdOf(other.jobs, later.id)).toBeNull()
      await other.restores.read()
      expect((await one.restores.get()).found).toMatchObject({ at, read: true })
    })
  })
}
