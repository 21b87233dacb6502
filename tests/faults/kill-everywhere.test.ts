import { expect, it } from "vitest"
import { killEverywhere, killFates } from "./kill-everywhere.ts"

// `npm run faults kills-everywhere` plays the other fates as well.
it("a kill before and after every write to the store and every send loses and doubles nothing", async () => {
  const { steps, missed } = await killEverywhere(
    killFates["when answers are lost and calls not carried out in turn"],
  )
  expect(missed).toEqual([])
  expect(steps).toBeGreaterThan(30)
}, 900_000)
