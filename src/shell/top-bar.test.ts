import { expect, it } from "vitest"
import { busyState } from "./top-bar.tsx"

const now = 1_000_000
const budget = (next: number) => ({
  api: "program" as const,
  limit: 60,
  left: 0,
  left_for_jobs: 0,
  next_in_ms: next,
  waiting: 0,
})
const facts = { readAt: now, waitsUntil: null, offline: false, now }

it.each([
  ["no budget was read yet", { budget: undefined }, undefined],
  ["requests go out at once", { budget: budget(0) }, undefined],
  ["the next request goes out in 3 s", { budget: budget(3_000) }, undefined],
  ["the next request goes out in 4 s", { budget: budget(4_000) }, { kind: "busy", seconds: 4 }],
  ["this tab waits for 7 s", { budget: budget(0), waitsUntil: now + 7_000 }, { kind: "busy", seconds: 7 }],
  ["this tab waits for 2 s", { budget: budget(9_000), waitsUntil: now + 2_000 }, undefined],
  ["the server does not answer", { budget: budget(0), offline: true }, { kind: "offline" }],
])("busy chip when %s", (_when, given, state) => {
  expect(busyState({ ...facts, ...given })).toEqual(state)
})
