import { copyFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as z from "zod/mini"
import { storeHistory } from "../../bff/store/history.ts"
import { migrate } from "../../bff/store/migrations.ts"
import { earlierRows } from "../../contract/earlier-awards.ts"
import { job as jobSchema } from "../../contract/job.ts"
import { pastYear } from "../../sandbox/seed/history.ts"
import { startPostgres, type TestPostgres } from "../support/postgres.ts"
import { runToEnd } from "../support/run-to-end.ts"
import { contentsOf, withEngine } from "../support/store-contents.ts"
import { countsLine, fiveCounts } from "./five-counts.ts"
import { startFleet } from "./fleet.ts"
import { expectData, readCounted, readJob, submitJob, untilDone } from "./job-client.ts"
import { awardRows } from "./made-up-rows.ts"
import { createRandom } from "./random.ts"
import { until } from "./until.ts"

const stepMs = 90_000
const password = "a-secret-password"

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

it(
  "a store with a year of history, a held job and a killed one continues on PostgreSQL and does nothing twice",
  { timeout: 8 * stepMs },
  async () => {
    const address = new URL(await postgres.createDatabase())
    address.password = password
    const databaseUrl = address.href
    const fleet = await startFleet({
      instances: 1,
      times: { settle: 1, recheck: 0.5, lease: 30, call: 12 },
      sandbox: { members: 2000 },
      prepare: (dataDir, sandbox) =>
        withEngine({ file: join(dataDir, "laurel.db") }, async (engine) => {
          await migrate(engine)
          await storeHistory(engine, () => pastYear(sandbox.store))
        }),
    })
    const { ask, dataDir } = fleet
    const { store, faults } = fleet.sandbox
    const file = join(dataDir, "laurel.db")
    const copy = join(dataDir, "copy.db")
    try {
      const [app] = fleet.apps
      if (app === undefined) throw new Error("There is no server.")
      // Points that wait for approval may be those of an award without a response: then a person decides.
      const rows = awardRows(fleet.sandbox, 800, createRandom(7)).filter(
        ({ member_id: id = "" }) => store.members.get(id)?.pending === 0,
      )
      const [heldRows, runningRows] = [rows.slice(0, 120), rows.slice(200, 600)]
      faults.add({ kind: "slow", ms: 20, match: { method: "POST", times: 60 } })
      faults.add({ kind: "hang", match: { method: "POST" } })
      const heldBody = { kind: "award", rows: heldRows, options: { mode: "single" } } as const
      const heldJob = await submitJob(ask, heldBody, "key-of-the-held-job")
      await until("some awards", stepMs, () => (store.ledger.length >= 60 ? true : undefined))
      expect((await runToEnd("bff/backup.ts", { DATA_DIR: dataDir }, ["--to", copy])).code).toBe(0)
      await app.kill()
      await app.start({ START_HELD: "1" })
      await until("the hold", stepMs, async () => (await readJob(ask, heldJob.id)).hold ?? undefined)
      faults.clear()
      faults.add({ kind: "slow", ms: 20, match: { method: "POST", times: 2 } })
      faults.add({ kind: "hang", commit: true, match: { method: "POST", times: 1 } })
      const silent = faults.add({ kind: "hang", match: { method: "POST" } })
      const running = await submitJob(ask, { kind: "award", rows: runningRows, options: { mode: "bulk" } })
      await until("requests without a response", stepMs, () => (silent.fired > 0 ? true : undefined))
      await app.kill()
      faults.clear()

      const move = await runToEnd("bff/move-store.ts", { DATA_DIR: dataDir }, ["--to", databaseUrl])
      expect(move).toMatchObject({ code: 0, output: expect.stringContaining("Counts and checksums") })
      expect(move.output).not.toContain(password)
      const [was, is] = [
        await withEngine({ file }, contentsOf),
        await withEngine({ databaseUrl }, contentsOf),
      ]
      for (const table of ["app_user", "app_session", "job", "job_row", "card", "note", "setting", "audit"])
        expect([table, is[table]?.length]).not.toEqual([table, 0])
      expect({ ...is, budget_grant: [] }).toEqual({ ...was, budget_grant: [] })
      await expect(app.start()).rejects.toThrow(`moved to the database ${address.host}${address.pathname}`)

      await app.start({ DATABASE_URL: databaseUrl })
      expect((await ask("/session")).status).toBe(200)
      expect((await ask("/cards")).body).toMatchObject({ data: expect.arrayContaining([expect.anything()]) })
      const again = { method: "POST", body: heldBody, headers: { "Idempotency-Key": "key-of-the-held-job" } }
      expect(expectData(await ask("/jobs", again), 201, jobSchema).id).toBe(heldJob.id)
      const repeats = await ask("/jobs/repeats", {
        method: "POST",
        body: { kind: "award", rows: heldRows.slice(0, 1) },
      })
      expect(expectData(repeats, 200, z.array(earlierRows))[0]).toMatchObject({
        at: 0,
        count: 1,
        job: heldJob.id,
      })

      await untilDone(ask, running.id, stepMs)
      await until("the lookups of the held job", stepMs, async () =>
        (await readJob(ask, heldJob.id)).hold?.state === "ready" ? true : undefined,
      )
      expect((await ask(`/jobs/${heldJob.id}/release`, { method: "POST", body: {} })).status).toBe(200)
      await untilDone(ask, heldJob.id, stepMs)
      const counted = [await readCounted(ask, heldJob.id), await readCounted(ask, running.id)]
      const counts = fiveCounts(store.ledger, counted)
      expect([countsLine(counts), counts.notes]).toEqual(["L=0 D=0 P=0 W=0 U=0", []])
      expect(store.ledger).toHaveLength(heldRows.length + runningRows.length)

      // The file's backup, started all the same, is older than the services.
      await app.kill()
      for (const end of ["-wal", "-shm"]) rmSync(`${file}${end}`, { force: true })
      copyFileSync(copy, file)
      await app.start()
      const restored = async () => (await readJob(ask, heldJob.id)).hold ?? undefined
      expect(await until("the hold", stepMs, restored)).toMatchObject({ sign: "counter" })
    } finally {
      await fleet.close()
    }
  },
)
