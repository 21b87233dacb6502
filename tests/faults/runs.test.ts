import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startPostgres, type TestPostgres } from "../support/postgres.ts"
import { quickAwards } from "./quick-awards.ts"
import { quickKinds } from "./quick-kinds.ts"
import { runScenario } from "./scenario.ts"

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

/** Far more than they take, for busy machines. */
const withinMs = 240_000

// Concurrent, since they mostly wait for the settle time.
describe.concurrent("real processes, real kills: L=D=P=W=0", () => {
  it.for([...quickAwards, ...quickKinds])(
    "$rule",
    { timeout: withinMs + 60_000 },
    async ({ rule, twoApps, scenario, unresolved, missed }) => {
      const two = twoApps && ({ instances: 2, databaseUrl: await postgres.createDatabase() } as const)
      const end = await runScenario({ ...scenario, ...two, name: rule, withinMs })
      const { counts, lines } = end
      process.stdout.write(`${lines.join("\n")}\n`)
      expect(counts.notes.filter((note) => !note.startsWith("U"))).toEqual([])
      expect(counts.U).toBeGreaterThanOrEqual(unresolved?.least ?? 0)
      expect(counts.U).toBeLessThanOrEqual(unresolved?.most ?? end.rows)
      expect(missed?.(end) ?? []).toEqual([])
    },
  )
})
