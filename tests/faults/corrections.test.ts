import { expect, it } from "vitest"
import * as z from "zod/mini"
import { job as jobSchema } from "../../contract/job.ts"
import { countsLine, fiveCounts } from "./five-counts.ts"
import { type Fate, goodFate } from "./fates.ts"
import { createWorld, digestAtOnce, type World } from "./in-process.ts"
import { people } from "./sequence.ts"
import { createSuccession, type Succession } from "./succession.ts"

const [a = "", b = ""] = people
const invoice = (member_id: string, points: number, changes: object = {}) => ({
  member_id,
  points,
  reason: "Invoice bonus",
  reference: "INV-90001",
  ...changes,
})
const lost: Fate = { ...goodFate, answer: "none" }

/** Points that the service booked for a member, in order. */
const effectsOf = ({ service }: World, member: string) =>
  service.truth.flatMap((effect) =>
    (effect.kind === "award" || effect.kind === "deduct") && effect.memberId === member
      ? { kind: effect.kind, points: effect.points }
      : [],
  )

function has(world: World, member: string): number {
  return effectsOf(world, member).reduce(
    (sum, { kind, points }) => sum + (kind === "deduct" ? -Math.abs(points) : points),
    0,
  )
}

/**
 * Runs `follow` after two awards of 100, with a kill at one step and every third response lost; returns what went
 * wrong and the kills that differ.
 */
async function play(
  kill: number | undefined,
  follow: (world: World, apps: Succession, base: string) => Promise<void>,
) {
  const world = createWorld(people)
  const before = createSuccession(world, [])
  const base = await before.make({ kind: "award", rows: [invoice(a, 100), invoice(b, 100)] }, "base")
  await before.rest()
  before.now().life.kill()
  world.service.fateOf = (_, nth) => (nth % 3 === 1 ? lost : goodFate)
  const apps = createSuccession(world, kill === undefined ? [] : [kill])
  const first = apps.now()
  await follow(world, apps, base)
  await apps.rest()
  world.service.settleAll()
  apps.now().life.kill()
  const counts = fiveCounts(world.service.truth, await world.counted())
  const { L, D, P, W } = counts
  return {
    world,
    kills: first.life.distinctKills,
    wrong: L + D + P + W === 0 ? [] : [countsLine(counts), ...counts.notes],
  }
}

/** Each part covers every third kill, to stay within the test timeout on a busy machine. */
const parts = [0, 1, 2]

async function killEverywhere(
  part: number,
  follow: Parameters<typeof play>[1],
  wrongIn: (world: World) => Promise<readonly string[]>,
): Promise<number> {
  digestAtOnce()
  const { kills } = await play(undefined, follow)
  for (const kill of kills.filter((_, at) => at % parts.length === part)) {
    const { world, wrong } = await play(kill, follow)
    expect([`killed at step ${kill}`, ...wrong, ...(await wrongIn(world))]).toEqual([
      `killed at step ${kill}`,
    ])
  }
  return kills.length
}

it.each(parts)(
  "a correction and its linked deductions are created together or not at all, and each runs once (kills, part %i)",
  async (part) => {
    const rows = [invoice(a, 80, { correction: "difference" }), invoice(b, 150, { correction: "difference" })]
    const kills = await killEverywhere(
      part,
      async (_, apps) => void (await apps.make({ kind: "award", rows }, "correction")),
      async (world) => {
        const jobs = await world.store.jobs.list({ perPage: 100 })
        const linked = jobs.flatMap(({ linked }) => linked ?? []).toSorted()
        // Without evidence, a person decides.
        const counted = (await world.counted()).flatMap(({ rows }) => rows)
        const isOpen = (member: string) =>
          counted.some(({ memberId, state }) => memberId === member && state === "conflict")
        const deductions = jobs.filter(({ kind }) => kind === "deduct")
        return [
          ...((has(world, a) === 80 || isOpen(a)) && (has(world, b) === 150 || isOpen(b))
            ? []
            : [`They have ${has(world, a)}, ${has(world, b)}: ${JSON.stringify(await world.counted())}`]),
          ...(jobs.length === 3 && linked.length === 2 && deductions.length === 1
            ? []
            : ["The jobs aren’t linked."]),
        ]
      },
    )
    expect(kills).toBeGreaterThan(8)
  },
)

it.each(parts)(
  "an award that replaces a reversed one is never sent before the reversal (kills, part %i)",
  async (part) => {
    const kills = await killEverywhere(
      part,
      async (world, apps, base) => {
        const reversal = z.object({ data: jobSchema })
        for (let made = false; !made;) {
          const process = apps.now()
          let answer: unknown
          void process
            .ask(`POST /jobs/${base}/reverse`, { body: {}, headers: { "idempotency-key": "reverse" } })
            .then(({ body }) => (answer = body))
          await world.passUntil(5000, async () =>
            answer === undefined && process.life.alive ? undefined : true,
          )
          made = reversal.safeParse(answer).success
        }
        await apps.make({ kind: "award", rows: [invoice(a, 150), invoice(b, 100)] }, "again")
      },
      async (world) => {
        const wrong: string[] = []
        for (const [member, points] of [
          [a, 150],
          [b, 100],
        ] as const) {
          const kinds = effectsOf(world, member).map(({ kind }) => kind)
          // If the reversal was left to a person, the earlier award stays.
          const isDone = kinds.join() === "award,deduct,award" && has(world, member) === points
          const isLeft = kinds.join() === "award" && has(world, member) === 100
          const isOpen = kinds.join() === "award,deduct" && has(world, member) === 0
          if (!isDone && !isLeft && !isOpen)
            wrong.push(`${member}: ${kinds.join()}, ${has(world, member)} points.`)
        }
        return wrong
      },
    )
    expect(kills).toBeGreaterThan(8)
  },
)
