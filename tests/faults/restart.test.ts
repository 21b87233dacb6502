import { expect, it } from "vitest"
import { countsLine, fiveCounts } from "./five-counts.ts"
import { requirePidNamespaces, startFleet } from "./fleet.ts"
import { readCounted, submitJob, untilDone } from "./job-client.ts"
import { awardRows } from "./made-up-rows.ts"
import { createRandom } from "./random.ts"
import { until } from "./until.ts"

/** Timeout of each step on a busy machine. */
const stepMs = 90_000

it("a job resumes automatically after a hard kill", { timeout: 4 * stepMs }, async () => {
  // Production timings except for the settle time, which the test would have to wait for.
  const times = { settle: 1, recheck: 0.5, lease: 30, call: 12 }
  const fleet = await startFleet({ instances: 1, times })
  try {
    fleet.sandbox.faults.add({ kind: "slow", ms: 100, match: { method: "POST" } })
    const rows = awardRows(fleet.sandbox, 300, createRandom(51))
    const made = await submitJob(fleet.ask, { kind: "award", rows, options: { mode: "single" } })
    await until("some awards", stepMs, () => (fleet.sandbox.store.ledger.length > 50 ? true : undefined))
    const [app] = fleet.apps
    if (app === undefined) throw new Error("There is no server.")
    await app.kill()
    const before = fleet.sandbox.requests.count
    const from = performance.now()
    const listens = await app.start()
    const isResumed = () => (fleet.sandbox.requests.count > before ? true : undefined)
    await until("the job to go on", stepMs, isResumed, 5)
    const resumedMs = performance.now() - from
    process.stdout.write(
      `restart: listens after ${Math.round(listens)} ms, the job goes on after ${Math.round(resumedMs)} ms\n`,
    )
    const done = await untilDone(fleet.ask, made.id, stepMs)
    expect(done.counts.confirmed + done.attention).toBe(300)
    const counts = fiveCounts(fleet.sandbox.store.ledger, [await readCounted(fleet.ask, made.id)])
    expect(countsLine({ ...counts, U: 0 })).toBe("L=0 D=0 P=0 W=0 U=0")
  } finally {
    await fleet.close()
  }
})

it(
  "a container killed while the service accepted nothing leaves no row to a person",
  { timeout: 4 * stepMs },
  async () => {
    requirePidNamespaces()
    const times = { settle: 1, recheck: 0.5, lease: 30, call: 12 }
    const fleet = await startFleet({ instances: 1, times, container: true })
    try {
      const { store, faults } = fleet.sandbox
      // Fast enough for many concurrent requests, slow enough to be interrupted.
      faults.add({ id: "slow", kind: "slow", ms: 50, match: { method: "POST" } })
      const rows = awardRows(fleet.sandbox, 800, createRandom(52))
      const body = { kind: "award", rows, options: { mode: "bulk" } } as const
      const made = await submitJob(fleet.ask, body)
      await until("some awards", stepMs, () => (store.ledger.length >= 100 ? true : undefined))
      const silent = faults.add({ kind: "hang", match: { method: "POST" } })
      faults.remove("slow")
      await until("requests without a response", stepMs, () => (silent.fired > 0 ? true : undefined))
      const [app] = fleet.apps
      if (app === undefined) throw new Error("There is no server.")
      await app.kill()
      faults.clear()
      await app.start()
      const done = await untilDone(fleet.ask, made.id, stepMs)
      expect(done).toMatchObject({ state: "done", attention: 0, counts: { confirmed: 800 } })
      const counts = fiveCounts(store.ledger, [await readCounted(fleet.ask, made.id)])
      expect(countsLine(counts)).toBe("L=0 D=0 P=0 W=0 U=0")
    } finally {
      await fleet.close()
    }
  },
)
