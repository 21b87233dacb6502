import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Transaction } from "../../../../contract/program/points.ts"
import { balanceLine, cutLine, lineEnd } from "./running-balance.tsx"

/** The balance at a time; undefined before the first step. */
const balanceAt = ({ steps }: Pick<ReturnType<typeof balanceLine>, "steps">, at: number) =>
  steps.findLast((step) => step.at <= at)?.points

const start = Date.UTC(2026, 0, 1)
const now = Date.UTC(2026, 10, 21)

/** A ledger as a service sends it, newest first: each row's balance follows from the one before. */
const ledger = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 0, max: 86_400_000 * 20 }),
      points: fc.integer({ min: -900, max: 900 }),
    }),
    {
      maxLength: 40,
    },
  )
  .map((moves) => {
    let at = start
    let balance = 0
    const rows = moves.map((move, index): Transaction => {
      at = Math.min(now, at + move.gap)
      balance += move.points
      return {
        transaction_id: `t${index}`,
        points: move.points,
        balance_after: balance,
        created_at: new Date(at).toISOString(),
      }
    })
    return rows.toReversed()
  })

describe("running balance", () => {
  it("at any time is the balance after the last row up to it", () => {
    fc.assert(
      fc.property(ledger, fc.integer({ min: start, max: now }), (rows, at) => {
        const last = rows.find((row) => Date.parse(row.created_at ?? "") <= at)
        expect(balanceAt(balanceLine(rows), at)).toBe(last?.balance_after ?? undefined)
      }),
    )
  })

  it("does not depend on the order of rows with different times", () => {
    fc.assert(
      fc.property(ledger, (rows) => {
        const distinct = rows.filter(
          (row, index) => rows.findIndex((other) => other.created_at === row.created_at) === index,
        )
        expect(balanceLine(distinct.toReversed())).toEqual(balanceLine(distinct))
      }),
    )
  })

  it("cut to a range has the same values, and extends to now", () => {
    fc.assert(
      fc.property(
        ledger,
        fc.integer({ min: start, max: now }),
        fc.integer({ min: start, max: now }),
        (rows, from, at) => {
          fc.pre(rows.length > 0 && at >= from)
          const line = balanceLine(rows)
          const cut = cutLine(line, from, now)
          expect(balanceAt({ steps: cut }, at)).toBe(balanceAt(line, at))
          expect(cut.at(-1)?.at).toBe(now)
          expect(cut.every((step, index) => index === 0 || step.at > (cut.at(index - 1)?.at ?? NaN))).toBe(
            true,
          )
        },
      ),
    )
  })

  it("extends to when the rows were read, or to a later row dated by a faster clock", () => {
    const line = balanceLine([
      { transaction_id: "a", balance_after: 5, created_at: new Date(now).toISOString() },
    ])
    expect(lineEnd(line, now + 5000)).toBe(now + 5000)
    expect(lineEnd(line, now - 5000)).toBe(now)
    expect(lineEnd(line, now - 86_400_000)).toBe(now - 86_400_000)
  })

  it("leaves out rows without a balance or a time, and counts them", () => {
    const line = balanceLine([
      { transaction_id: "a", balance_after: null, created_at: "2026-03-01T00:00:00Z" },
      { transaction_id: "b", balance_after: 5, created_at: "yesterday" },
      { transaction_id: "c", new_balance: 7, created_at: "2026-02-01T00:00:00Z" },
    ])
    expect(line).toEqual({ steps: [{ at: Date.UTC(2026, 1, 1), points: 7 }], leftOut: 2 })
  })
})
