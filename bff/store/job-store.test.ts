import { realClock } from "../../core/runtime.ts"
import { createMemoryStore } from "../../core/store-memory.ts"
import { describeJobStore } from "../../tests/store/job-suite.ts"
import { twoStores, testPlaces } from "../../tests/support/test-stores.ts"

const { newFile, newDatabase } = testPlaces()

describeJobStore("memory", async () => {
  const store = createMemoryStore(realClock)
  return { one: store, other: store, close: () => store.close() }
})
describeJobStore("a file", async () => twoStores(await newFile()))
describeJobStore("PostgreSQL", async () => twoStores(await newDatabase()))
