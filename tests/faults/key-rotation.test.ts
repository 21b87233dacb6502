import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { appStatus } from "../../contract/status.ts"
import { dataOf } from "../support/person.ts"
import { startPostgres, type TestPostgres } from "../support/postgres.ts"
import { countsLine, fiveCounts } from "./five-counts.ts"
import { type Fleet, startFleet } from "./fleet.ts"
import { readCounted, submitJob, untilDone } from "./job-client.ts"
import { awardRows } from "./made-up-rows.ts"
import { createRandom } from "./random.ts"

const stepMs = 90_000
const nextApiKey = "the-next-key-of-both-7777"
const rateLimit = 2000
const rowsOfJob = 120
/** Shorter than the budget's window, so that the permits of these requests still count. */
const recentMs = 50_000

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

const bulkPath = "/v1/points/award/bulk"

/** Revokes the first key when the service receives the bulk request of this number. */
function revokeAt({ requests, settings }: Fleet["sandbox"], number: number): void {
  const add = requests.add.bind(requests)
  let awards = 0
  vi.spyOn(requests, "add").mockImplementation((entry) => {
    awards += Number(entry.path === bulkPath)
    if (awards === number) settings.keys = [nextApiKey]
    return add(entry)
  })
}

it(
  "a key revoked during bulk awards of two instances: both use the next one within one budget, the five counts are 0",
  { timeout: 8 * stepMs },
  async () => {
    const fleet = await startFleet({
      instances: 2,
      databaseUrl: await postgres.createDatabase(),
      times: { settle: 1, recheck: 0.5, lease: 30, call: 12 },
      rateLimit,
      env: { PROGRAM_API_KEY_NEXT: nextApiKey, GIFTCARD_API_KEY_NEXT: nextApiKey },
    })
    const { apps, ask, requestFrom, sandbox } = fleet
    try {
      revokeAt(sandbox, 4)
      // Several requests are on their way when the key is revoked.
      sandbox.faults.add({ kind: "slow", ms: 200, match: { method: "POST" } })
      const rows = awardRows(sandbox, 4 * rowsOfJob, createRandom(11))
      const jobs = await Promise.all(
        [0, 1, 2, 3].map((at) =>
          submitJob(ask, {
            kind: "award",
            rows: rows.slice(at * rowsOfJob, (at + 1) * rowsOfJob),
            options: { mode: at === 3 ? "single" : "bulk" },
          }),
        ),
      )
      for (const { id } of jobs)
        expect(await untilDone(ask, id, 2 * stepMs)).toMatchObject({
          state: "done",
          attention: 0,
          counts: { confirmed: rowsOfJob },
        })
      const counted = await Promise.all(jobs.map(({ id }) => readCounted(ask, id)))
      const counts = fiveCounts(sandbox.store.ledger, counted)
      expect([countsLine(counts), counts.notes]).toEqual(["L=0 D=0 P=0 W=0 U=0", []])
      const refused = sandbox.requests.entries.filter(({ status }) => status === 401)
      expect(refused.some(({ path }) => path === bulkPath)).toBe(true)
      for (const app of apps) {
        expect((await requestFrom(app, "/program/members?per_page=1&search=a")).status).toBe(200)
        const now = Date.now()
        const { budgets, connections } = dataOf(await requestFrom(app, "/status"), appStatus)
        expect(connections.find(({ api }) => api === "program")?.rotation?.in_use).toBe("next")
        const budget = budgets.find(({ api }) => api === "program")
        const recent = sandbox.requests.entries.filter(
          ({ api, at }) => api === "program" && at > now - recentMs && at <= now,
        )
        expect(rateLimit - (budget?.left ?? rateLimit)).toBeGreaterThanOrEqual(recent.length)
        expect(app.output()).not.toContain(nextApiKey)
      }
    } finally {
      await fleet.close()
      vi.restoreAllMocks()
    }
  },
)
