import { expect, test } from "vitest"
import type { BudgetView } from "../../../../contract/status.ts"
import { wallPace } from "./wall-pace.ts"

const budget = (left: number, waiting = 0, api: BudgetView["api"] = "program"): BudgetView => ({
  api,
  limit: 60,
  left,
  left_for_jobs: 0,
  next_in_ms: 0,
  waiting,
  longest_wait_ms: 0,
  refused: 0,
  minutes: [],
  used_by: [],
})

test("once a minute at most, less often while the budget is low, least while people wait", () => {
  expect(wallPace(undefined)).toBe(61_000)
  expect(wallPace([budget(60)])).toBe(61_000)
  expect(wallPace([budget(0, 0, "giftcard"), budget(40)])).toBe(61_000)
  expect(wallPace([budget(15)])).toBe(122_000)
  expect(wallPace([budget(6)])).toBe(305_000)
  expect(wallPace([budget(40, 1)])).toBe(305_000)
})
