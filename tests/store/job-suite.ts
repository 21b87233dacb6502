import { afterAll, beforeAll, describe } from "vitest"
import { describeJobList } from "./job-list-suite.ts"
import { describeJobMaking } from "./job-making-suite.ts"
import { describeJobRows } from "./job-rows-suite.ts"
import { describeJobTimes } from "./job-times-suite.ts"
import { describeRestores } from "./restore-suite.ts"
import { describeSameRows } from "./same-rows-suite.ts"
import type { StoreUnderTest } from "./store-suite.ts"

/** The job tests of every store, with two instances on the same data. */
export function describeJobStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`jobs in ${name}`, () => {
    let stores: StoreUnderTest
    beforeAll(async () => {
      stores = await open()
    })
    afterAll(() => stores.close())

    const jobs = () => ({ one: stores.one.jobs, other: stores.other.jobs })
    describeJobMaking(jobs)
    describeJobList(jobs)
    describeJobRows(jobs)
    describeSameRows(jobs)
    describeJobTimes(() => stores)
    describeRestores(() => stores)
  })
}
