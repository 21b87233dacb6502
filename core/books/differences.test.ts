import { describe, expect, it } from "vitest"
import type { BookEntry } from "../copy/copy-store.ts"
import type { DifferenceRecord } from "./book-store.ts"
import { judgeLook, lookApart } from "./differences.ts"

const hour = 3_600_000
const entry = (id: string, points: number, balance_after: number, created_at: number): BookEntry => ({
  id,
  n: created_at,
  points,
  balance_after,
  created_at,
  type: points < 0 ? "redeem" : "award",
  reason: "",
  reference: "",
  tag: "",
})
const entries = [entry("t1", 50, 50, 1), entry("t2", 20, 70, 2)]
const monthOf = (at: number) => (at < hour ? "2026-10" : "2026-11")

/** Looks one after the other; returns what is not resolved after them. */
function judgeAll(
  ...each: readonly (Partial<Pick<Parameters<typeof judgeLook>[0], "lacking" | "redemptions">> & {
    readonly at: number
    readonly balance: number
    readonly pending?: number
    readonly of?: typeof entries
  })[]
): DifferenceRecord[] {
  let known: DifferenceRecord[] = []
  for (const { at, balance, pending = 0, lacking = [], redemptions = [], of = entries } of each) {
    const look = { balance, pending, entries: of }
    const changes = judgeLook({
      memberId: "mem_1",
      look,
      now: at,
      apartMs: lookApart(0),
      known,
      lacking,
      redemptions,
      monthOf,
    })
    const ids = new Set(changes.map(({ id }) => id))
    known = [...known.filter(({ id }) => !ids.has(id)), ...changes].filter((one) => one.resolvedAt === null)
  }
  return known
}
const short = (some: readonly DifferenceRecord[]) =>
  some.map((one) => [one.class, one.points, one.secondAt !== null])

describe("a difference", () => {
  it("counts when a look half an hour later shows the same one", () => {
    expect(short(judgeAll({ at: 0, balance: 81 }))).toEqual([["unexplained", 11, false]])
    expect(short(judgeAll({ at: 0, balance: 81 }, { at: hour / 4, balance: 81 }))).toEqual([
      ["unexplained", 11, false],
    ])
    expect(short(judgeAll({ at: 0, balance: 81 }, { at: hour / 2, balance: 81 }))).toEqual([
      ["unexplained", 11, true],
    ])
  })

  it("waits twice the lag of the history if that is longer", () => {
    expect(lookApart(0)).toBe(hour / 2)
    expect(lookApart(hour)).toBe(2 * hour)
  })

  it("starts again when another look shows another one, and is resolved when none shows it", () => {
    expect(short(judgeAll({ at: 0, balance: 81 }, { at: hour, balance: 85 }))).toEqual([
      ["unexplained", 15, false],
    ])
    expect(
      judgeAll({ at: 0, balance: 81 }, { at: hour, balance: 81 }, { at: 2 * hour, balance: 70 }),
    ).toEqual([])
  })

  it("that comes on top of one that counts is another one", () => {
    const found = judgeAll({ at: 0, balance: 81 }, { at: hour, balance: 81 }, { at: 2 * hour, balance: 83 })
    expect(short(found)).toEqual([
      ["unexplained", 11, true],
      ["unexplained", 2, false],
    ])
    expect(found.map(({ month }) => month)).toEqual(["2026-10", "2026-11"])
  })

  it("equal to the pending points is awaiting approval, whatever its sign", () => {
    expect(short(judgeAll({ at: 0, balance: 81, pending: 11 }))).toEqual([["awaiting", 11, true]])
    expect(short(judgeAll({ at: 0, balance: 59, pending: 11 }))).toEqual([["awaiting", 11, true]])
    expect(judgeAll({ at: 0, balance: 70, pending: 11 }, { at: hour, balance: 70 })).toEqual([])
  })

  it("between two entries is dated by the one that follows it", () => {
    const of = [entry("t1", 50, 50, 1), entry("t2", 20, 75, 2 * hour)]
    const [found] = judgeAll({ at: 3 * hour, balance: 75, of })
    expect(found).toMatchObject({ points: 5, month: "2026-11" })
  })
})

describe("a row of ours that the ledger lacks", () => {
  const row = { job: "J-1001", row: 3, points: 40, transaction: "t9", at: 5 }

  it("is missing at the second look, and resolved when the ledger has it", () => {
    const lacking = [row]
    expect(short(judgeAll({ at: 0, balance: 70, lacking }))).toEqual([["missing", 40, false]])
    const found = judgeAll({ at: 0, balance: 70, lacking }, { at: hour, balance: 70, lacking })
    expect(short(found)).toEqual([["missing", 40, true]])
    expect(found[0]?.detail).toEqual({ transaction: "t9", row: { job: "J-1001", row: 3 } })
    expect(judgeAll({ at: 0, balance: 70, lacking }, { at: hour, balance: 70 })).toEqual([])
    const of = [...entries, entry("t9", 40, 110, 9)]
    expect(judgeAll({ at: 0, balance: 70, lacking }, { at: hour, balance: 110, lacking, of })).toEqual([])
  })

  it("is not missing while as many points await approval", () => {
    const both = [row, { ...row, row: 4, transaction: "t10", points: 30 }]
    expect(short(judgeAll({ at: 0, balance: 70, pending: 40, lacking: both }))).toEqual([
      ["missing", 30, false],
      ["awaiting", 40, true],
    ])
  })
})

describe("a redemption of ours", () => {
  const at = hour
  const order = { job: "J-1002", row: 1, memberId: "mem_1", order: "ord_9", points: 30, from: at, to: at }
  const redemptions = [order]
  const look = { balance: 70, redemptions }

  it("that the ledger lacks is missing at the second look, with its order, and resolved by an entry", () => {
    const first = { at: 2 * hour, ...look }
    expect(short(judgeAll(first))).toEqual([["missing", -30, false]])
    const found = judgeAll(first, { at: 3 * hour, ...look })
    expect(found).toMatchObject([
      { class: "missing", points: -30, detail: { order: "ord_9", row: { job: "J-1002", row: 1 } } },
    ])
    expect(short(found)).toEqual([["missing", -30, true]])
    const of = [...entries, entry("t3", -30, 40, at)]
    expect(judgeAll(first, { at: 3 * hour, balance: 40, redemptions, of })).toEqual([])
  })

  it("is not looked for within half an hour, nor where its points are not known", () => {
    expect(judgeAll({ at: at + hour / 4, ...look })).toEqual([])
    expect(judgeAll({ at: 2 * hour, balance: 70, redemptions: [{ ...order, points: null }] })).toEqual([])
  })
})
