import { expect, test } from "vitest"
import type { AppStatus } from "../../../contract/status.ts"
import { makeConnection, makeDrift, makeStatus } from "../../../tests/support/settings/make-status.ts"
import { needsAttention } from "./settings-layout.tsx"
import { chartTop, used } from "./status-budget.tsx"
import { callsText, slotStyle } from "./status-page.tsx"
import { driftHandling } from "../../../contract/status.ts"

const minute = (people: number, jobs: number, sync = 0) => ({
  at: "2026-11-21T00:00:00Z",
  people,
  jobs,
  sync,
})
const slot = (calls: number, slow: number, trouble: number) => ({
  from: "2026-11-21T00:00:00Z",
  calls,
  slow,
  trouble,
})

test("an unlisted value needs attention; a missing or additional field does not", () => {
  expect(driftHandling.other.tone).toBe("warning")
  expect(driftHandling.empty).toEqual({ tone: "success", label: "Shown as empty" })
  expect(driftHandling.extra.tone).toBe("success")
})

test("budget chart reaches the limit, or the highest minute above it", () => {
  expect(chartTop({ limit: 60, minutes: [minute(3, 4)] })).toBe(60)
  expect(chartTop({ limit: 10, minutes: [minute(3, 4), minute(20, 22)] })).toBe(42)
  expect(used([minute(3, 4), minute(1, 0, 30)])).toBe(38)
})

test("a slot with trouble is shown as trouble even if it was slow too", () => {
  expect(slotStyle(slot(0, 0, 0))).toBe("quiet")
  expect(slotStyle(slot(5, 0, 0))).toBe("fine")
  expect(slotStyle(slot(5, 1, 0))).toBe("slow")
  expect(slotStyle(slot(5, 1, 1))).toBe("trouble")
})

test("text of the day counts calls, slow ones and errors", () => {
  expect(callsText([])).toBe("No calls")
  expect(callsText([slot(1, 0, 0)])).toBe("1 call")
  expect(callsText([slot(1000, 2, 0), slot(234, 1, 2)])).toBe("1,234 calls, 3 slow, 2 with errors")
})

test.each([
  ["all is well", {}, false],
  ["a service is slow", { connections: [makeConnection({ state: "slow" })] }, true],
  ["a service does not answer", { connections: [makeConnection({ state: "not_answering" })] }, true],
  ["a service is not connected", { connections: [makeConnection({ state: "not_connected" })] }, false],
  [
    "a key was refused",
    { connections: [makeConnection({ seen: { read: "working", write: "refused" } })] },
    true,
  ],
  ["an unknown value came", { drift: [makeDrift()] }, true],
  ["a field was missing", { drift: [makeDrift({ kind: "empty" })] }, false],
] satisfies [string, Partial<AppStatus>, boolean][])(
  "whether the page needs attention: %s",
  (_, changes, asks) => {
    expect(needsAttention(makeStatus(changes))).toBe(asks)
  },
)
