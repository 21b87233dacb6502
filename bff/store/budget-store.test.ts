import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { sql } from "kysely"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { quietLog } from "../../tests/support/quiet-log.ts"
import type { BudgetStore, WindowUse } from "../../core/ports.ts"
import { budgetStore } from "./budget-store.ts"
import type { Engine } from "./engine.ts"
import { migrate } from "./migrations.ts"
import { openEngine } from "./open-store.ts"

const windowMs = 6000
const limit = 5

let folder: string
let engine: Engine
/** The database's clock, ms since 1970, and the processes' own; a test moves them. */
let now: number
let elapsed: number
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "laurel-budget-"))
  engine = await openEngine({ file: join(folder, "store.db") }, quietLog)
  await migrate(engine)
  now = 1_700_000_000_000
  elapsed = 0
})
afterEach(async () => {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The count as a process has it that has just started. */
function opened(): BudgetStore {
  return budgetStore({ db: engine.db, lock: async () => now }, () => elapsed)
}

function pass(ms: number): void {
  now += ms
  elapsed += ms
}

async function take(budget: BudgetStore, keepFree = 0, atOnce = false): Promise<boolean> {
  const taker = { lane: "people", who: "ana" } as const
  const choose = ({ free }: WindowUse) => (free > keepFree ? { taker } : { inMs: Infinity })
  const leastFree = keepFree + 1
  return (await budget.take("program", limit, windowMs, choose, atOnce ? { taker, leastFree } : undefined))
    .granted
}

const step = fc.record({
  who: fc.constantFrom(0, 1),
  keepFree: fc.constantFrom(0, 0, 2),
  thenMs: fc.oneof(fc.constantFrom(0, 1, 3), fc.integer({ min: 3, max: 2500 })),
  killed: fc.boolean(),
  atOnce: fc.boolean(),
})

it("grants exactly the limit in any window, whichever instance requests, is killed or restarts", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      pass(2 * windowMs)
      const processes = [opened(), opened()]
      const taken: number[] = []
      for (const { who, keepFree, thenMs, killed, atOnce } of steps) {
        if (killed) processes[who] = opened()
        const inWindow = taken.filter((at) => at + windowMs > now).length
        const granted = await take(processes[who] ?? opened(), keepFree, atOnce)
        expect(granted).toBe(inWindow + keepFree < limit)
        if (granted) taken.push(now)
        pass(thenMs)
      }
    }),
    { numRuns: 60 },
  )
})

describe.each([
  ["after the window was seen", false],
  ["at once", true],
])("a permit %s", (_name, atOnce) => {
  it("is not freed by a clock that is put forward, nor held by one that is set back", async () => {
    const budget = opened()
    for (let taken = 0; taken < limit; taken += 1) expect(await take(budget, 0, atOnce)).toBe(true)
    now += 3_600_000
    expect(await take(budget, 0, atOnce)).toBe(false)
    expect(await budget.state("program", limit, windowMs)).toMatchObject({ left: 0 })
    now -= 7_200_000
    expect(await take(budget, 0, atOnce)).toBe(false)
    pass(windowMs)
    expect(await take(budget, 0, atOnce)).toBe(true)
  })

  it("is not granted while the service wants nothing", async () => {
    const budget = opened()
    await budget.state("program", limit, windowMs)
    await budget.block("program", limit, windowMs, 999.5)
    expect(await take(opened(), 0, atOnce)).toBe(false)
    expect(await take(budget, 0, atOnce)).toBe(false)
    pass(1001)
    expect(await take(budget, 0, atOnce)).toBe(true)
  })
})

it("forgets permits that have long been free", async () => {
  const budget = opened()
  const saved = async () =>
    (await sql<{ permits: number }>`select count(*) as permits from budget_grant`.execute(engine.db)).rows[0]
  for (let turn = 0; turn < 20; turn += 1) {
    expect(await take(budget, 0, true)).toBe(true)
    pass(windowMs / 2)
  }
  expect((await saved())?.permits).toBeLessThanOrEqual(limit)
})
