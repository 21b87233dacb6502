import { describe } from "vitest"
import { describeJobList } from "../store/job-list-suite.ts"
import { describeJobMaking } from "../store/job-making-suite.ts"
import { describeJobRows } from "../store/job-rows-suite.ts"
import { createFakeClock } from "../support/fake-clock.ts"
import { createMemoryStore } from "../support/memory-store.ts"

// Suites of jobs and rows over a store in memory: fast enough for mutation testing. `bff/store/job-store.test.ts` runs
// them over a file and PostgreSQL.

describe("jobs in memory", () => {
  const { jobs } = createMemoryStore(createFakeClock())
  const instances = () => ({ one: jobs, other: jobs })
  describeJobMaking(instances)
  describeJobList(instances)
  describeJobRows(instances)
})
