import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { BookEntry } from "../copy/copy-store.ts"
import { memberMonth, type MemberMonth, shapeOf } from "./member-book.ts"
import { monthsBetween } from "./months.ts"

const months = monthsBetween("2026-08", "2026-11", "Australia/Brisbane")
const [begin, end] = [months[0]?.from ?? 0, months.at(-1)?.to ?? 0]

/** A ledger that begins with some points; times are those of the entries, in their order. */
function ledgerOf(before: number, moves: readonly { readonly points: number; readonly at: number }[]) {
  let balance = before
  const entries = moves
    .toSorted((one, other) => one.at - other.at)
    .map(({ points, at }, n): BookEntry => {
      balance += points
      const texts = { type: "award", reason: "", reference: "", tag: "" }
      return { id: `t${n}`, n, points, balance_after: balance, created_at: at, ...texts }
    })
  return { entries, balance }
}

const moves = fc.array(
  fc.record({
    points: fc.integer({ min: -50, max: 50 }),
    at: fc.integer({ min: begin - 1e9, max: end - 1 }),
  }),
  { maxLength: 20 },
)

function closingOf({ opening, inside, broughtIn, late, unexplained, deleted }: MemberMonth): number {
  const sum = inside.reduce((total, { points }) => total + (points ?? 0), 0)
  return opening + sum + broughtIn + late.points + unexplained - (deleted ?? 0)
}

describe("a member's months", () => {
  it("add up, each begins with the closing before, and the last one ends with the balance", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99 }),
        moves,
        fc.integer({ min: -9, max: 9 }),
        (before, some, extra) => {
          const { entries, balance } = ledgerOf(before, some)
          const shape = shapeOf(entries, balance + extra, begin)
          const unexplained = shape.difference === 0 ? [] : [{ month: "2026-10", points: shape.difference }]
          const parts = months.flatMap(
            (month) => memberMonth(month, { entries, shape, unexplained }, undefined) ?? [],
          )
          expect(parts.map(closingOf)).toEqual(parts.map(({ closing }) => closing))
          expect(parts.slice(1).map(({ opening }) => opening)).toEqual(
            parts.slice(0, -1).map(({ closing }) => closing),
          )
          expect(parts.at(-1)?.closing).toBe(balance + extra)
        },
      ),
    )
  })

  it("have what came after a closed month as late, whatever it was", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99 }), moves, moves, (before, some, more) => {
        const [, , october, november] = months
        if (october === undefined || november === undefined) throw new Error("no month")
        const then = ledgerOf(before, some)
        const closed = memberMonth(
          october,
          { entries: then.entries, shape: shapeOf(then.entries, then.balance, begin), unexplained: [] },
          undefined,
        )
        const now = ledgerOf(before, [...some, ...more])
        const shape = shapeOf(now.entries, now.balance, begin)
        const part = memberMonth(november, { entries: now.entries, shape, unexplained: [] }, [
          closed?.closing ?? 0,
          closed?.count ?? 0,
        ])
        if (part === undefined) throw new Error("no part")
        expect(part.opening).toBe(closed?.closing)
        expect(closingOf(part)).toBe(now.balance)
        expect(part.late.entries).toBe(more.filter(({ at }) => at < november.from).length)
      }),
    )
  })

  it("end without the last balance of a member who was deleted, and later ones have none of it", () => {
    const { entries, balance } = ledgerOf(0, [{ points: 40, at: begin + 1 }])
    const ledger = {
      entries,
      shape: shapeOf(entries, balance, begin),
      unexplained: [],
      leftAt: (months[1]?.from ?? 0) + 1,
    }
    const parts = months.map((month) => memberMonth(month, ledger, undefined))
    expect(parts.map((part) => part && [part.opening, part.deleted, part.closing])).toEqual([
      [0, undefined, 40],
      [40, 40, 0],
      undefined,
      undefined,
    ])
    // Without any entry in the copy, the closed month has what left.
    const [, , october] = months
    expect(october && memberMonth(october, { ...ledger, leftAt: begin }, [40, 1])).toMatchObject({
      opening: 40,
      deleted: 40,
      closing: 0,
    })
  })
})

describe("the shape of a ledger", () => {
  it("names a gap in the chain at the entry that follows it", () => {
    const { entries, balance } = ledgerOf(0, [
      { points: 10, at: 1 },
      { points: 5, at: 2 },
      { points: 5, at: 3 },
    ])
    const lacking = entries.filter(({ id }) => id !== "t1")
    expect(shapeOf(lacking, balance, 0)).toEqual({
      broughtIn: 0,
      broughtInAt: 1,
      gaps: [{ points: 5, at: 3 }],
      difference: 5,
    })
  })

  it("has the whole balance brought in without entries, and what is left where entries have no balances", () => {
    expect(shapeOf([], 70, 9)).toEqual({ broughtIn: 70, broughtInAt: 9, gaps: [], difference: 0 })
    const bare = { points: 5, balance_after: null, created_at: 3 }
    expect(shapeOf([bare], 70, 9)).toEqual({ broughtIn: 65, broughtInAt: 3, gaps: [], difference: 0 })
    expect(shapeOf([bare], null, 9)).toMatchObject({ broughtIn: 0, difference: 0 })
  })
})
