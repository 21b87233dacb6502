import { expect, test } from "vitest"
import { createBulkSize } from "./run.ts"

test("the first request is small and goes alone; quick answers double it, up to the most", () => {
  const bulk = createBulkSize(100)
  expect(bulk.next()).toBe(25)
  bulk.sent()
  expect(bulk.next()).toBe(0)
  const sizes = [1, 2, 3].map(() => {
    bulk.answered(200, 12_000)
    return bulk.next()
  })
  expect(sizes).toEqual([50, 100, 100])
})

test("a slow answer does not grow it, an unknown one halves it", () => {
  const bulk = createBulkSize(100)
  bulk.sent()
  bulk.answered(5000, 12_000)
  expect(bulk.next()).toBe(25)
  bulk.sent()
  bulk.unknown()
  expect(bulk.next()).toBe(12)
})

test("a refused size is halved and not reached again", () => {
  const bulk = createBulkSize(100)
  bulk.sent()
  bulk.answered(1, 12_000)
  bulk.answered(1, 12_000)
  expect(bulk.refused(100)).toBe(50)
  bulk.answered(1, 12_000)
  expect(bulk.next()).toBe(50)
})
