import { expect, test } from "vitest"
import { knownTotal, type ReadPage } from "./order-total.ts"

const page = (number: number, rows: number, perPage = 25, matching = rows): ReadPage => ({
  page: number,
  perPage,
  rows,
  matching,
})

test("a full page gives a minimum, a short page the exact number", () => {
  expect(knownTotal([page(1, 25)], false)).toEqual({ count: 25, exact: false })
  expect(knownTotal([page(1, 25), page(8, 25)], false)).toEqual({ count: 200, exact: false })
  expect(knownTotal([page(1, 25), page(9, 3)], false)).toEqual({ count: 203, exact: true })
  expect(knownTotal([page(1, 0)], false)).toEqual({ count: 0, exact: true })
  expect(knownTotal([], false)).toBeUndefined()
})

test("an empty page ends the list only after a full page", () => {
  expect(knownTotal([page(2, 25), page(3, 0)], false)).toEqual({ count: 50, exact: true })
  expect(knownTotal([page(1, 25), page(9, 0)], false)).toEqual({ count: 25, exact: false })
})

test("only loaded rows count when days are filtered locally", () => {
  expect(knownTotal([page(1, 25, 25, 20)], true)).toEqual({ count: 20, exact: false })
  expect(knownTotal([page(1, 25, 25, 20), page(2, 4, 25, 3)], true)).toEqual({ count: 23, exact: true })
  // The pages between were not read.
  expect(knownTotal([page(1, 25, 25, 20), page(9, 4, 25, 3)], true)).toEqual({ count: 23, exact: false })
})
