import { describeCardStore } from "../../tests/store/card-suite.ts"
import { twoStores, testPlaces } from "../../tests/support/test-stores.ts"

const { newFile, newDatabase } = testPlaces()

describeCardStore("a file", async () => twoStores(await newFile()))
describeCardStore("PostgreSQL", async () => twoStores(await newDatabase()))
