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

/** A run over HTTP with real kills: what it tells, and what it missed. */
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

/** Two apps on one database where there is one, otherwise one on a file. */
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

/** A tenth of the rows and a quarter of the kills that the others have: 1,000 orders and 5 kills unless told otherwise. */
const orders: LongRun = (seed, { rows, kills }, databaseUrl) => {
  let before: readonly OrderRecord[] = []
  let asked: ReturnType<typeof trackingRows> = []
  return play(
    seed,
    {
      name: "order updates, 10 % faults, kills",
      members: rows,
      kills: Math.ceil(kills / 4),
      faults: orderFaults(0.1, shortMs),
      body: (sandbox, random) => {
        before = structuredClone(sandbox.store.orders.all)
        asked = trackingRows(before, Math.ceil(rows / 10), random)
        return { kind: "order-update", rows: asked }
      },
      missed: (sandbox, _, job) => [
        ...(job.counts.confirmed === asked.length ? [] : [`${job.counts.confirmed} are confirmed`]),
        ...missedOrders(sandbox, before, asked),
      ],
    },
    databaseUrl,
  )
}

/** 200 redemptions and 5 kills unless told otherwise. */
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
        const told = rows.map(({ row, state, input, upstream_id }) => ({
          row,
          state,
          input,
          upstreamId: upstream_id,
          decision: null,
        }))
        const { notes, open } = countRedemptions(sandbox, told)
        return [
          ...notes,
          ...sentTwice(sandbox).map((body) => `sent again: ${body}`),
          ...(open <= 0.2 * rows.length ? [] : [`${open} are left to somebody`]),
        ]
      },
    },
    databaseUrl,
  )

/** The long runs of orders by the name they are asked for with. */
export const orderRuns: Readonly<Record<string, LongRun>> = { orders, redemptions }
