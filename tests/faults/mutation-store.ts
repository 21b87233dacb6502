import { describe } from "vitest"
import { describeJobRows } from "../store/job-rows-suite.ts"
import { createFakeClock } from "../support/fake-clock.ts"
import { createMemoryStore } from "../support/memory-store.ts"

// The suites of rows over a store in memory: fast enough for mutation testing. `bff/store/job-store.test.ts` runs them
// over a file and PostgreSQL.

describe("jobs in memory", () => {
  const store = createMemoryStore(createFakeClock())
  describeJobRows(() => ({ one: store.jobs, other: store.jobs }))
})
