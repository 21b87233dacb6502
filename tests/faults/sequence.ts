import type { CreateJobBody } from "../../contract/job.ts"
import { candidate } from "../../contract/job-rows.ts"
import * as z from "zod/mini"
import { type Fate, goodFate, type ReadFate } from "./fates.ts"
import { fiveCounts, type FiveCounts } from "./five-counts.ts"
import { createWorld, type Process, type World, worldTimes } from "./in-process.ts"
import { ownersIn } from "./owners.ts"
import { createSuccession } from "./succession.ts"

/** A user's action while a job runs. */
export interface Action {
  /** ms after the previous action. */
  readonly after: number
  readonly what: "pause" | "resume" | "cancel" | "retry"
}

/** The events of one state-machine run. */
export interface Sequence {
  readonly body: CreateJobBody
  /** Fates of the writes, in order; later ones succeed. */
  readonly fates: readonly Fate[]
  /** Lag of the history, ms. */
  readonly lagMs: number
  /** Fates of the reads, in order; later ones succeed. */
  readonly reads: readonly ReadFate[]
  /** Step at which each app is killed; the last app survives. */
  readonly kills: readonly number[]
  /** Downtime after each kill, ms. */
  readonly away: readonly number[]
  /** ms by which the service's clock is ahead. */
  readonly clockOffsetMs: number
  readonly actions: readonly Action[]
  /** Whether the person resends rows without an effect instead of leaving them. */
  readonly resends: boolean
}

/** Result of a sequence. */
export interface SequenceEnd {
  readonly counts: FiveCounts
  /** Number of rows that a person decided. */
  readonly decisions: number
}

/** Members of the fake program. */
export const people = ["mem_a", "mem_b", "mem_c", "mem_d", "mem_e"]
const key = "a-key-of-a-made-up-draft"

/** Runs a sequence. Throws if the job never settles. */
export async function playSequence(sequence: Sequence, trace?: (line: string) => void): Promise<SequenceEnd> {
  const world = createWorld(people, trace === undefined ? {} : { trace })
  const { service } = world
  let reads = 0
  service.fateOf = (_, nth) => {
    const fate = sequence.fates[nth - 1] ?? goodFate
    return { ...fate, lagMs: sequence.lagMs }
  }
  service.readOf = () => sequence.reads[reads++] ?? "good"
  service.clockOffsetMs = sequence.clockOffsetMs

  const apps = createSuccession(world, sequence.kills, sequence.away)
  const id = await apps.make(sequence.body, key)
  const requests: { readonly app: Process; isAnswered: boolean }[] = []
  for (const { after, what } of sequence.actions) {
    await world.clock.advance(after)
    const app = apps.now()
    const request = { app, isAnswered: false }
    void app.ask(`POST /jobs/${id}/${what}`, { body: {} }).finally(() => (request.isAnswered = true))
    requests.push(request)
  }
  // The job may change until every action has been processed.
  await world.passUntil(worldTimes.callMs * 10, async () =>
    requests.every(({ app, isAnswered }) => isAnswered || !app.life.alive) ? true : undefined,
  )
  await apps.rest()
  // Decisions may cause resends, so repeat until no row needs one.
  let decisions = 0
  for (let turn = 0; turn < 12; turn += 1) {
    const decided = await decideAll(world, apps.now(), id, sequence.resends)
    decisions += decided
    if (decided === 0) break
    await apps.rest()
  }
  service.settleAll()
  const counted = await world.counted()
  apps.now().life.kill()
  return { counts: fiveCounts(service.truth, counted), decisions }
}

const evidence = z.object({
  data: z.object({ candidates: z.array(candidate), resend: z.object({ allowed: z.boolean() }) }),
})

/**
 * Decides every row that needs a person, based on the ledger: links an existing effect, otherwise resends or leaves.
 */
async function decideAll(world: World, process: Process, id: string, resends: boolean): Promise<number> {
  const [job] = await world.counted()
  if (job === undefined) return 0
  const ownersOf = ownersIn([job])
  const taken = new Set(job.rows.map(({ upstreamId }) => upstreamId))
  let decided = 0
  for (const row of job.rows) {
    if ((row.state !== "absent" && row.state !== "conflict") || row.decision !== undefined) continue
    const path = `/jobs/${id}/rows/${row.row}`
    const mine = world.service.truth.filter(
      (effect) =>
        (effect.kind === "award" || effect.kind === "deduct" || effect.kind === "member-create") &&
        !taken.has(effect.id) &&
        ownersOf(effect).some((owner) => owner.row === row),
    )
    const shown = await answerTo(world, process, `GET ${path}/candidates`)
    const read = evidence.safeParse(shown)
    const there = read.success
      ? read.data.data.candidates.find(
          (one) => one.claimed_by === null && mine.some((effect) => effect.id === one.upstream_id),
        )
      : undefined
    const body =
      there !== undefined
        ? { decision: "happened", upstream_id: there.upstream_id }
        : mine.length === 0 && resends && read.data?.data.resend.allowed === true
          ? { decision: "resend" }
          : { decision: mine.length === 0 ? "leave" : "happened" }
    await answerTo(world, process, `POST ${path}/decision`, body)
    taken.add(there?.upstream_id)
    decided += 1
  }
  return decided
}

async function answerTo(world: World, process: Process, line: string, body?: unknown): Promise<unknown> {
  let answer: unknown
  void process.ask(line, { body }).then((given) => (answer = given.body))
  await world.passUntil(worldTimes.callMs * 10, async () =>
    answer === undefined && process.life.alive ? undefined : true,
  )
  return answer
}
