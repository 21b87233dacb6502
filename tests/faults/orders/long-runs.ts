import type { CreateJobBody, Job } from "../../../contract/job.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import type { Sandbox } from "../../../sandbox/app.ts"
import type { FaultInput } from "../../../sandbox/faults.ts"
import type { OrderRecord } from "../../../sandbox/store/records.ts"
import { type Fleet, startFleet } from "../fleet.ts"
import { readRows, submitJob, untilDone } from "../job-client.ts"
import { startKills } from "../kills.ts"
import { createRandom, type Random } from "../random.ts"
import type { RunOptions } from "../run-scenarios.ts"
import { shortMs, shortTimes } from "../scenario.ts"
import { orderFaults, redeemFaults } from "./order-faults.ts"
import { countRedemptions, redeemRows, sentTwice } from "./redeem-rows.ts"
import { missedOrders, trackingRows } from "./tracking-rows.ts"

/** A run over HTTP with real kills: its report and missed goals. */
type LongRun = (
  seed: number,
  options: RunOptions,
  databaseUrl: string | undefined,
) => Promise<{ readonly lines: readonly string[]; readonly missed: readonly string[] }>

interface Run {
  readonly name: string
  readonly members: number
  readonly kills: number
  readonly faults: readonly FaultInput[]
  readonly body: (sandbox: Sandbox, random: Random) => CreateJobBody
  readonly missed: (sandbox: Sandbox, rows: readonly JobRow[], job: Job) => string[]
}

const withinMs = 15 * 60_000

/** Two apps if there is a database, otherwise one on SQLite. */
async function play(seed: number, run: Run, databaseUrl: string | undefined): ReturnType<LongRun> {
  const random = createRandom(seed)
  const fleet: Fleet = await startFleet({
    instances: databaseUrl === undefined ? 1 : 2,
    times: shortTimes,
    ...(databaseUrl !== undefined && { databaseUrl }),
    sandbox: { seed, members: run.members },
  })
  const { sandbox } = fleet
  try {
    const body = run.body(sandbox, random)
    for (const fault of run.faults) sandbox.faults.add(fault)
    const from = performance.now()
    const made = await submitJob(fleet.ask, body)
    const kills = startKills(fleet, run.kills, Math.max(1, Math.floor(body.rows.length / run.kills)), random)
    const job = await untilDone(fleet.ask, made.id, withinMs)
    const ms = performance.now() - from
    await kills.stop()
    await sandbox.settleAll()
    const rows = await readRows(fleet.ask, job.id)
    const each = (sandbox.requests.count / rows.length).toFixed(2)
    return {
      lines: [
        `${run.name}, seed ${seed}: ${JSON.stringify(job.counts)}`,
        `  ${rows.length} rows in ${(ms / 1000).toFixed(1)} s, ${kills.count} kills, ${fleet.apps.length} apps, ${each} requests a row`,
      ],
      missed: run.missed(sandbox, rows, job).slice(0, 20),
    }
  } finally {
    await fleet.close()
  }
}

/** A tenth of the rows and a quarter of the kills of the other runs: 1,000 orders and 5 kills by default. */
const orders: LongRun = (seed, { rows, kills }, databaseUrl) => {
  let before: readonly OrderRecord[] = []
  let updates: ReturnType<typeof trackingRows> = []
  return play(
    seed,
    {
      name: "order updates, 10 % faults, kills",
      members: rows,
      kills: Math.ceil(kills / 4),
      faults: orderFaults(0.1, shortMs),
      body: (sandbox, random) => {
        before = structuredClone(sandbox.store.orders.all)
        updates = trackingRows(before, Math.ceil(rows / 10), random)
        return { kind: "order-update", rows: updates }
      },
      missed: (sandbox, _, job) => [
        ...(job.counts.confirmed === updates.length ? [] : [`${job.counts.confirmed} are confirmed`]),
        ...missedOrders(sandbox, before, updates),
      ],
    },
    databaseUrl,
  )
}

/** 200 redemptions and 5 kills by default. */
const redemptions: LongRun = (seed, { rows, kills }, databaseUrl) =>
  play(
    seed,
    {
      name: "redemptions, 20 % faults, kills",
      members: 1200,
      kills: Math.ceil(kills / 4),
      faults: redeemFaults(0.2, shortMs),
      body: (sandbox) => ({ kind: "redeem", rows: redeemRows(sandbox, Math.ceil(rows / 50), 4) }),
      missed(sandbox, rows) {
        const counted = rows.map(({ row, state, input, upstream_id }) => ({
          row,
          state,
          input,
          upstreamId: upstream_id,
          decision: null,
        }))
        const { notes, open } = countRedemptions(sandbox, counted)
        return [
          ...notes,
          ...sentTwice(sandbox).map((body) => `sent again: ${body}`),
          ...(open <= 0.2 * rows.length ? [] : [`${open} are left to a person`]),
        ]
      },
    },
    databaseUrl,
  )

/** The long order runs by name. */
export const orderRuns: Readonly<Record<string, LongRun>> = { orders, redemptions }
