import { describe, expect, it } from "vitest"
import { job, type JobState, type RowState } from "../../contract/job.ts"
import { jobRow } from "../../contract/job-rows.ts"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { countsOf } from "../../tests/support/job-views.ts"
import { madeUpJob, madeUpRow } from "../../tests/support/made-up-jobs.ts"
import type { JobChange, JobRecord } from "./job-store.ts"
import { createMemoryStore } from "../../tests/support/memory-store.ts"
import { jobView, throughput, phaseOf, rowView } from "./job-view.ts"

async function saved() {
  const { jobs } = createMemoryStore(createFakeClock())
  const made = await jobs.create(madeUpJob(), [madeUpRow(), madeUpRow()])
  if (typeof made === "string") throw new Error(made)
  const row = await jobs.row(made.job.id, 1)
  if (row === undefined) throw new Error("There is no row.")
  return { record: made.job, row }
}

describe("a job as it is answered", () => {
  it("has the shape of the contract and no fields of the store", async () => {
    const { record, row } = await saved()
    const view = jobView(record, null)
    expect(job.parse(view)).toEqual(view)
    const shown = rowView(record, row, "admin")
    expect(jobRow.parse(shown)).toEqual(shown)
    expect(shown).toMatchObject({ row: 1, state: "planned", member: { id: "mem_1", label: "Bo Ek" } })
  })

  it("took the time it worked, without pauses and without what passed until it was retried", async () => {
    const clock = createFakeClock()
    const { jobs } = createMemoryStore(clock)
    const made = await jobs.create(madeUpJob(), [madeUpRow()])
    if (typeof made === "string") throw new Error(made)
    const { id } = made.job
    const pass = async (ms: number, from: JobState, set: JobChange["set"]) => {
      await clock.advance(ms)
      const changed = await jobs.change(id, [from], set)
      return changed && jobView(changed, null).worked_ms
    }
    const row = (from: RowState, state: RowState) =>
      jobs.changeRows(id, [{ row: 1, from: [from], set: { state } }])
    const end = () => ({ state: "done", finishedAt: clock.now() + 4000 }) as const
    const pause = { code: "paused_by_person", message: "Paused." } as const
    expect(await pass(2000, "running", { state: "paused", pause })).toBeNull()
    expect(await pass(600_000, "paused", { state: "running", pause: null })).toBeNull()
    await row("planned", "failed")
    expect(await pass(4000, "running", end())).toBe(6000)
    await clock.advance(3_600_000)
    await row("failed", "planned")
    expect(await pass(0, "done", { state: "running", finishedAt: null })).toBeNull()
    await row("planned", "failed")
    expect(await pass(1000, "running", end())).toBe(7000)
  })

  it.each([
    ["draft", { planned: 3 }, "idle"],
    ["running", { planned: 3, sent: 1 }, "sending"],
    ["running", { unknown: 2, confirmed: 5 }, "looking"],
    ["running", { confirmed: 5, absent: 1 }, "idle"],
    ["paused", { planned: 3 }, "idle"],
    ["paused", { planned: 3, unknown: 1 }, "looking"],
    ["cancelling", { planned: 3, sent: 1 }, "sending"],
    ["cancelled", { planned: 3 }, "idle"],
  ] as const)("%s with %j: %s", (state, some, phase) => {
    const counts = countsOf(some)
    expect(phaseOf({ state, prepared: true, counts, hold: null })).toBe(phase)
    expect(phaseOf({ state, prepared: false, counts, hold: null })).toBe(
      state === "running" ? "preparing" : phase,
    )
  })
})

describe("the pace", () => {
  const running = (record: JobRecord, fields: Partial<JobRecord>): JobRecord => ({
    ...record,
    startedAt: 0,
    counts: countsOf({ planned: 90, sent: 5, confirmed: 60, unknown: 5 }),
    ...fields,
  })

  it("is that of the last minute, and the rest at that pace", async () => {
    const { record } = await saved()
    expect(throughput(running(record, {}), 50, 600_000, 90_000)).toEqual({ per_minute: 50, ms_left: 120_000 })
  })

  it("of a new job is measured since its start, and its remaining time is the estimate", async () => {
    const { record } = await saved()
    const pace = throughput(running(record, {}), 10, 12_000, 90_000)
    expect(pace).toEqual({ per_minute: 50, ms_left: 90_000 })
    expect(throughput(running(record, {}), 0, 0, 90_000)).toEqual({ per_minute: null, ms_left: 90_000 })
  })

  it("is not known at the very start, nor while nothing ends", async () => {
    const { record } = await saved()
    expect(throughput(running(record, {}), 5, 1000, null)).toBeNull()
    expect(throughput(running(record, {}), 0, 600_000, null)).toBeNull()
    expect(throughput(running(record, { startedAt: null }), 5, 600_000, null)).toBeNull()
  })
})
