import { beforeEach, describe, expect, it } from "vitest"
import { goodFate, type ReadFate } from "./fates.ts"
import { countsLine, fiveCounts } from "./five-counts.ts"
import { createWorld, digestAtOnce } from "./in-process.ts"
import { people } from "./sequence.ts"
import { createSuccession } from "./succession.ts"

const fields: readonly ReadFate[] = ["reason", "reference", "metadata", "points", "created_at"]

beforeEach(digestAtOnce)

describe.each(["single", "bulk"] as const)("awards whose response was lost (%s)", (mode) => {
  it.each(fields)("are not sent again when a damaged read lacks %s", async (field) => {
    const world = createWorld(people)
    world.service.fateOf = (_, nth) =>
      nth === 1 ? { ...goodFate, answer: "none" } : { ...goodFate, answerMs: 100 }
    // Covers every lookup that could resolve the row automatically.
    world.service.readOf = (call) =>
      call.path.endsWith("/transactions") && world.clock.monotonic() < 12_000 ? field : "good"
    const apps = createSuccession(world, [])
    const rows = people.map((member_id) => ({ member_id, points: 5, reason: "Bonus" }))
    await apps.make({ kind: "award", rows, options: { mode, bulk_size: 2 } }, "a-key-of-a-made-up-draft")
    await apps.rest()
    const counts = fiveCounts(world.service.truth, await world.counted())
    expect(countsLine({ ...counts, U: 0 })).toBe("L=0 D=0 P=0 W=0 U=0")
  })
})
