import { beforeEach, describe, expect, it } from "vitest"
import { createFakeClock } from "../../support/fake-clock.ts"
import { digestAtOnce } from "../in-process.ts"
import { memoryStore } from "./backed-up-store.ts"
import { playRestore } from "./play-restore.ts"
import { restoreKinds } from "./restore-kinds.ts"

beforeEach(digestAtOnce)

const times = { settleMs: 2000, recheckMs: 1000, leaseMs: 4000, callMs: 800 }

// `npm run faults restores` restores twenty moments of each, in files and PostgreSQL.
describe("a backup taken during a job and restored later loses and doubles nothing", () => {
  it.each(
    restoreKinds.flatMap((kind) => (["store", "folder"] as const).map((scope) => [kind, scope] as const)),
  )("%s: restoring the %s", async (kind, scope) => {
    for (const [seed, notSent, rows] of [
      [1, 0, 12],
      [4, 0.3, 12],
      // Seeds where a redemption waits for another one of the same member at the backup.
      ...(kind === "redeem"
        ? ([
            [230, 0, 24],
            [274, 0, 24],
            // And where others were passed over until that one was done.
            [6, 0.1, 30],
            [33, 0.1, 30],
          ] as const)
        : []),
    ] as const) {
      const clock = createFakeClock()
      const pass = () => clock.advance(100)
      const ground = { clock, store: memoryStore(clock), times, pass, longestMs: 3_600_000 }
      const end = await playRestore({ kind, scope, seed, rows, lagMs: 0, notSent }, ground)
      expect(end.mistakes).toEqual([])
      // Updates are safe undetected: each compares before it changes.
      const mustShow = end.overtaken > 0 && kind !== "order-update" && kind !== "member-update"
      const signs = [
        ...(scope === "store" ? ["counter"] : ["sample"]),
        ...(mustShow ? [] : [undefined, "counter"]),
      ]
      expect(signs).toContain(end.sign)
    }
  })
})
