import { sql } from "kysely"
import { describe, expect, test } from "vitest"
import type { Engine } from "./engine.ts"
import { make, sampleRow, sampleRows } from "../../tests/store/job-samples.ts"
import { sqlStore } from "./sql-store.ts"
import { openTwice, testPlaces } from "../../tests/support/test-stores.ts"

const { newFile, newDatabase } = testPlaces()

/** A job and a reversal of its first row, with an ordinal and a claim, ready to be broken. */
async function filled(engine: Engine): Promise<void> {
  const { jobs } = sqlStore(engine)
  const request = { key: "once", bodyHash: "h" }
  const { id } = await make(jobs, sampleRows(2, { memberId: "mem_1" }), { request })
  await jobs.assignOrdinals(id)
  await jobs.changeRows(id, [{ row: 1, from: ["planned"], set: {}, claim: { scope: "s", key: "k" } }])
  const reverses = { job: id, row: 1 }
  await make(jobs, [sampleRow({ reverses }), sampleRow()], { kind: "deduct", reverses: id })
}

// Each violates one rule directly in the database, which has to refuse it.
const breaches = [
  ["a batch code", sql`update job set batch_code = 'TAKEN'`],
  ["a user's request", sql`update job set request_key = 'once', request_by = 'priya'`],
  ["a claim", sql`insert into job_claim (scope, key, job, row) values ('s', 'k', 1002, 1)`],
  ["an ordinal of a member in a job", sql`update job_row set ordinal = 1 where job = 1001`],
  ["a reversed row", sql`update job_row set reverses_job = 1001, reverses_row = 1 where job = 1002`],
  ["a row's number", sql`update job_row set row = 1 where job = 1001`],
] as const

describe.each([
  ["a file", newFile],
  ["PostgreSQL", newDatabase],
])("the database in %s keeps", (_name, newPlace) => {
  test.each(breaches)("%s unique as a constraint", async (_what, breach) => {
    const [one, other] = await openTwice(await newPlace())
    await filled(one)
    await expect(breach.execute(one.db)).rejects.toThrow(/unique/i)
    await one.close()
    await other.close()
  })
})
