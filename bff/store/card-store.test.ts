import { realClock } from "../../core/runtime.ts"
import { createMemoryStore } from "../../core/store-memory.ts"
import { describeCardStore } from "../../tests/store/card-suite.ts"
import { twoStores, testPlaces } from "../../tests/support/test-stores.ts"

const { newFile, newDatabase } = testPlaces()

describeCardStore("memory", async () => {
  const store = createMemoryStore(realClock)
  return { one: store, other: store, close: () => store.close() }
})
describeCardStore("a file", async () => twoStores(await newFile()))
describeCardStore("PostgreSQL", async () => twoStores(await newDatabase()))
