import { beforeEach, describe, expect, it } from "vitest"
import { type CreateJobBody, job as jobSchema } from "../../contract/job.ts"
import type { Sandbox } from "../../sandbox/app.ts"
import type { SandboxOptions } from "../../sandbox/config.ts"
import type { FaultInput } from "../../sandbox/faults.ts"
import { countedRecord } from "./counted-job.ts"
import { countsLine, fiveCounts } from "./five-counts.ts"
import { digestAtOnce, worldTimes } from "./in-process.ts"
import { awardRows, memberIds } from "./made-up-rows.ts"
import { dataOf } from "./orders/data-of.ts"
import { createSandboxWorld } from "./orders/sandbox-world.ts"
import { createRandom, type Random } from "./random.ts"

beforeEach(digestAtOnce)

type Mode = "single" | "bulk"

interface History {
  readonly seed: number
  readonly settings?: SandboxOptions["settings"]
  readonly job: (sandbox: Sandbox, random: Random) => CreateJobBody
  readonly faults: readonly FaultInput[]
  /** Effects of others while the job runs; returns their ids. */
  readonly others?: (sandbox: Sandbox, now: number) => ReadonlySet<string>
}

/**
 * Runs a job to its end. Only the last rows may be left to a person: no later response proves that their absence is
 * final.
 */
async function play({ seed, settings, job, faults, others }: History) {
  const random = createRandom(seed)
  const world = createSandboxWorld({ seed, members: 400, ...(settings && { settings }) })
  const { sandbox, store } = world
  const body = job(sandbox, random)
  for (const fault of faults) sandbox.faults.add(fault)
  const app = world.start()
  const made = dataOf(await app.ask("POST /jobs", { body }), 201, jobSchema)
  const foreign = others?.(sandbox, world.clock.now())
  const ended = await world.until("the end of the job", 3_600_000, async () => {
    const now = await store.jobs.get(made.id)
    return now?.state === "done" ? now : undefined
  })
  app.life.kill()
  await sandbox.settleAll()
  const counted = countedRecord(ended, await world.rowsOf(made.id))
  const { U, ...counts } = fiveCounts(sandbox.store.ledger, [counted], foreign)
  const effects = sandbox.store.ledger.length - (foreign?.size ?? 0)
  return { U, effects, counts: countsLine({ ...counts, U: 0 }) }
}

const allRight = "L=0 D=0 P=0 W=0 U=0"
const twice = 2 * worldTimes.settleMs
const hourMs = 3_600_000
const reason = "Sprint week 12"

function awards(count: number, mode: Mode): History["job"] {
  return (sandbox, random) => ({
    kind: "award",
    rows: awardRows(sandbox, count, random),
    options: { mode, bulk_size: 20 },
  })
}

describe("lagging histories, clock offsets and foreign awards: L=D=P=W=0", () => {
  it.each<[Mode, number, number, number]>([
    ["single", hourMs, 8, 5],
    ["bulk", -hourMs, 3, 20],
  ])(
    "late commits and a lagging history of twice the settle time with a clock an hour off double nothing (%s)",
    async (mode, clockOffsetMs, every, most) => {
      const { counts, U, effects } = await play({
        seed: 32,
        job: awards(80, mode),
        settings: { historyLagMs: twice, clockOffsetMs },
        faults: [{ kind: "late-commit", ms: twice, answer: "drop", match: { method: "POST", every } }],
      })
      expect(counts).toBe(allRight)
      expect(U).toBeLessThanOrEqual(most)
      expect(effects).toBeGreaterThanOrEqual(80 - most)
    },
  )

  it("a row whose truncated reason proves nothing is left to a person", async () => {
    const { counts, U, effects } = await play({
      seed: 33,
      job: awards(100, "bulk"),
      settings: { reasonMax: 6, reasonTooLong: "cut" },
      faults: [{ kind: "drop-after", match: { method: "POST", path: "*/bulk", nth: 2 } }],
    })
    expect(counts).toBe(allRight)
    expect(U).toBeGreaterThanOrEqual(1)
    expect(U).toBeLessThanOrEqual(40)
    expect(effects).toBe(100)
  })

  it.each<[Mode, number]>([
    ["single", 5],
    ["bulk", 10],
  ])("foreign awards of the same reason are not taken for Laurel's own (%s)", async (mode, most) => {
    const { counts, U } = await play({
      seed: 34,
      job: (sandbox) => ({
        kind: "award",
        rows: memberIds(sandbox, 60).map((member_id) => ({ member_id, points: 50, reason })),
        options: { mode, bulk_size: 10 },
      }),
      faults: [
        { kind: "drop-before", match: { method: "POST", path: "/v1/points/*", every: 5 } },
        // The foreign awards exist before most of Laurel's.
        { kind: "slow", ms: 300, match: { method: "POST", path: "/v1/points/*" } },
      ],
      others: bookForeignAwards,
    })
    expect(counts).toBe(allRight)
    expect(U).toBeLessThanOrEqual(most)
  })
})

/** Foreign awards to the same members with the same points and reason. */
function bookForeignAwards(sandbox: Sandbox, now: number): ReadonlySet<string> {
  const { store } = sandbox
  const foreign = new Set<string>()
  for (const memberId of memberIds(sandbox, 60)) {
    const member = store.members.get(memberId)
    if (member === undefined) continue
    const id = store.nextId("txn_", 10)
    const balance = member.balance + 50
    const award = { id, memberId, points: 50, reason, reference: null, metadata: null }
    const entry = {
      seq: store.turn(),
      type: "award",
      balanceAfter: balance,
      created: now,
      visible: now,
    } as const
    store.transactions.add({ ...award, ...entry })
    store.members.put({ ...member, balance })
    store.record({ ...award, kind: "award", bulk: false, waiting: false }, now)
    foreign.add(id)
  }
  return foreign
}
