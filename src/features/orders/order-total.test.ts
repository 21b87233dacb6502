import { expect, test } from "vitest"
import { knownTotal, type ReadPage } from "./order-total.ts"

const page = (number: number, rows: number, perPage = 25, kept = rows): ReadPage => ({
  page: number,
  perPage,
  rows,
  kept,
})

test("a full page says at least so many, a short one says how many", () => {
  expect(knownTotal([page(1, 25)], false)).toEqual({ count: 25, exact: false })
  expect(knownTotal([page(1, 25), page(8, 25)], false)).toEqual({ count: 200, exact: false })
  expect(knownTotal([page(1, 25), page(9, 3)], false)).toEqual({ count: 203, exact: true })
  expect(knownTotal([page(1, 0)], false)).toEqual({ count: 0, exact: true })
  expect(knownTotal([], false)).toBeUndefined()
})

test("an empty page is an end only where the page before it was full", () => {
  expect(knownTotal([page(2, 25), page(3, 0)], false)).toEqual({ count: 50, exact: true })
  expect(knownTotal([page(1, 25), page(9, 0)], false)).toEqual({ count: 25, exact: false })
})

test("where days are filtered again, only rows that were seen count", () => {
  expect(knownTotal([page(1, 25, 25, 20)], true)).toEqual({ count: 20, exact: false })
  expect(knownTotal([page(1, 25, 25, 20), page(2, 4, 25, 3)], true)).toEqual({ count: 23, exact: true })
  // The pages between were not read.
  expect(knownTotal([page(1, 25, 25, 20), page(9, 4, 25, 3)], true)).toEqual({ count: 23, exact: false })
})
