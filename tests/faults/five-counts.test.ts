import { describe, expect, it } from "vitest"
import type { Effect } from "../../sandbox/store/records.ts"
import type { CountedJob, CountedRow } from "./counted-job.ts"
import { countsLine, fiveCounts } from "./five-counts.ts"

function row(number: number, fields: Partial<CountedRow> = {}): CountedRow {
  return {
    row: number,
    state: "confirmed",
    ordinal: undefined,
    memberId: `mem_${number}`,
    email: undefined,
    points: 50,
    reason: "Sprint",
    upstreamId: `txn_${number}`,
    code: undefined,
    decision: undefined,
    ...fields,
  }
}

function job(rows: readonly CountedRow[], fields: Partial<CountedJob> = {}): CountedJob {
  return { id: "J-1", kind: "award", state: "done", batchCode: "7K2QX", rows, ...fields }
}

function award(id: string, number: number, fields: Partial<Extract<Effect, { kind: "award" }>> = {}): Effect {
  return {
    kind: "award",
    seq: 1,
    at: 0,
    id,
    memberId: `mem_${number}`,
    points: 50,
    reason: "Sprint · batch 7K2QX",
    reference: null,
    metadata: null,
    bulk: true,
    waiting: false,
    ...fields,
  }
}

const none: Partial<CountedRow> = { upstreamId: undefined }
const line = (truth: readonly Effect[], jobs: readonly CountedJob[], foreign?: ReadonlySet<string>) =>
  countsLine(fiveCounts(truth, jobs, foreign))

describe("five counts", () => {
  it("are 0 when every row has its effect and there are no others", () => {
    const truth = [award("txn_1", 1), award("txn_2", 2, { reference: "7K2QX.2", reason: "Sprint" })]
    expect(line(truth, [job([row(1), row(2), row(3, { ...none, state: "failed" })])])).toBe(
      "L=0 D=0 P=0 W=0 U=0",
    )
  })

  it("L: confirmed but not in the ledger", () => {
    expect(line([], [job([row(1)])])).toBe("L=1 D=0 P=0 W=0 U=0")
  })

  it("L: confirmed by a person without an id, and not in the ledger", () => {
    expect(line([], [job([row(1, none)])])).toBe("L=1 D=0 P=0 W=0 U=0")
  })

  it("L: never finished; planned rows of a cancelled job do not count", () => {
    const left = [row(1, { ...none, state: "planned" })]
    expect(line([], [job(left), job(left, { batchCode: "OTHER", state: "cancelled" })])).toBe(
      "L=1 D=0 P=0 W=0 U=0",
    )
    expect(line([], [job([row(1, { ...none, state: "sent" })])])).toBe("L=1 D=0 P=0 W=0 U=0")
  })

  it("L: one effect cannot confirm two rows", () => {
    const twice = [row(1), row(2, { memberId: "mem_1", upstreamId: "txn_1" })]
    expect(line([award("txn_1", 1)], [job(twice)])).toBe("L=1 D=0 P=0 W=0 U=0")
  })

  it("L: confirmed with the effect of another row, which then counts as W", () => {
    const rows = [row(1, { upstreamId: "txn_2" }), row(2, { ...none, state: "failed" })]
    expect(line([award("txn_2", 2, { reference: "7K2QX.2" })], [job(rows)])).toBe("L=1 D=0 P=0 W=1 U=0")
  })

  it("L: confirmed with a foreign award of the same reason", () => {
    expect(line([award("txn_1", 1)], [job([row(1)])], new Set(["txn_1"]))).toBe("L=1 D=0 P=0 W=0 U=0")
  })

  it("D: done twice under the row's reference", () => {
    const truth = [
      award("txn_1", 1, { reference: "7K2QX.1" }),
      award("txn_9", 1, { reference: "7K2QX.1", reason: "Sprint" }),
    ]
    expect(line(truth, [job([row(1)])])).toBe("L=0 D=1 P=0 W=0 U=0")
  })

  it("D: done twice under the batch code, and under a truncated reason", () => {
    expect(line([award("txn_1", 1), award("txn_9", 1)], [job([row(1)])])).toBe("L=0 D=1 P=0 W=0 U=0")
    const cut = [award("txn_1", 1), award("txn_9", 1, { reason: "Sprint · b" })]
    expect(line(cut, [job([row(1)])])).toBe("L=0 D=1 P=0 W=0 U=0")
  })

  it("D: three effects for two rows of one member", () => {
    const rows = [row(1), row(2, { memberId: "mem_1" })]
    const truth = [
      award("txn_1", 1),
      award("txn_2", 1, { reason: "Sprint · batch 7K2QX-2" }),
      award("txn_3", 1),
    ]
    expect(line(truth, [job(rows)])).toBe("L=0 D=1 P=0 W=0 U=0")
  })

  it("D: twice for an unknown row", () => {
    const rows = [row(1, { ...none, state: "unknown" })]
    expect(line([award("txn_1", 1), award("txn_2", 1)], [job(rows)])).toBe("L=0 D=1 P=0 W=0 U=1")
  })

  it("P: an effect without a row, unless it is foreign", () => {
    const truth = [award("txn_1", 1), award("txn_7", 7)]
    expect(line(truth, [job([row(1)])])).toBe("L=0 D=0 P=1 W=0 U=0")
    expect(line(truth, [job([row(1)])], new Set(["txn_7"]))).toBe("L=0 D=0 P=0 W=0 U=0")
  })

  it("P: an effect with a job's code but another amount", () => {
    expect(line([award("txn_1", 1), award("txn_7", 1, { points: 51 })], [job([row(1)])])).toBe(
      "L=0 D=0 P=1 W=0 U=0",
    )
  })

  it.each(["failed", "planned", "absent"] as const)("W: %s but in the ledger", (state) => {
    const rows = [row(1, { ...none, state, decision: "leave" })]
    expect(line([award("txn_1", 1)], [job(rows, { state: "cancelled" })])).toBe("L=0 D=0 P=0 W=1 U=0")
  })

  it("U: unknown rows, and undecided absent and conflict rows", () => {
    const states = ["unknown", "absent", "conflict"] as const
    const rows = states.map((state, at) => row(at + 1, { ...none, state }))
    expect(line([], [job(rows)])).toBe("L=0 D=0 P=0 W=0 U=3")
    const decided = rows.slice(1).map((one) => ({ ...one, decision: "leave" as const }))
    expect(line([], [job(decided)])).toBe("L=0 D=0 P=0 W=0 U=0")
  })

  it("count a row that a person decided as happened as confirmed, and check it against the ledger", () => {
    const said = [row(1, { state: "conflict", decision: "happened" })]
    expect(line([award("txn_1", 1)], [job(said)])).toBe("L=0 D=0 P=0 W=0 U=0")
    expect(line([], [job(said)])).toBe("L=1 D=0 P=0 W=0 U=0")
  })

  it("count deductions and new members the same way", () => {
    const deduct = (id: string): Effect => ({
      kind: "deduct",
      seq: 1,
      at: 0,
      id,
      memberId: "mem_1",
      points: -50,
      reason: "Correction · batch AAAAA",
    })
    const made = (id: string): Effect => ({
      kind: "member-create",
      seq: 1,
      at: 0,
      id,
      email: "Ana@dealer.test",
      by: "program",
    })
    const taken = job([row(1, { points: -50, reason: "Correction" })], { kind: "deduct", batchCode: "AAAAA" })
    const people = job(
      [row(1, { memberId: undefined, points: undefined, email: "ana@dealer.test", upstreamId: "mem_9" })],
      { kind: "member-create", batchCode: "BBBBB" },
    )
    expect(line([deduct("txn_1"), made("mem_9")], [taken, people])).toBe("L=0 D=0 P=0 W=0 U=0")
    expect(line([deduct("txn_1"), deduct("txn_2"), made("mem_9"), made("mem_8")], [taken, people])).toBe(
      "L=0 D=2 P=0 W=0 U=0",
    )
  })
})
