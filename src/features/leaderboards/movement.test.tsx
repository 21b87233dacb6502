import * as fc from "fast-check"
import { beforeEach, describe, expect, test } from "vitest"
import { readRanking } from "../../api/leaderboards.ts"
import { showTimesIn } from "../../lib/time.ts"
import { boardLines } from "./board-chart.tsx"
import { getMovement, type PastBoard, pastBoards } from "./board-view.tsx"

const zone = "Australia/Brisbane"
const today = "2026-11-24"
// Every test starts in the machine's time zone.
beforeEach(() => showTimesIn(zone))

const roles = { rank: "rank", member: "id", name: ["name"], note: null, score: "points" }
const rowsOf = (names: readonly string[], ids = true) =>
  names.map((name, at) => ({ rank: at + 1, name, points: 100 - at, ...(ids && { id: `id ${name}` }) }))
const places = (names: readonly string[], ids = true) => readRanking(rowsOf(names, ids), undefined).places
/** A board at a time in Brisbane. */
const board = (at: string, names: readonly string[], { complete = true, ids = true } = {}): PastBoard => ({
  at: Date.parse(`${at}+10:00`),
  complete,
  places: places(names, ids),
})
const moves = (past: readonly PastBoard[], names: readonly string[], ids = true) => {
  const now = places(names, ids)
  const { day, week, note } = getMovement(past, now, today, zone)
  return { day: now.map(day.of), week: now.map(week.of), labels: [day.label, week.label], note }
}

describe("movement", () => {
  test("compares with the newest board before today and before a week ago", () => {
    const past = [
      board("2026-11-17T23:00:00", ["Cy", "Ana", "Bo"]),
      board("2026-11-23T08:00:00", ["Cy", "Bo", "Ana"]),
      board("2026-11-23T23:59:00", ["Bo", "Ana", "Cy"]),
      board("2026-11-24T00:01:00", ["Cy", "Ana", "Bo"]),
    ]
    expect(moves(past, ["Ana", "Bo", "Cy"])).toEqual({
      day: [1, -1, 0],
      week: [1, 1, -2],
      labels: ["Since yesterday", "Since last week"],
      note: "",
    })
  })

  test("names the day when no board was read the day before", () => {
    const past = [board("2026-11-14T10:00:00", ["Ana"]), board("2026-11-20T10:00:00", ["Ana"])]
    expect(moves(past, ["Ana"]).labels).toEqual(["Since 20 Nov", "Since 14 Nov"])
  })

  test("shows from when it is available while there is nothing to compare with", () => {
    expect(moves([board("2026-11-24T08:00:00", ["Ana"])], ["Ana"])).toMatchObject({
      day: [null],
      note: "Movement shows from tomorrow, when there is a day to compare with.",
    })
    expect(moves([board("2026-11-21T08:00:00", ["Ana"])], ["Ana"])).toMatchObject({
      day: [0],
      week: [null],
      note: "",
    })
  })

  test("marks a place as new only if the earlier board would have included it", () => {
    const past = (complete: boolean) => [board("2026-11-23T08:00:00", ["Ana", "Bo"], { complete })]
    expect(moves(past(true), ["Cy", "Ana", "Dee"]).day).toEqual(["new", -1, "new"])
    expect(moves(past(false), ["Cy", "Ana", "Dee"]).day).toEqual(["new", -1, null])
  })

  test("does not confuse members with the same name", () => {
    const twins = [board("2026-11-23T08:00:00", ["Ana", "Ana", "Bo"], { ids: false })]
    expect(moves(twins, ["Bo", "Ana"], false).day).toEqual([2, null])
    const one = [board("2026-11-23T08:00:00", ["Bo", "Ana"], { ids: false })]
    expect(moves(one, ["Ana", "Ana", "Bo"], false).day).toEqual([null, null, -2])
  })

  test("of a complete board sums to zero, whatever the changes", () => {
    const names = fc.shuffledSubarray(["Ana", "Bo", "Cy", "Dee", "Eve", "Flo"], { minLength: 6 })
    fc.assert(
      fc.property(names, names, (before, after) => {
        const { day } = moves([board("2026-11-23T08:00:00", before)], after)
        expect(day.reduce<number>((sum, move) => sum + Number(move), 0)).toBe(0)
      }),
    )
  })
})

test("reads the history with the current columns, and skips unreadable boards", () => {
  const history = {
    first_at: null,
    snapshots: [
      { at: "2026-11-20T00:00:00Z", places: 2, complete: true, sent: rowsOf(["Ana", "Bo"]) },
      { at: "2026-11-21T00:00:00Z", places: 1, complete: true, sent: [["closed"]] },
    ],
  }
  const past = pastBoards(history, roles)
  expect(past.map((each) => each.places.map(({ name }) => name))).toEqual([["Ana", "Bo"]])
})

test("draws a line for each leader, with gaps where they were not on the board", () => {
  const past = [board("2026-11-22T08:00:00", ["Bo", "Cy"]), board("2026-11-23T08:00:00", ["Bo", "Ana"])]
  const leaders = places(["Ana", "Bo"])
  expect(boardLines(past, leaders, "rank")).toEqual([
    { at: past[0]?.at, p0: null, p1: 1 },
    { at: past[1]?.at, p0: 2, p1: 1 },
  ])
  expect(boardLines(past, leaders, "score")[1]).toMatchObject({ p0: 99, p1: 100 })
})
