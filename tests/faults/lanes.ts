import { type Fleet, startFleet } from "./fleet.ts"
import { readJob, submitJob } from "./job-client.ts"
import { awardRows, memberIds } from "./made-up-rows.ts"
import { createRandom } from "./random.ts"
import { until } from "./until.ts"

/** Rate limit during the measurement, requests a minute: the default plan. */
const limit = 60
/** The budget's window, in ms: a little more than a minute. */
const windowMs = 61_000
/** Measured windows without any user. */
const windows = 3
/** A user's reads while the job runs, and the interval between them, in ms. */
const reads = { count: 24, everyMs: 7000 }

/** Goals: ms, and the used share of the rate limit. */
const goals = { median: 300, p95: 1500, used: 0.98 }

/**
 * Measures the lanes (docs/budget.md): background work alone uses nearly the whole rate limit, and a
 * user's reads meanwhile are fast from the first one on.
 */
export async function measureLanes(): Promise<{ lines: readonly string[]; missed: readonly string[] }> {
  const times = { settle: 120, recheck: 60, lease: 30, call: 12 }
  const fleet = await startFleet({ instances: 1, times, rateLimit: limit, sandbox: { members: 1200 } })
  try {
    const rows = awardRows(fleet.sandbox, 1200, createRandom(1))
    const { id } = await submitJob(fleet.ask, { kind: "award", rows, options: { mode: "single" } })
    // Creating the job counted as user activity, so the first two windows are not measured.
    const first = await timeOf(fleet, 2 * limit)
    const last = await timeOf(fleet, (2 + windows) * limit)
    const used = (windows * windowMs) / (last - first)
    const waits = await readMeanwhile(fleet)
    const { state } = await readJob(fleet.ask, id)
    const middle = waits[Math.floor(waits.length / 2)] ?? Infinity
    const slow = waits[Math.floor(waits.length * 0.95)] ?? Infinity
    const missed = [
      ...(used < goals.used ? [`background work took ${(used * 100).toFixed(1)} % of what is allowed`] : []),
      ...(middle >= goals.median ? [`the median read took ${middle.toFixed(0)} ms`] : []),
      ...(slow >= goals.p95 ? [`one read in twenty took more than ${slow.toFixed(0)} ms`] : []),
      ...(state === "running" ? [] : [`the job was ${state} before the reads were over`]),
    ]
    const lines = [
      `lanes at ${limit} a minute: background work alone took ${(used * 100).toFixed(1)} % over ${((last - first) / 1000).toFixed(0)} s`,
      `  ${waits.length} reads meanwhile: median ${middle.toFixed(0)} ms, p95 ${slow.toFixed(0)} ms, longest ${(waits.at(-1) ?? 0).toFixed(0)} ms`,
    ]
    return { lines, missed }
  } finally {
    await fleet.close()
  }
}

/** Time at which the nth request reached the service. */
async function timeOf(fleet: Fleet, nth: number): Promise<number> {
  return until(
    `request ${nth}`,
    (nth / limit + 2) * windowMs,
    () => fleet.sandbox.requests.entries.find(({ seq }) => seq === nth)?.at,
    500,
  )
}

/** Reads uncached members one by one; returns the durations, shortest first. */
async function readMeanwhile(fleet: Fleet): Promise<number[]> {
  const waits: number[] = []
  let next = performance.now()
  for (const id of memberIds(fleet.sandbox, reads.count)) {
    await until("the next read", 60_000, () => (performance.now() >= next ? true : undefined))
    next += reads.everyMs
    const from = performance.now()
    // A page retries when the budget makes it wait; what counts is when the user sees data.
    await until("a member", 3 * windowMs, async () => {
      const { status } = await fleet.ask(`/program/members/${id}`)
      return status === 200 ? true : undefined
    })
    waits.push(performance.now() - from)
  }
  return waits.toSorted((a, b) => a - b)
}
