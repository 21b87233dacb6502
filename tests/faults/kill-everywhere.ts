import type { Store } from "../../core/ports.ts"
import type { CreateJobBody } from "../../contract/job.ts"
import { type Fate, goodFate } from "./fates.ts"
import { countsLine, type FiveCounts, fiveCounts } from "./five-counts.ts"
import { createWorld, digestAtOnce } from "./in-process.ts"
import type { Life } from "./mortal.ts"
import { createSuccession } from "./succession.ts"
import { people } from "./sequence.ts"

const award = (member_id: string) => ({ member_id, points: 5, reason: "Bonus" })
const [a = "", b = "", c = ""] = people
/** Jobs that cover every way of sending. */
export const killJobs: readonly CreateJobBody[] = [
  { kind: "award", rows: [award(a), award(b), award(c)], options: { mode: "single" } },
  { kind: "award", rows: [award(a), award(b), award(c)], options: { mode: "bulk" } },
  { kind: "deduct", rows: [award(a)] },
]

/** Runs the jobs with a kill at one step; returns the counts and the life of the first app. */
async function play(jobs: readonly CreateJobBody[], kill: number | undefined, fateOf: (nth: number) => Fate) {
  const world = createWorld(people)
  world.service.fateOf = (_, nth) => fateOf(nth)
  const apps = createSuccession(world, kill === undefined ? [] : [kill])
  const first = apps.now()
  for (const [at, body] of jobs.entries()) await apps.make(body, `a-key-of-a-draft-${at}`)
  await apps.rest()
  world.service.settleAll()
  apps.now().life.kill()
  const counts = fiveCounts(world.service.truth, await world.counted())
  return { counts, life: first.life, ends: await jobEnds(world.store) }
}

/** Ids of finished jobs, and of jobs with an end entry in the audit log, once per entry. */
async function jobEnds(store: Store): Promise<{ ended: string[]; logged: string[] }> {
  const all = await store.jobs.list({ perPage: 100 })
  const entries = await store.audit.list({ per_page: 100 }, {})
  const over = all.filter(({ state }) => state === "done" || state === "cancelled")
  const ids = new Set(all.map(({ id }) => id))
  return {
    ended: over.map(({ id }) => id).toSorted(),
    logged: entries.flatMap(({ request_id }) => (ids.has(request_id) ? [request_id] : [])).toSorted(),
  }
}

const lost: Fate = { ...goodFate, answer: "none" }
const notCarriedOut: Fate = { ...lost, commit: null }

/** Fates by call number, from 0. */
export const killFates = {
  "when the service responds well": () => goodFate,
  "when every second response is lost": (nth: number) => (nth % 2 === 0 ? lost : goodFate),
  "when every second call has no effect": (nth: number) => (nth % 2 === 0 ? notCarriedOut : goodFate),
  "when lost responses and calls without effect alternate": (nth: number) =>
    [lost, goodFate, notCarriedOut][nth % 3] ?? goodFate,
} as const

/**
 * Runs jobs with a kill at each of their steps, by default before and after every store write and send; returns a
 * sentence for each mistake.
 */
export async function killEverywhere(
  fateOf: (nth: number) => Fate,
  jobs: readonly CreateJobBody[] = killJobs,
  killsOf = ({ steps }: Life): readonly number[] => Array.from({ length: steps }, (_, at) => at + 1),
): Promise<{ readonly steps: number; readonly missed: readonly string[] }> {
  digestAtOnce()
  const { counts, life } = await play(jobs, undefined, fateOf)
  const missed = mistakes("no kill", counts)
  for (const kill of killsOf(life)) {
    const killed = await play(jobs, kill, fateOf)
    missed.push(...mistakes(`killed at step ${kill}`, killed.counts))
    const { logged, ended } = killed.ends
    if (logged.join() !== ended.join())
      missed.push(`killed at step ${kill}: ended ${ended.join()}, and the audit log says ${logged.join()}`)
  }
  return { steps: life.steps, missed }
}

function mistakes(when: string, counts: FiveCounts): string[] {
  const { L, D, P, W } = counts
  return L + D + P + W === 0 ? [] : [`${when}: ${countsLine(counts)}`, ...counts.notes]
}
