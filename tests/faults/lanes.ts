import { startFleet, type Fleet } from "./fleet.ts"
import { readJob, submitJob } from "./job-client.ts"
import { awardRows, memberIds } from "./made-up-rows.ts"
import { createRandom } from "./random.ts"
import { until } from "./until.ts"

/** Requests a minute that are allowed while the lanes are measured. */
const limit = 600
/** The budget counts over this, in ms: a little more than a minute. */
const windowMs = 61_000
/** How long background work is watched alone, in ms. */
const aloneMs = 2 * windowMs
/** Reads of a person while the job runs, and the time between two of them, in ms. */
const reads = { count: 80, everyMs: 700 }

const median = 300
const p95 = 1500
const share = 0.98

/**
 * Measures both promises about the lanes (docs/decisions/0001-budget.md): alone, background work takes nearly all that is
 * allowed; and somebody who reads meanwhile does not feel it.
 */
export async function measureLanes(): Promise<{ lines: readonly string[]; missed: readonly string[] }> {
  const times = { settle: 120, recheck: 60, lease: 30, call: 12 }
  const fleet = await startFleet({ instances: 1, times, rateLimit: limit, sandbox: { members: 6000 } })
  try {
    const rows = awardRows(fleet.sandbox, 6000, createRandom(1))
    const { id } = await submitJob(fleet.ask, { kind: "award", rows, options: { mode: "single" } })
    // The first minute fills the window; posting the job counted as somebody being there.
    await until("the first full minute", 3 * windowMs, () =>
      fleet.sandbox.requests.count > 1.9 * limit ? true : undefined,
    )
    const before = { at: performance.now(), count: fleet.sandbox.requests.count }
    await until("two minutes alone", 3 * windowMs, () =>
      performance.now() - before.at >= aloneMs ? true : undefined,
    )
    const passed = performance.now() - before.at
    const used = (fleet.sandbox.requests.count - before.count) / ((limit * passed) / windowMs)
    const waits = await readMeanwhile(fleet)
    const { state } = await readJob(fleet.ask, id)
    const middle = waits[Math.floor(waits.length / 2)] ?? Infinity
    const slow = waits[Math.floor(waits.length * 0.95)] ?? Infinity
    const missed = [
      ...(used < share ? [`background work took ${(used * 100).toFixed(1)} % of what is allowed`] : []),
      ...(middle >= median ? [`the median read took ${middle.toFixed(0)} ms`] : []),
      ...(slow >= p95 ? [`one read in twenty took more than ${slow.toFixed(0)} ms`] : []),
      ...(state === "running" ? [] : [`the job was ${state} before the reads were over`]),
    ]
    const lines = [
      `lanes at ${limit} a minute: background work alone took ${(used * 100).toFixed(1)} % over ${(passed / 1000).toFixed(0)} s`,
      `  ${waits.length} reads meanwhile: median ${middle.toFixed(0)} ms, p95 ${slow.toFixed(0)} ms, longest ${(waits.at(-1) ?? 0).toFixed(0)} ms`,
    ]
    return { lines, missed }
  } finally {
    await fleet.close()
  }
}

/** Reads one member after another that nobody has read before, and tells how long each took, shortest first. */
async function readMeanwhile(fleet: Fleet): Promise<number[]> {
  const waits: number[] = []
  let next = performance.now()
  for (const id of memberIds(fleet.sandbox, reads.count)) {
    await until("the next read", 60_000, () => (performance.now() >= next ? true : undefined))
    next += reads.everyMs
    const from = performance.now()
    const { status } = await fleet.ask(`/program/members/${id}`)
    if (status !== 200) throw new Error(`A read answered ${status}.`)
    waits.push(performance.now() - from)
  }
  return waits.toSorted((a, b) => a - b)
}
