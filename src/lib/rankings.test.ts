import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parseExact } from "../../contract/exact-json.ts"
import { readBoards, readRanking } from "../api/leaderboards.ts"

const none = { rank: null, member: null, name: [], note: null, score: null }
const rolesOf = (row: object) => readRanking([row], undefined).roles
const placesOf = (rows: unknown, chosen?: Parameters<typeof readRanking>[1]) =>
  readRanking(rows, chosen).places

describe("columns", () => {
  test.each([
    [
      { rank: 1, name: "Ana", points: 5 },
      { rank: "rank", name: ["name"], score: "points" },
    ],
    [
      { Position: 1, DisplayName: "Ana", SCORE: 5 },
      { rank: "Position", name: ["DisplayName"], score: "SCORE" },
    ],
    [
      { place: 1, member: { id: "m", name: "Ana", company: "Co" }, totalPoints: 5 },
      {
        rank: "place",
        member: "member.id",
        name: ["member.name"],
        note: "member.company",
        score: "totalPoints",
      },
    ],
    [
      { first_name: "Ana", last_name: "Li", points: 5 },
      { name: ["first_name", "last_name"], score: "points" },
    ],
  ])("are found by exact names without case and punctuation: %j", (row, roles) => {
    expect(rolesOf(row)).toEqual({ ...none, ...roles })
  })

  test("with similar or foreign names are not guessed", () => {
    expect(rolesOf({ previous_rank: 1, team_name: "Ana", score_change: 5, Punkte: 5 })).toEqual(none)
  })

  test("that were chosen win over known names, and are not replaced when they are missing", () => {
    const chosen = { ...none, rank: "rank", name: ["name"], score: "installs" }
    expect(placesOf([{ rank: 1, name: "Ana", points: 5, installs: 9 }], chosen)[0]?.score).toBe(9)
    expect(placesOf([{ rank: 1, name: "Ana", points: 5 }], chosen)[0]).toMatchObject({
      name: "Ana",
      scoreText: "",
    })
  })
})

describe("scores", () => {
  const read = (points: unknown) => placesOf([{ name: "Ana", points }])[0]
  test.each([
    [1250, 1250, "1,250"],
    [-3.5, -3.5, "\u22123.5"],
    ["1,250", 1250, "1,250"],
    ["99.50", 99.5, "99.5"],
  ])("are numbers or English text: %j", (sent, score, scoreText) => {
    expect(read(sent)).toMatchObject({ score, scoreText })
  })

  test.each(["31.200", "1.250,5", "5 pts", "$5", "1e3", "9007199254740993"])(
    "are shown as sent: %s",
    (sent) => {
      expect(read(sent)).toMatchObject({ score: null, scoreText: sent, share: null, gap: null })
    },
  )

  test("beyond exact integers keep their digits", () => {
    expect(read(parseExact("[9007199254740993]"))?.scoreText).toBe("[9007199254740993]")
    expect(read((parseExact("[9007199254740993]") as unknown[])[0])?.scoreText).toBe("9007199254740993")
  })
})

describe("places", () => {
  test("keep the order sent, with gaps to the previous place and shares of the highest score", () => {
    const places = placesOf([
      { rank: 1, name: "Ana", points: 0.3 },
      { rank: 2, name: "Bo", points: 0.1 },
      { rank: null, name: "Cy", points: null },
    ])
    expect(places.map(({ rank, gap, share }) => [rank, gap, share && Math.round(share * 100)])).toEqual([
      [1, null, 100],
      [2, -0.2, 33],
      [null, null, null],
    ])
  })

  test("without ranks are counted, and equal scores share a place and the lead", () => {
    const places = placesOf([
      { name: "Ana", points: 9 },
      { name: "Bo", points: 9 },
      { name: "Cy", points: 7 },
    ])
    expect(places.map(({ rank, tied, leads }) => [rank, tied, leads])).toEqual([
      [1, true, true],
      [1, true, true],
      [3, false, false],
    ])
  })

  test("need a name or member, and a rank or score", () => {
    const view = (sent: unknown) => readRanking(sent, undefined).view
    expect(view([{ member_id: "m1", rank: 1 }])).toBe("places")
    expect(view([{ name: "Ana" }])).toBe("json")
    expect(view([{ points: 5, rank: 1 }])).toBe("json")
    expect(view([])).toBe("empty")
    for (const sent of [null, "closed", { entries: [{ name: "Ana", rank: 1 }] }, [[1]], [{}]])
      expect(view(sent)).toBe("json")
  })

  test("are one for each row of any response", () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.array(fc.dictionary(fc.string(), fc.jsonValue()))), (sent) => {
        const { rows, places } = readRanking(sent, undefined)
        expect(places).toHaveLength(rows.length)
      }),
    )
  })
})

describe("boards", () => {
  test.each([
    [{ id: "lb_1", name: "Sprint" }, "lb_1", "Sprint"],
    [{ leaderboard_id: "lb_2", title: "Top earners" }, "lb_2", "Top earners"],
    [{ leaderboardId: 4, label: "Four" }, "4", "Four"],
    [{ id: "lb_5", kind: 7 }, "lb_5", "lb_5"],
    [{ name: "No id" }, null, "No id"],
    [{ uuid: "x" }, null, null],
  ])("have id and name: %j", (sent, id, name) => {
    expect(readBoards([sent])).toMatchObject([{ id, name }])
  })

  test("keep their other fields as sent", () => {
    const sent = [{ id: "a", tags: ["x"], period: { from: null, days: 7 } }]
    expect(readBoards(sent)?.[0]?.rest).toEqual([
      ["tags", '["x"]'],
      ["period.days", "7"],
    ])
  })

  test("are null when the response is not a list of records", () => {
    for (const sent of ["soon", null, ["plain"], { items: [] }]) expect(readBoards(sent)).toBeNull()
  })
})
