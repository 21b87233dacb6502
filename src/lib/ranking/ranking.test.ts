import { expect, test } from "vitest"
import { readRanking } from "./ranking.ts"

const standings = (rows: readonly unknown[]) => readRanking(rows, undefined).standings

test("rows stand in the order of their ranks, those without one last, and ties say so", () => {
  const read = standings([
    { rank: 3, name: "C", points: 10 },
    { rank: null, name: "D", points: 40 },
    { rank: 1, name: "A", points: 30 },
    { rank: 1, name: "B", points: 30 },
  ])
  expect(read.ranks).toBe("some")
  expect(read.rows.map(({ name, rank, tied, leads, gap }) => [name, rank, tied, leads, gap])).toEqual([
    ["A", 1, true, true, null],
    ["B", 1, true, true, null],
    ["C", 3, false, false, -20],
    ["D", null, false, false, 30],
  ])
})

test("without ranks rows are numbered as they came, and equal neighbours share a place", () => {
  const read = standings([
    { name: "A", points: 30 },
    { name: "B", points: 20 },
    { name: "C", points: 20 },
    { name: "D", points: 10 },
  ])
  expect(read).toMatchObject({ ranks: "none", leader: "highest" })
  expect(read.rows.map(({ rank }) => rank)).toEqual([1, 2, 2, 4])
})

test("the lowest score leads where the ranks say so; bars still begin at nothing", () => {
  const read = standings([
    { rank: 1, name: "A", time: 60 },
    { rank: 2, name: "B", time: 75.5 },
  ])
  expect(read.leader).toBe("lowest")
  expect(read.rows.map(({ gap }) => gap)).toEqual([null, 15.5])
  expect(read.rows[1]?.share).toBe(1)
})

test("numbers too large to be exact are shown as sent and make no gap; fractions make no noise", () => {
  const read = standings([
    { rank: 1, name: "A", score: "123456789012345678901" },
    { rank: 2, name: "B", score: "5" },
  ])
  expect(read.rows.map(({ sentScore, gap }) => [sentScore, gap])).toEqual([
    ["123456789012345678901", null],
    ["5", null],
  ])
  expect(
    standings([
      { rank: 1, name: "A", score: 0.3 },
      { rank: 2, name: "B", score: 0.1 },
    ]).rows[1]?.gap,
  ).toBe(-0.2)
})

test("negative scores have no bar", () => {
  const read = standings([
    { rank: 1, name: "A", score: -5 },
    { rank: 2, name: "B", score: -8 },
  ])
  expect(read.rows.map(({ share, gap }) => [share, gap])).toEqual([
    [0, null],
    [0, -3],
  ])
})

test("rows inside a record, and under their keys, are found", () => {
  expect(standings([]).rows).toEqual([])
  const inside = readRanking({ total: 2, data: { entries: [{ rank: 1, name: "A" }] } }, undefined)
  expect(inside.standings.rows[0]).toMatchObject({ rank: 1, name: "A" })
  const keyed = readRanking({ "1": { name: "A", points: 5 }, "2": { name: "B", points: 4 } }, undefined)
  expect(keyed.standings.rows.map(({ rank, name }) => [rank, name])).toEqual([
    [1, "A"],
    [2, "B"],
  ])
})
