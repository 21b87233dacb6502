import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { BookDay } from "../../core/books/book-store.ts"
import type { StoreUnderTest } from "./store-suite.ts"

const day: BookDay = {
  day: "2026-11-29",
  at: 5,
  members: 3,
  points: 700.5,
  withoutBalance: 1,
  ledgersRead: 2,
}

/** The tests of every store of the books. */
export function describeBookStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`the books in ${name}`, () => {
    let stores: StoreUnderTest
    beforeAll(async () => {
      stores = await open()
    })
    afterAll(() => stores.close())

    test("keep the first row of each day, in order", async () => {
      const [one, other] = [stores.one.books, stores.other.books]
      await one.addDay({ ...day, day: "2026-11-30" })
      await one.addDay(day)
      await other.addDay({ ...day, points: 1 })
      expect(await other.days("2026-11-29", "2026-11-29")).toEqual([day])
      expect(await one.days("2026-11-01", "2026-11-30")).toEqual([day, { ...day, day: "2026-11-30" }])
    })
  })
}
