import { expect, it } from "vitest"
import { activityText } from "./audit.ts"

const points = [{ field: "points", from: null, to: "150" }]

it.each([
  ["points.award", "done", "Awarded 150 points: Kieran Doyle"],
  ["points.award", "unknown", "150 points for Kieran Doyle: not confirmed"],
  ["points.deduct", "refused", "150 points from Kieran Doyle: refused"],
] as const)("%s that is %s reads as what is known of it", (action, outcome, text) => {
  expect(activityText({ action, outcome, changes: points }, "Kieran Doyle", "AUD")).toBe(text)
})

it("an action of other kinds names its outcome last", () => {
  const entry = { action: "job.finish", outcome: "failed" } as const
  expect(activityText({ ...entry, changes: [] }, "5 order updates", "AUD")).toBe(
    "Job finished, 5 order updates: not done",
  )
})
