import "../support/patience.ts"
import { expect, it } from "vitest"
import { faultMix } from "./fault-mix.ts"
import { deductRows, newMemberRows } from "./made-up-rows.ts"
import { nothingLost } from "./nothing-lost.ts"
import { runScenario, shortMs } from "./scenario.ts"

const withinMs = 120_000

it("never sends a deduction again by itself", { timeout: withinMs }, async () => {
  const sent = new Map<string, number>()
  const end = await runScenario({
    name: "deductions",
    seed: 21,
    job: (sandbox, random) => ({ kind: "deduct", rows: deductRows(sandbox, 200, random) }),
    faults: faultMix(0.2, shortMs),
    kills: { most: 1, every: 60 },
    seen: ({ path, body, status }) => {
      if (path === "/v1/points/deduct" && status !== 429) sent.set(body, (sent.get(body) ?? 0) + 1)
    },
    withinMs,
  })
  expect(nothingLost(end)).toEqual([])
  expect(Math.max(...sent.values())).toBe(1)
  // What was not carried out is said to be so, and waits for somebody.
  expect(end.counts.U).toBeGreaterThan(0)
  expect(end.counts.U).toBe(end.job.attention)
})

it("creates each new member once", { timeout: withinMs }, async () => {
  const end = await runScenario({
    name: "new members",
    seed: 22,
    job: (sandbox, random) => ({ kind: "member-create", rows: newMemberRows(sandbox, 150, random) }),
    sandbox: { settings: { duplicateEmail: "allow" } },
    faults: faultMix(0.2, shortMs),
    kills: { most: 1, every: 60 },
    withinMs,
  })
  expect(nothingLost(end)).toEqual([])
})
