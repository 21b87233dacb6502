import { expect, it } from "vitest"
import { killEverywhere, killFates, killJobs } from "./kill-everywhere.ts"

// `npm run faults kills-everywhere` plays the jobs beside each other, and the other fates as well.
it.each(killJobs.map((job) => [`${job.kind} ${job.options?.mode ?? ""}`.trimEnd(), job] as const))(
  "a kill before and after every write to the store and every send loses and doubles nothing: %s",
  async (_, job) => {
    const fate = killFates["when answers are lost and calls not carried out in turn"]
    const { steps, missed } = await killEverywhere(fate, [job])
    expect(missed).toEqual([])
    expect(steps).toBeGreaterThan(15)
  },
)
