import { describeJobStore } from "../../tests/store/job-suite.ts"
import { twoStores, testPlaces } from "../../tests/support/test-stores.ts"

const { newFile, newDatabase } = testPlaces()

describeJobStore("a file", async () => twoStores(await newFile()))
describeJobStore("PostgreSQL", async () => twoStores(await newDatabase()))
