import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { jobStates, rowStates } from "../../contract/job.ts"
import { tallyOf } from "./held-job.ts"
import type { Claim, JobChange, JobStore, RowChange } from "../../core/jobs/job-store.ts"
import { sampleJob, sampleRows } from "../../tests/store/job-samples.ts"
import type { StoreUnderTest } from "../../tests/store/store-suite.ts"
import { twoStores, testPlaces } from "../../tests/support/test-stores.ts"

const { newFile, newDatabase } = testPlaces()
const rowCount = 5
const claimKeys = ["a", "b", "c"]

const state = fc.constantFrom(...rowStates)
const time = fc.option(fc.integer({ min: 1, max: 9 }))
const decision = fc.constantFrom(null, {
  decision: "leave",
  upstream_id: null,
  at: "2026-11-20T00:00:00.000Z",
  by: { id: "ana", name: "Ana" },
} as const)
const set = fc.record(
  {
    state,
    nextAt: time,
    confirmedAt: time,
    attempts: fc.nat(2),
    request: fc.constantFrom("r1", "r2"),
    decision,
  },
  { requiredKeys: [] },
)
const member = fc.option(fc.constantFrom("mem_1", "mem_2"))
const claim = fc.record({ scope: fc.constant("model"), key: fc.constantFrom(...claimKeys) })
const change = fc.record(
  {
    row: fc.integer({ min: 1, max: rowCount + 1 }),
    from: fc.subarray([...rowStates], { minLength: 3 }),
    set: fc.oneof(set, fc.record({ memberId: member })),
    attempt: fc.nat(2),
    claim,
    release: claim,
  },
  { requiredKeys: ["row", "from", "set"] },
)
const job = fc.option(
  fc.record({
    from: fc.subarray([...jobStates], { minLength: 3 }),
    set: fc.record({ state: fc.constantFrom(...jobStates), bulkSize: fc.nat(9), finishedAt: time }),
  }),
  { nil: undefined },
)
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant("change"), changes: fc.array(change, { maxLength: 6 }), job }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("number") }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("hurry"), at: fc.integer({ min: 1, max: 9 }) }) },
)
type Step = {
  readonly do: string
  readonly changes?: readonly RowChange[]
  readonly at?: number
  readonly job?: JobChange | undefined
}

/** Performs a step and returns all observable state afterwards. */
async function seenAfter(
  jobs: JobStore,
  id: string,
  { do: what, changes = [], at = 0, job: jobChange }: Step,
  run: string,
) {
  const own = (of: Claim) => ({ ...of, key: `${run} ${of.key}` })
  const mine = changes.map(({ claim, release, ...rest }): RowChange => {
    const taken = claim && [claim].flat().map(own)
    return { ...rest, ...(taken && { claim: taken }), ...(release && { release: own(release) }) }
  })
  const results = what === "change" ? await jobs.changeRows(id, mine, jobChange) : []
  if (what === "number") await jobs.assignOrdinals(id)
  if (what === "hurry") await jobs.hurry(id, "r1", at)
  const { rows, total } = await jobs.rows(id, { page: 1, perPage: 100 })
  const job = await jobs.get(id)
  return {
    results,
    rows,
    total,
    // The two stores have separate clocks, and draw separate batch codes.
    job: job && {
      ...job,
      batchCode: "",
      createdAt: 0,
      startedAt: 0,
      idleSince: job.idleSince === null ? null : 0,
      idleMs: 0,
    },
    claims: await jobs.claims(
      "model",
      claimKeys.map((key) => `${run} ${key}`),
    ),
    due: await jobs.due(id, 5, 3),
    nextDue: await jobs.nextDue(id),
    open: await jobs.rowsIn(id, ["planned", "sent", "unknown"], 1, 3),
    ended: await jobs.endedSince(id, 5),
    attention: (await jobs.rows(id, { state: "attention", page: 1, perPage: 2 })).rows,
    busy: (await jobs.busy()).some((one) => one.id === id),
  }
}

let runs = 0
function sameAs(file: JobStore, { one, other }: StoreUnderTest) {
  return fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
    const run = `run ${++runs}`
    const made = [file, one.jobs].map((jobs) =>
      jobs.create(sampleJob({ state: "paused" }), sampleRows(rowCount, { memberId: "mem_1" })),
    )
    const [here, there] = await Promise.all(made)
    if (typeof here !== "object" || typeof there !== "object") throw new Error("No job was made.")
    const { id } = here.job
    expect(there.job.id).toBe(id)
    for (const [at, next] of steps.entries()) {
      const jobs = at % 2 === 0 ? one.jobs : other.jobs
      const expected = await seenAfter(file, id, next, run)
      expect(await seenAfter(jobs, id, next, run)).toEqual(expected)
      const tally = tallyOf(expected.rows)
      expect(expected.job).toMatchObject({
        counts: tally.counts,
        attention: tally.attention,
        points: { total: tally.pointsTotal, confirmed: tally.pointsConfirmed },
      })
    }
  })
}

let file: StoreUnderTest
let database: StoreUnderTest
beforeAll(async () => {
  file = await twoStores(await newFile())
  database = await twoStores(await newDatabase())
})
afterAll(async () => {
  await file.close()
  await database.close()
})

test("PostgreSQL and a file do the same with rows, whatever is asked", async () => {
  const same = sameAs(file.one.jobs, database)
  await expect(fc.assert(same, { numRuns: 50 })).resolves.toBeUndefined()
})
