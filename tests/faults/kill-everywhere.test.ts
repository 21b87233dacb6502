import { expect, it } from "vitest"
import { killEverywhere, killFates, killJobs } from "./kill-everywhere.ts"

// `npm run faults kills-everywhere` runs the jobs concurrently, with the other fates, and kills after writes, too.
it.each(killJobs.map((job) => [`${job.kind} ${job.options?.mode ?? ""}`.trimEnd(), job] as const))(
  "a kill before any store write or send loses and doubles nothing: %s",
  async (_, job) => {
    const fate = killFates["when lost responses and calls without effect alternate"]
    const { steps, missed } = await killEverywhere(fate, [job], (life) => life.distinctKills)
    expect(missed).toEqual([])
    expect(steps).toBeGreaterThan(15)
  },
)
