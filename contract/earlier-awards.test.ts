import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compareRows, differences, type EarlierRows } from "./earlier-awards.ts"

const earlier = (changes: Partial<EarlierRows> = {}) => ({
  key: "mem_1 100",
  count: 0,
  job: null,
  row: null,
  state: null,
  ...changes,
})
const awarded = (net: number, amounts: readonly number[] = [net], sure = true) =>
  earlier({
    awarded: { key: "mem_1 INV-1", net, sure, amounts: [...amounts], job: "J-7", row: 2, state: "confirmed" },
  })
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

describe("rows for a reference that was awarded before", () => {
  it("of the same amount repeat it, of another amount differ by the rest, up or down", () => {
    const kinds = (points: number, net: number) =>
      compareRows([{ points, earlier: awarded(net) }]).map((found) =>
        found?.kind === "other_amount" ? found.difference : found?.kind,
      )
    expect([kinds(100, 100), kinds(150, 100), kinds(80, 100), kinds(10, -20)]).toEqual([
      ["repeat"],
      [50],
      [-20],
      [30],
    ])
  })

  it("have no known difference while the earlier award is not confirmed", () => {
    expect(compareRows([{ points: 150, earlier: awarded(100, [100], false) }])).toMatchObject([
      { kind: "other_amount", net: 100, sure: false, difference: null },
    ])
  })

  it("are compared together: lines that were awarded repeat, the others share the rest", () => {
    expect(differences([100, 50], { net: 150, amounts: [100, 50] })).toEqual([null, null])
    expect(differences([100, 50, 30], { net: 150, amounts: [100, 50] })).toEqual([null, null, 30])
    expect(differences([60, 70], { net: 100, amounts: [100] })).toEqual([0, 30])
    expect(differences([100], { net: 150, amounts: [100, 50] })).toEqual([-50])
  })

  it("come to what the file says once every difference is carried out, and then repeat", () => {
    const amount = fc.integer({ min: 1, max: 1000 })
    const amounts = fc.array(amount, { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(amounts, amounts, (points, before) => {
        const net = sum(before)
        const found = differences(points, { net, amounts: before })
        const after = net + sum(found.map((each) => each ?? 0))
        expect(after).toBe(sum(points))
        expect(differences(points, { net: after, amounts: [] })).toEqual(points.map(() => null))
        // Awards and deductions of one reference never go out together.
        const moved = found.map((each) => each ?? 0)
        expect(moved.some((each) => each > 0) && moved.some((each) => each < 0)).toBe(false)
      }),
    )
  })
})

describe("rows without a reference", () => {
  const same = earlier({ count: 1, job: "J-7", row: 2, state: "confirmed" })

  it("repeat as many earlier ones as there are, the lowest rank first", () => {
    const rows = [
      { points: 100, earlier: same, rank: 2 },
      { points: 100, earlier: same, rank: 1 },
    ]
    expect(compareRows(rows).map((found) => found?.kind)).toEqual([undefined, "repeat"])
  })

  it("with another amount for their reason are asked about, unless the same amount was awarded too", () => {
    const recent = { job: "J-7", row: 2, state: "confirmed", points: 90 } as const
    const found = compareRows([
      { points: 100, earlier: earlier({ recent }) },
      { points: 100, earlier: null },
      { points: 100, earlier: { ...same, recent } },
    ])
    expect(found.map((each) => each?.kind)).toEqual(["recent", undefined, "repeat"])
  })
})
