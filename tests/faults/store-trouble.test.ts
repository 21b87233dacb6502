import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { beforeEach, expect, it } from "vitest"
import * as z from "zod/mini"
import { job } from "../../contract/job.ts"
import { countsLine, fiveCounts } from "./five-counts.ts"
import { startFleet } from "./fleet.ts"
import { createWorld, digestAtOnce } from "./in-process.ts"
import { expectData, readCounted, submitJob, untilDone } from "./job-client.ts"
import { awardRows, memberIds } from "./made-up-rows.ts"
import { createRandom } from "./random.ts"
import { shortTimes } from "./scenario.ts"
import { createSuccession } from "./succession.ts"
import { until } from "./until.ts"

/** Timeout of each step on a busy machine. */
const stepMs = 90_000
/** A plausible duration of a foreign lock. */
const lockedMs = 2000
const intents = z.object({ intents: z.int() })

it("a locked database blocks sends, which resume after the lock", { timeout: 4 * stepMs }, async () => {
  const fleet = await startFleet({ instances: 1, times: shortTimes })
  try {
    fleet.sandbox.faults.add({ kind: "slow", ms: 50, match: { method: "POST" } })
    const rows = awardRows(fleet.sandbox, 120, createRandom(41))
    const made = await submitJob(fleet.ask, { kind: "award", rows, options: { mode: "single" } })
    await until("some awards", stepMs, () => (fleet.sandbox.store.ledger.length > 20 ? true : undefined))

    const other = new DatabaseSync(join(fleet.dataDir, "laurel.db"))
    other.exec("PRAGMA busy_timeout = 60000; BEGIN IMMEDIATE")
    const [member_id = ""] = memberIds(fleet.sandbox, 1)
    const answer = fleet.ask("/jobs", {
      method: "POST",
      body: { kind: "award", rows: [{ member_id, points: 7, reason: "Bonus" }] },
      headers: { "Idempotency-Key": "sent-while-locked" },
    })
    const locked = performance.now() + lockedMs
    await until("the lock's end", stepMs, () => (performance.now() > locked ? true : undefined))
    // The lock holder sees every stored intent.
    const stored = intents.parse(other.prepare("select sum(attempts) as intents from job_row").get()).intents
    const sent = fleet.sandbox.requests.entries.filter(({ method }) => method === "POST")
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.length).toBeLessThanOrEqual(stored)
    expect(stored).toBeLessThan(120)
    other.exec("ROLLBACK")
    other.close()
    const second = expectData(await answer, 201, job)

    const done = await Promise.all([made, second].map(({ id }) => untilDone(fleet.ask, id, stepMs)))
    expect(done.map(({ counts }) => counts.confirmed)).toEqual([120, 1])
    const counted = await Promise.all(done.map(({ id }) => readCounted(fleet.ask, id)))
    expect(countsLine(fiveCounts(fleet.sandbox.store.ledger, counted))).toBe("L=0 D=0 P=0 W=0 U=0")
  } finally {
    await fleet.close()
  }
})

beforeEach(digestAtOnce)

it("a call whose intent could not be stored is not sent", async () => {
  const members = ["mem_a", "mem_b", "mem_c"]
  const world = createWorld(members)
  const changeRows = world.store.jobs.changeRows.bind(world.store.jobs)
  let full = true
  let refused = 0
  // A full disk.
  world.store.jobs.changeRows = (...args) => {
    if (!full) return changeRows(...args)
    refused += 1
    return Promise.reject(new Error("database or disk is full"))
  }
  const apps = createSuccession(world, [])
  const rows = members.map((member_id) => ({ member_id, points: 5, reason: "Bonus" }))
  await apps.make({ kind: "award", rows, options: { mode: "single" } }, "a-key-of-a-made-up-draft")
  await world.clock.advance(60_000)
  expect(refused).toBeGreaterThan(0)
  expect(world.service.writes).toEqual([])
  full = false
  await apps.rest()
  expect(world.service.writes).toHaveLength(3)
  expect(countsLine(fiveCounts(world.service.truth, await world.counted()))).toBe("L=0 D=0 P=0 W=0 U=0")
})
