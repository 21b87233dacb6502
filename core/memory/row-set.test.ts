import fc from "fast-check"
import { expect, test } from "vitest"
import { EndedRows } from "./ended-rows.ts"
import { RowSet } from "./row-set.ts"

const row = fc.integer({ min: 0, max: 700 })

test("a set of rows holds what was added and not taken out, in order", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(row, fc.boolean())), row, (steps, from) => {
      const set = new RowSet()
      const model = new Set<number>()
      for (const [one, adds] of steps) {
        set[adds ? "add" : "delete"](one)
        model[adds ? "add" : "delete"](one)
      }
      const inOrder = [...model].toSorted((one, other) => one - other)
      expect([...set]).toEqual(inOrder)
      expect(set.next(from)).toBe(inOrder.find((one) => one > from))
    }),
  )
})

test("ended rows are counted from a time on and come latest first", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.boolean())), fc.nat(10), (steps, since) => {
      const ended = new EndedRows()
      const model = new Map<number, number>()
      for (const [at, row, ends] of steps) {
        const before = model.get(row)
        if (before !== undefined) ended.delete(before, row)
        model.delete(row)
        if (ends) {
          ended.add(at, row)
          model.set(row, at)
        }
      }
      const ends = [...model].map(([row, at]) => ({ row, at }))
      expect(ended.countSince(since)).toBe(ends.filter(({ at }) => at >= since).length)
      const later = ends.filter(({ at }) => at > since).toSorted((a, b) => b.at - a.at || b.row - a.row)
      expect([...ended.latestAfter(since)]).toEqual(later.map(({ row }) => row))
    }),
  )
})
