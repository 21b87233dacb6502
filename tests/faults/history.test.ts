import "../support/patience.ts"
import { expect, it } from "vitest"
import type { Fleet } from "./fleet.ts"
import { faultMix } from "./fault-mix.ts"
import { awardRows, memberIds } from "./made-up-rows.ts"
import { nothingLost } from "./nothing-lost.ts"
import { runScenario, type Scenario, shortMs } from "./scenario.ts"

const withinMs = 120_000
const reason = "Sprint week 12"

function awards(count: number, mode: "single" | "bulk"): Scenario["job"] {
  return (sandbox, random) => ({
    kind: "award",
    rows: awardRows(sandbox, count, random),
    options: { mode, bulk_size: 20 },
  })
}

it("finds its awards when the service's clock is an hour off", { timeout: withinMs }, async () => {
  for (const clockOffsetMs of [3_600_000, -3_600_000]) {
    const end = await runScenario({
      name: `the service's clock is ${clockOffsetMs / 60_000} min off`,
      seed: 31,
      job: awards(80, "single"),
      sandbox: { settings: { clockOffsetMs } },
      faults: faultMix(0.2, shortMs),
      withinMs,
    })
    expect(nothingLost(end)).toEqual([])
    // The last ones of a job may have nothing answered after them that could prove the history up to date.
    expect(end.counts.U).toBeLessThanOrEqual(3)
  }
})

it("waits out a history that lags and commits that come late, each twice the settle time", { timeout: withinMs }, async () => {
  const late = { kind: "late-commit", ms: 2 * shortMs.settleMs, answer: "drop" } as const
  for (const mode of ["single", "bulk"] as const) {
    const end = await runScenario({
      name: `late and lagging, ${mode}`,
      seed: 32,
      job: awards(100, mode),
      sandbox: { settings: { historyLagMs: 2 * shortMs.settleMs } },
      faults: [{ ...late, match: { method: "POST", every: mode === "bulk" ? 3 : 8 } }],
      withinMs,
    })
    expect(nothingLost(end)).toEqual([])
    expect(end.counts.U).toBe(0)
  }
})

it("leaves to somebody what a cut reason no longer shows", { timeout: withinMs }, async () => {
  const end = await runScenario({
    name: "reasons cut short, bulk",
    seed: 33,
    job: awards(100, "bulk"),
    sandbox: { settings: { reasonMax: 6, reasonTooLong: "cut" } },
    faults: [{ kind: "drop-after", match: { method: "POST", path: "*/bulk", nth: 2 } }],
    withinMs,
  })
  expect(nothingLost(end)).toEqual([])
  expect(end.counts.U).toBeGreaterThan(0)
})

it("does not take others' awards of the same text for its own", { timeout: withinMs }, async () => {
  for (const mode of ["single", "bulk"] as const) {
    const end = await runScenario({
      name: `awards of the same text by others, ${mode}`,
      seed: 34,
      job: (sandbox) => ({
        kind: "award",
        rows: memberIds(sandbox, 60).map((member_id) => ({ member_id, points: 50, reason })),
        options: { mode, bulk_size: 10 },
      }),
      faults: [{ kind: "drop-before", match: { method: "POST", path: "/v1/points/*", every: 5 } }],
      meanwhile: awardByOthers,
      withinMs,
    })
    expect(nothingLost(end)).toEqual([])
    expect(end.counts.U).toBe(0)
  }
})

/** Somebody else awards the same members the same for the same reason, past the desk. */
async function awardByOthers(fleet: Fleet): Promise<ReadonlySet<string>> {
  const { sandbox } = fleet
  const foreign = new Set<string>()
  for (const memberId of memberIds(sandbox, 60)) {
    const id = sandbox.store.nextId("txn_", 10)
    const member = sandbox.store.members.get(memberId)
    const balance = (member?.balance ?? 0) + 50
    sandbox.store.transactions.add({
      id,
      seq: sandbox.store.turn(),
      memberId,
      type: "award",
      points: 50,
      reason,
      reference: null,
      balanceAfter: balance,
      metadata: null,
      created: Date.now(),
      visible: Date.now(),
    })
    if (member !== undefined) sandbox.store.members.put({ ...member, balance })
    foreign.add(id)
  }
  return foreign
}
