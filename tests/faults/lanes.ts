import { type Fleet, startFleet } from "./fleet.ts"
import { readJob, submitJob } from "./job-client.ts"
import { awardRows, memberIds } from "./made-up-rows.ts"
import { createRandom } from "./random.ts"
import { until } from "./until.ts"

/** Requests a minute that are allowed while the lanes are measured: the plan that everybody begins with. */
const limit = 60
/** The budget counts over this, in ms: a little more than a minute. */
const windowMs = 61_000
/** Windows that are watched while nobody is there. */
const windows = 3
/** Reads of a person while the job runs, and the time between two of them, in ms. */
const reads = { count: 24, everyMs: 7000 }

/** What has to be reached: ms, and the part of the allowed rate. */
const goals = { median: 300, p95: 1500, used: 0.98 }

/**
 * Measures both promises about the lanes (docs/budget.md): alone, background work takes nearly all that
 * is allowed; and somebody who comes and reads meanwhile does not feel it, from the first read on.
 */
export async function measureLanes(): Promise<{ lines: readonly string[]; missed: readonly string[] }> {
  const times = { settle: 120, recheck: 60, lease: 30, call: 12 }
  const fleet = await startFleet({ instances: 1, times, rateLimit: limit, sandbox: { members: 1200 } })
  try {
    const rows = awardRows(fleet.sandbox, 1200, createRandom(1))
    const { id } = await submitJob(fleet.ask, { kind: "award", rows, options: { mode: "single" } })
    // Making the job counted as somebody being there, so the first two windows are not watched.
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

/** When the how-manieth request reached the service. */
async function timeOf(fleet: Fleet, nth: number): Promise<number> {
  return until(
    `request ${nth}`,
    (nth / limit + 2) * windowMs,
    () => fleet.sandbox.requests.entries.find(({ seq }) => seq === nth)?.at,
    500,
  )
}

/** Reads one member after another that nobody has read before, and tells how long each took, shortest first. */
async function readMeanwhile(fleet: Fleet): Promise<number[]> {
  const waits: number[] = []
  let next = performance.now()
  for (const id of memberIds(fleet.sandbox, reads.count)) {
    await until("the next read", 60_000, () => (performance.now() >= next ? true : undefined))
    next += reads.everyMs
    const from = performance.now()
    // A page that is told to wait asks again by itself: what counts is when the person sees something.
    await until("a member", 3 * windowMs, async () => {
      const { status } = await fleet.ask(`/program/members/${id}`)
      return status === 200 ? true : undefined
    })
    waits.push(performance.now() - from)
  }
  return waits.toSorted((a, b) => a - b)
}
