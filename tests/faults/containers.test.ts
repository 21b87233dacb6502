import { Client } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { appStatus } from "../../contract/status.ts"
import { startPostgres, type TestPostgres } from "../support/postgres.ts"
import { countsLine, fiveCounts } from "./five-counts.ts"
import { type Fleet, type FleetApp, requirePidNamespaces, startFleet } from "./fleet.ts"
import { expectData, readCounted, submitJob, untilDone } from "./job-client.ts"
import { awardRows } from "./made-up-rows.ts"
import { createRandom } from "./random.ts"
import { until } from "./until.ts"

/** Timeout of each step on a busy machine. */
const stepMs = 300_000
/** A row that is not looked up within ten settle times goes to a person, also on a busy machine. */
const times = { settle: 2, recheck: 1, lease: 9, call: 6 }

let postgres: TestPostgres
beforeAll(async () => {
  requirePidNamespaces()
  postgres = await startPostgres()
})
afterAll(() => postgres?.stop())

/** Two containers on one machine: each app is process 1, and both have the machine's and the host's name. */
async function startContainers() {
  const databaseUrl = await postgres.createDatabase()
  const fleet = await startFleet({ instances: 2, times, container: true, named: true, databaseUrl })
  const [one, other] = fleet.apps
  if (one === undefined || other === undefined) throw new Error("There are two servers.")
  return { databaseUrl, fleet, one, other }
}

/** Starts a job of awards on the only running app, until some were carried out. */
async function startJob({ ask, sandbox }: Fleet, rows: number, slowMs: number) {
  sandbox.faults.add({ id: "slow", kind: "slow", ms: slowMs, match: { method: "POST" } })
  const awards = awardRows(sandbox, rows, createRandom(52))
  const { id } = await submitJob(ask, { kind: "award", rows: awards, options: { mode: "single" } })
  await until("some awards", stepMs, () => (sandbox.store.ledger.length >= rows / 8 ? true : undefined))
  return id
}

async function countsOf({ ask, sandbox }: Fleet, id: string): Promise<string> {
  return countsLine(fiveCounts(sandbox.store.ledger, [await readCounted(ask, id)]))
}

const none = "L=0 D=0 P=0 W=0 U=0"

/** Ways in which the calls of a killed container are proven to have ended. */
const proofs: Readonly<
  Record<string, (fleet: Fleet, killed: FleetApp, databaseUrl: string) => Promise<unknown>>
> = {
  "the next start under its INSTANCE_ID": (_, killed) => killed.start(),
  "an administrator's statement": async ({ ask }) => {
    const silent = await until("its silence", stepMs, async () => {
      const { servers } = expectData(await ask("/status"), 200, appStatus)
      return servers?.find(({ state }) => state === "silent")
    })
    expect(silent).toMatchObject({ name: "laurel-1", process_id: "1" })
    expect((await ask(`/status/servers/${silent.id}/stopped`, { method: "POST" })).status).toBe(200)
  },
  "ten minutes after the end of its lease": async (_, killed, databaseUrl) => {
    expect(killed.running).toBe(false)
    const client = new Client({ connectionString: databaseUrl })
    await client.connect()
    // The time passes in the store, for the calls that were open when it was killed.
    await client.query(
      `update job_row set lease_until = lease_until - 600000 where state in ('sent', 'unknown') and ended_at is null
        and owner = (select id from app_instance where process like '%laurel-1%')`,
    )
    await client.end()
  },
}

// Concurrent, since they mostly wait for silences and leases.
describe.concurrent.each(Object.keys(proofs))(
  "a container killed while the service took nothing up: %s",
  (name) => {
    it("leaves no row to a person", { timeout: 5 * stepMs }, async () => {
      const { databaseUrl, fleet, one, other } = await startContainers()
      try {
        await other.kill()
        const id = await startJob(fleet, 200, 50)
        const { faults } = fleet.sandbox
        const silent = faults.add({ kind: "hang", match: { method: "POST" } })
        faults.remove("slow")
        await until("requests without a response", stepMs, () => (silent.fired > 0 ? true : undefined))
        await one.kill()
        faults.clear()
        await other.start()
        await proofs[name]?.(fleet, one, databaseUrl)
        const done = await untilDone(fleet.ask, id, stepMs)
        expect(done).toMatchObject({ state: "done", attention: 0, counts: { confirmed: 200 } })
        expect(await countsOf(fleet, id)).toBe(none)
      } finally {
        await fleet.close()
      }
    })
  },
)

describe.concurrent("two living containers with the same process id, machine and host name", () => {
  it(
    "double nothing when one takes the INSTANCE_ID of the other, which was only frozen",
    {
      timeout: 6 * stepMs,
    },
    async () => {
      const { fleet, one, other } = await startContainers()
      const { ledger } = fleet.sandbox.store
      const sameId = { INSTANCE_ID: "laurel-1" }
      try {
        await other.kill()
        const id = await startJob(fleet, 800, 200)
        one.freeze()
        // It waits for the silence of the frozen one.
        await other.start(sameId)
        const before = ledger.length
        await until("the job's continuation", stepMs, () => (ledger.length >= before + 50 ? true : undefined))
        one.thaw()
        await untilDone(fleet.ask, id, stepMs)
        expect(await countsOf(fleet, id)).toBe(none)
        expect(ledger.length).toBe(800)
        // The thawed one gives signs of life again: no third one starts.
        await other.kill()
        const refusal = "Another Laurel works as INSTANCE_ID laurel-1 already (process 1 on "
        await expect(other.start(sameId)).rejects.toThrow(refusal)
      } finally {
        await fleet.close()
      }
    },
  )

  it(
    "double nothing when one is frozen for longer than its lease and thawed",
    {
      timeout: 5 * stepMs,
    },
    async () => {
      const { fleet, one, other } = await startContainers()
      const { ledger } = fleet.sandbox.store
      try {
        await other.kill()
        const { faults } = fleet.sandbox
        const id = await startJob(fleet, 800, 50)
        // However long the other one takes to start, rows are left for it.
        faults.remove("slow")
        faults.add({ id: "slow", kind: "slow", ms: 5000, match: { method: "POST" } })
        await other.start()
        one.freeze()
        faults.remove("slow")
        const before = ledger.length
        await until("the other's work", stepMs, () => (ledger.length >= before + 50 ? true : undefined))
        one.thaw()
        const done = await untilDone(fleet.ask, id, stepMs)
        expect(done.counts.confirmed).toBe(800)
        expect(await countsOf(fleet, id)).toBe(none)
      } finally {
        await fleet.close()
      }
    },
  )
})
