import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { job, jobStates } from "../../../../contract/desk/job.ts"
import { jobRow } from "../../../../contract/desk/job-rows.ts"
import { createFakeClock } from "../../../../tests/support/fake-clock.ts"
import { madeUpJob, madeUpRow } from "../../../../tests/support/made-up-jobs.ts"
import type { JobRecord } from "../../jobs/job-store.ts"
import { createMemoryStore } from "../../store-memory.ts"
import { jobView, phaseOf } from "./job-view.ts"
import { paceOf } from "./pace.ts"
import { rowView } from "./row-view.ts"

async function kept() {
  const { jobs } = createMemoryStore(createFakeClock())
  const made = await jobs.create(madeUpJob(), [madeUpRow(), madeUpRow()])
  if (typeof made === "string") throw new Error(made)
  const row = await jobs.row(made.job.id, 1)
  if (row === undefined) throw new Error("There is no row.")
  return { record: made.job, row }
}

const counts = fc.record({
  planned: fc.nat(3),
  sent: fc.nat(3),
  confirmed: fc.nat(3),
  failed: fc.nat(3),
  unknown: fc.nat(3),
  absent: fc.nat(3),
  conflict: fc.nat(3),
})

describe("a job as it is answered", () => {
  it("has the shape of the contract and nothing of the store's own", async () => {
    const { record, row } = await kept()
    const view = jobView(record, null)
    expect(job.parse(view)).toEqual(view)
    const shown = rowView("award", row, "admin")
    expect(jobRow.parse(shown)).toEqual(shown)
    expect(shown).toMatchObject({ row: 1, state: "planned", member: { id: "mem_1", label: "Bo Ek" } })
  })

  it("says sending or preparing of a running job only, and idle when there is nothing to do", () => {
    fc.assert(
      fc.property(fc.constantFrom(...jobStates), fc.boolean(), counts, (state, prepared, rows) => {
        const { planned, sent, unknown } = rows
        const sends = sent > 0 || (state === "running" && planned > 0)
        const phase = sends ? "sending" : unknown > 0 ? "looking" : "idle"
        expect(phaseOf({ state, prepared, counts: rows })).toBe(
          state === "running" && !prepared ? "preparing" : phase,
        )
      }),
    )
  })
})

describe("the pace", () => {
  const running = (record: JobRecord, fields: Partial<JobRecord>): JobRecord => ({
    ...record,
    startedAt: 0,
    counts: { planned: 90, sent: 5, confirmed: 60, failed: 0, unknown: 5, absent: 0, conflict: 0 },
    ...fields,
  })

  it("is that of the last minute, and the rest at that pace", async () => {
    const { record } = await kept()
    expect(paceOf(running(record, {}), 50, 600_000)).toEqual({ per_minute: 50, ms_left: 120_000 })
  })

  it("of a young job is that of its own time", async () => {
    const { record } = await kept()
    expect(paceOf(running(record, {}), 10, 12_000)).toEqual({ per_minute: 50, ms_left: 120_000 })
  })

  it("is not known at the very start, nor while nothing ends", async () => {
    const { record } = await kept()
    expect(paceOf(running(record, {}), 5, 1000)).toBeNull()
    expect(paceOf(running(record, {}), 0, 600_000)).toBeNull()
    expect(paceOf(running(record, { startedAt: null }), 5, 600_000)).toBeNull()
  })
})
