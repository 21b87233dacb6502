import { describe, expect, it } from "vitest"
import { contextWith, fakeEngine } from "../../tests/support/fake-engine.ts"
import { jobOf, rowOf } from "../../tests/support/job-records.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"
import { BulkSize } from "./run-state.ts"
import { SendQueue } from "./send-queue.ts"

describe("the last row of a job", () => {
  const last = rowOf({ row: 9 })
  const counted = (counts: Partial<JobRecord["counts"]>) =>
    jobOf({ counts: { ...jobOf().counts, planned: 1, ...counts } })
  const next = async (open: readonly RowRecord[], job = counted({ sent: 1, unknown: 1 }), sends = 0) => {
    const rowsIn = async (_: string, states: readonly string[]) =>
      states.includes("planned") ? [last] : [...open]
    const context = contextWith(fakeEngine({}, { rowsIn }), { absence: "canary", maxCalls: 16 }, job)
    const work = { busy: new Set<string>(), sends, canStart: () => true }
    return (await new SendQueue(new BulkSize(100)).next(context, work))?.rows
  }
  const sent = rowOf({ row: 3, state: "sent", sentAt: 90_000, endedAt: null })
  const unknown = rowOf({ row: 4, state: "unknown", sentAt: 90_000, endedAt: 95_000 })

  it("waits for every other call to end, also for one of an instance that may still run", async () => {
    expect(await next([unknown])).toEqual([last])
    expect(await next([unknown, sent])).toBeUndefined()
    expect(await next([{ ...unknown, endedAt: null }])).toBeUndefined()
    expect(await next([unknown], undefined, 1)).toBeUndefined()
  })

  it("does not wait for rows that were never sent", async () => {
    expect(await next([{ ...unknown, sentAt: null, endedAt: null }])).toEqual([last])
    expect(await next([sent], counted({ confirmed: 9 }))).toEqual([last])
  })
})

it("the last row of each tag form goes alone after all others", async () => {
  const rows = [1, 2, 3, 4, 5].map((row) =>
    rowOf({ row, memberId: `mem_${row}`, input: row > 2 ? { reference: `INV-${row}` } : {} }),
  )
  const rules = {
    absence: "canary",
    tags: {
      forms: [],
      formOf: (_: unknown, { input }: Pick<RowRecord, "input">) => String("reference" in input),
    },
  } as const
  const rowsIn = async (_: string, states: readonly string[], after: number) =>
    states.includes("planned") && after === 0 ? rows : []
  const job = jobOf({ counts: { ...jobOf().counts, planned: 5 } })
  const context = contextWith(fakeEngine({}, { rowsIn }), rules, job)
  const queue = new SendQueue(new BulkSize(100))
  const next = async (sends: number) => {
    const request = await queue.next(context, { busy: new Set(), sends, canStart: () => true })
    return request?.rows.map(({ row }) => row)
  }
  expect([await next(0), await next(1), await next(2)]).toEqual([[1], [3], [4]])
  expect(await next(3)).toBeUndefined()
  expect([await next(0), await next(1), await next(0)]).toEqual([[2], undefined, [5]])
})
