import { beforeEach, describe, expect, it } from "vitest"
import { createFakeClock } from "../../support/fake-clock.ts"
import { digestAtOnce } from "../in-process.ts"
import { memoryStore } from "./backed-up-store.ts"
import { playRestore } from "./play-restore.ts"
import { restoreKinds } from "./restore-kinds.ts"

beforeEach(digestAtOnce)

const times = { settleMs: 2000, recheckMs: 1000, leaseMs: 4000, callMs: 800 }

// `npm run faults restores` plays twenty moments of each, in files and PostgreSQL.
describe("a back-up taken while a job runs and put back later: nothing lost, nothing doubled", () => {
  it.each(
    restoreKinds.flatMap((kind) => (["store", "folder"] as const).map((scope) => [kind, scope] as const)),
  )("%s, the %s is put back", async (kind, scope) => {
    for (const [seed, notSent, rows] of [
      [1, 0, 12],
      [4, 0.3, 12],
      // Redemptions that waited for one of the same member when the back-up was taken.
      ...(kind === "redeem"
        ? ([
            [230, 0, 24],
            [274, 0, 24],
          ] as const)
        : []),
    ] as const) {
      const clock = createFakeClock()
      const pass = () => clock.advance(100)
      const ground = { clock, store: memoryStore(clock), times, pass, longestMs: 3_600_000 }
      const end = await playRestore({ kind, scope, seed, rows, lagMs: 0, notSent }, ground)
      expect(end.mistakes).toEqual([])
      // Orders are safe without: each is compared before it is changed.
      const mustShow = end.overtaken > 0 && kind !== "order-update"
      const signs = [
        ...(scope === "store" ? ["counter"] : ["sample"]),
        ...(mustShow ? [] : [undefined, "counter"]),
      ]
      expect(signs).toContain(end.sign)
    }
  })
})
