import * as fc from "fast-check"
import { expect, test } from "vitest"
import { boardsOf } from "./boards.ts"

test.each([
  [{ id: "lb_1", name: "Sprint", status: "active" }, "lb_1", "Sprint"],
  [{ leaderboard_id: "lb_2", program_id: "p1", title: "Top earners" }, "lb_2", "Top earners"],
  [{ uuid: "lb_3", label: "All time", period: { type: "all" } }, "lb_3", "All time"],
  [{ leaderboardId: 4, owner_name: "Priya", displayName: "Four" }, "4", "Four"],
  [{ id: "lb_5", kind: 7, tags: ["beta"] }, "lb_5", "lb_5"],
  [{ slug: "six", name: "Six" }, "six", "Six"],
  ["plain", "plain", "plain"],
  [null, null, null],
  [{}, null, null],
  [{ name: "No id" }, null, "No id"],
])("%j", (sent, id, name) => {
  expect(boardsOf([sent])).toMatchObject([{ id, name }])
})

test("everything else is kept as it came", () => {
  expect(boardsOf([{ id: "a", tags: ["x"], period: { from: null, days: 7 } }])?.[0]?.rest).toEqual([
    ["tags", '["x"]'],
    ["period.days", "7"],
  ])
})

test("an answer without rows is none, and nothing breaks it", () => {
  expect(boardsOf("soon")).toBeNull()
  expect(boardsOf({ items: [{ id: "a" }] })).toHaveLength(1)
  fc.assert(fc.property(fc.jsonValue(), (sent) => void boardsOf(sent)))
})
