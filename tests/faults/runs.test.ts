import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startPostgres, type TestPostgres } from "../support/postgres.ts"
import { runScenario } from "./scenario.ts"
import { quickRun, runs } from "./scenarios.ts"

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

// Concurrent, since they mostly wait for the settle time.
describe.concurrent("real processes, real kills: nothing lost, doubled or wrong", () => {
  it.for(Object.values(runs).filter(({ quick }) => quick !== undefined))(
    "$rule",
    { timeout: 300_000 },
    async (run) => {
      const databaseUrl = run.twoApps === true ? await postgres.createDatabase() : undefined
      const { scenario, missed } = quickRun(run, databaseUrl)
      const end = await runScenario(scenario)
      process.stdout.write(`${end.lines.join("\n")}\n`)
      expect(missed(end)).toEqual([])
    },
  )
})
