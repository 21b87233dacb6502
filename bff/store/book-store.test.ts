import { describeBookStore } from "../../tests/store/book-suite.ts"
import { twoStores, testPlaces } from "../../tests/support/test-stores.ts"

const { newFile, newDatabase } = testPlaces()

describeBookStore("a file", async () => twoStores(await newFile()))
describeBookStore("PostgreSQL", async () => twoStores(await newDatabase()))
