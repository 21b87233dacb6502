import type { Fleet } from "./fleet.ts"
import { awardRows, memberIds } from "./made-up-rows.ts"
import type { QuickRun } from "./quick-run.ts"
import { type Scenario, shortMs } from "./scenario.ts"

type Mode = "single" | "bulk"
/** The last rows of a job may have nothing answered after them that could prove the history up to date. */
const tail = { most: 5 }
const twice = 2 * shortMs.settleMs

function awards(count: number, mode: Mode): Scenario["job"] {
  return (sandbox, random) => ({
    kind: "award",
    rows: awardRows(sandbox, count, random),
    options: { mode, bulk_size: 20 },
  })
}

const hourMs = 3_600_000
const clocks = { single: hourMs, bulk: -hourMs }

const lateAndLagging = (["single", "bulk"] as const).map((mode): QuickRun => ({
  rule: `late commits and a lagging history, each twice the settle time, on a clock an hour off, double nothing (${mode})`,
  scenario: {
    seed: 32,
    job: awards(80, mode),
    sandbox: { settings: { historyLagMs: twice, clockOffsetMs: clocks[mode] } },
    faults: [
      {
        kind: "late-commit",
        ms: twice,
        answer: "drop",
        match: { method: "POST", every: mode === "bulk" ? 3 : 8 },
      },
    ],
  },
  unresolved: mode === "bulk" ? { most: 20 } : tail,
}))

const reasonsCut: QuickRun = {
  rule: "what a cut reason no longer shows is left to somebody",
  scenario: {
    seed: 33,
    job: awards(100, "bulk"),
    sandbox: { settings: { reasonMax: 6, reasonTooLong: "cut" } },
    faults: [{ kind: "drop-after", match: { method: "POST", path: "*/bulk", nth: 2 } }],
  },
  unresolved: { least: 1, most: 40 },
}

const reason = "Sprint week 12"

const sameText = (["single", "bulk"] as const).map((mode): QuickRun => ({
  rule: `others' awards of the same text are not taken for Laurel's own (${mode})`,
  scenario: {
    seed: 34,
    job: (sandbox) => ({
      kind: "award",
      rows: memberIds(sandbox, 60).map((member_id) => ({ member_id, points: 50, reason })),
      options: { mode, bulk_size: 10 },
    }),
    faults: [{ kind: "drop-before", match: { method: "POST", path: "/v1/points/*", every: 5 } }],
    meanwhile: awardByOthers,
  },
  unresolved: mode === "bulk" ? { most: 10 } : tail,
}))

/** Somebody else awards the same members the same for the same reason, past Laurel. */
async function awardByOthers({ sandbox }: Fleet): Promise<ReadonlySet<string>> {
  const { store } = sandbox
  const foreign = new Set<string>()
  for (const memberId of memberIds(sandbox, 60)) {
    const member = store.members.get(memberId)
    if (member === undefined) continue
    const id = store.nextId("txn_", 10)
    const balance = member.balance + 50
    const now = Date.now()
    store.transactions.add({
      id,
      seq: store.turn(),
      memberId,
      type: "award",
      points: 50,
      reason,
      reference: null,
      balanceAfter: balance,
      metadata: null,
      created: now,
      visible: now,
    })
    store.members.put({ ...member, balance })
    store.record(
      {
        kind: "award",
        id,
        memberId,
        points: 50,
        reason,
        reference: null,
        metadata: null,
        bulk: false,
        waiting: false,
      },
      now,
    )
    foreign.add(id)
  }
  return foreign
}

/** What histories, clocks and other people do. */
export const quickHistories: readonly QuickRun[] = [...lateAndLagging, reasonsCut, ...sameText]
