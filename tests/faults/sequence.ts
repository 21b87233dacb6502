import type { CreateJobBody } from "../../contract/job.ts"
import { candidate } from "../../contract/job-rows.ts"
import * as z from "zod/mini"
import { type Fate, goodFate, type ReadFate } from "./fates.ts"
import { fiveCounts, type FiveCounts } from "./five-counts.ts"
import { createWorld, type Process, type World, worldTimes } from "./in-process.ts"
import { ownersIn } from "./owners.ts"
import { createSuccession } from "./succession.ts"

/** What somebody does at Laurel while a job runs. */
export interface Deed {
  /** ms after the one before. */
  readonly after: number
  readonly what: "pause" | "resume" | "cancel" | "retry"
}

/** Everything that happens in one run of the state machine. */
export interface Sequence {
  readonly body: CreateJobBody
  /** What becomes of each write, in their order; later ones go well. */
  readonly fates: readonly Fate[]
  /** How much later than it was booked the history shows anything, ms. */
  readonly lagMs: number
  /** What becomes of each read, in their order; later ones go well. */
  readonly reads: readonly ReadFate[]
  /** At which of its steps each process is killed; the one after the last lives. */
  readonly kills: readonly number[]
  /** For how long nothing runs after each kill, ms. */
  readonly away: readonly number[]
  /** ms by which the service's clock is ahead. */
  readonly clockOffsetMs: number
  readonly deeds: readonly Deed[]
  /** What the person says where nothing is there: send it again, or leave it. */
  readonly stubborn: boolean
}

/** How it ended. */
export interface SequenceEnd {
  readonly counts: FiveCounts
  /** Times a row was left to a person. */
  readonly asked: number
}

/** The members of the made-up program. */
export const people = ["mem_a", "mem_b", "mem_c", "mem_d", "mem_e"]
const key = "a-key-of-a-made-up-draft"

/** Plays one to its end. Throws when the job never comes to rest. */
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
  const deeds: { readonly asked: Process; isAnswered: boolean }[] = []
  for (const { after, what } of sequence.deeds) {
    await world.clock.advance(after)
    const asked = apps.now()
    const deed = { asked, isAnswered: false }
    void asked.ask(`POST /jobs/${id}/${what}`, {}).finally(() => (deed.isAnswered = true))
    deeds.push(deed)
  }
  // A job that is at rest while somebody's request is still carried out is not at rest.
  await world.passUntil(worldTimes.callMs * 10, async () =>
    deeds.every(({ asked, isAnswered }) => isAnswered || !asked.life.alive) ? true : undefined,
  )
  await apps.rest()
  // What nobody can know is somebody's to say, and that may be wrong to send again: so it goes on until all is said.
  let asked = 0
  for (let turn = 0; turn < 12; turn += 1) {
    const said = await decideAll(world, apps.now(), id, sequence.stubborn)
    asked += said
    if (said === 0) break
    await apps.rest()
  }
  service.settleAll()
  const counted = await world.counted()
  apps.now().life.kill()
  return { counts: fiveCounts(service.truth, counted), asked }
}

const evidence = z.object({
  data: z.object({ candidates: z.array(candidate), resend: z.object({ allowed: z.boolean() }) }),
})

/**
 * Decides every row that waits for somebody, as one who looks closely would: what is there is linked, what is not is
 * sent again or left.
 */
async function decideAll(world: World, process: Process, id: string, stubborn: boolean): Promise<number> {
  const [job] = await world.counted()
  if (job === undefined) return 0
  const ownersOf = ownersIn([job])
  const taken = new Set(job.rows.map(({ upstreamId }) => upstreamId))
  let said = 0
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
        : mine.length === 0 && stubborn && read.data?.data.resend.allowed === true
          ? { decision: "resend" }
          : { decision: mine.length === 0 ? "leave" : "happened" }
    await answerTo(world, process, `POST ${path}/decision`, body)
    taken.add(there?.upstream_id)
    said += 1
  }
  return said
}

async function answerTo(world: World, process: Process, line: string, body?: unknown): Promise<unknown> {
  let answer: unknown
  void process.ask(line, body).then((given) => (answer = given.body))
  await world.passUntil(worldTimes.callMs * 10, async () =>
    answer === undefined && process.life.alive ? undefined : true,
  )
  return answer
}
