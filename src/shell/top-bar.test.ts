import { expect, it } from "vitest"
import { budgetState } from "./top-bar.tsx"

const now = 1_000_000
const budget = (left: number, next = 0) => ({
  api: "program" as const,
  limit: 60,
  left,
  left_for_jobs: 0,
  next_in_ms: next,
  waiting: 0,
  longest_wait_ms: 0,
  refused: 0,
  minutes: [],
  used_by: [],
})
const facts = { readAt: now, waitsUntil: null, offline: false, now }

it.each([
  ["nothing is known yet", { budget: undefined }, { kind: "unknown" }],
  ["more than a quarter is left", { budget: budget(16) }, { kind: "enough" }],
  ["a quarter is left", { budget: budget(15) }, { kind: "low" }],
  ["nothing is left", { budget: budget(0, 4_000) }, { kind: "spent", seconds: 4 }],
  ["the wait is over but the answer not here", { budget: budget(0) }, { kind: "spent", seconds: 1 }],
  ["this tab waits", { budget: budget(30), waitsUntil: now + 7_000 }, { kind: "spent", seconds: 7 }],
  ["the server does not answer", { budget: budget(30), offline: true }, { kind: "offline" }],
])("when %s", (_when, given, state) => {
  expect(budgetState({ ...facts, ...given })).toEqual(state)
})
