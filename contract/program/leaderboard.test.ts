import { expect, test } from "vitest"
import { leaderboardReader } from "./leaderboard.ts"

test("records are what the document says, whatever their fields", () => {
  const sent = [{ rank: 1 }, { 順位: "2位", member: null }]
  expect(leaderboardReader.read(sent)).toEqual({ ok: true, value: sent, drift: [] })
})

test.each([[null], [42], ["soon"], [{ entries: [] }], [[null, [1]]]])(
  "%j is kept as it came and reported",
  (sent) => {
    const outcome = leaderboardReader.read(sent)
    expect(outcome).toMatchObject({ ok: true, value: sent })
    expect(outcome).not.toMatchObject({ drift: [] })
  },
)

test("an answer without data cannot be used", () => {
  expect(leaderboardReader.read(undefined)).toMatchObject({ ok: false })
})
