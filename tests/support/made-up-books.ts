import { type BookDifference, type BookLine, type BookStatement, flowTypes } from "../../contract/books.ts"

const none = { points: 0, entries: 0 }
const fullCoverage = {
  read: 10_000,
  members: 10_000,
  from: "2026-10-31T14:02:00.000Z",
  to: "2026-11-01T18:40:00.000Z",
}
const partCoverage = { ...fullCoverage, read: 9980 }

/** Months of a made-up program, newest first: one runs, one is over, one is closed. */
export const madeUpMonths: readonly BookLine[] = [
  {
    month: "2026-11",
    state: "running",
    coverage: { ...fullCoverage, read: 8200 },
    closed_at: null,
    closing: null,
    unexplained: null,
  },
  {
    month: "2026-10",
    state: "ready",
    coverage: fullCoverage,
    closed_at: null,
    closing: 1_240_000,
    unexplained: 1,
  },
  {
    month: "2026-09",
    state: "closed",
    coverage: partCoverage,
    closed_at: "2026-10-02T01:00:00.000Z",
    closing: 1_200_000,
    unexplained: 0,
  },
]

/** The statement of October, which adds up; `changes` replaces parts. */
export function madeUpStatement(changes: Partial<BookStatement> = {}): BookStatement {
  const amounts = {
    award: [90_000, 2500],
    deduct: [-1500, 0],
    redeem: [-48_000, 0],
    expire: [0, -2000],
    adjust: [0, 0],
    other: [0, 0],
  } as const
  const flows = flowTypes.map((type) => {
    const [ours, foreign] = amounts[type]
    return {
      type,
      ours: { points: ours, entries: ours === 0 ? 0 : 40 },
      foreign: { points: foreign, entries: foreign === 0 ? 0 : 1 },
    }
  })
  return {
    month: "2026-10",
    from: "2026-09-30T14:00:00.000Z",
    to: "2026-10-31T14:00:00.000Z",
    time_zone: "Australia/Brisbane",
    state: "ready",
    as_of: "2026-11-02T00:05:00.000Z",
    closed_by: null,
    coverage: fullCoverage,
    opening: 1_200_000,
    closing: 1_240_000,
    flows,
    brought_in: { points: 500, entries: 1 },
    late: { points: -250, entries: 1 },
    deleted: { points: 1000, entries: 1 },
    awaiting: { points: 750, entries: 1 },
    missing: { points: 200, entries: 1 },
    unexplained: { points: -250, entries: 1 },
    ...changes,
  }
}

/** Nothing but Laurel's own entries. */
export const noDifferences = {
  flows: [],
  brought_in: none,
  late: none,
  deleted: none,
  awaiting: none,
  missing: none,
  unexplained: none,
}

const difference = (id: string, changes: Partial<BookDifference>): BookDifference => ({
  id,
  class: "foreign",
  member: { id: `mem_${id}`, name: `Member ${id}` },
  points: 2500,
  at: "2026-10-12T01:00:00.000Z",
  transaction_id: `txn_${id}`,
  type: "award",
  reason: "Trade night",
  reference: "INV-1",
  row: null,
  ...changes,
})

/** One difference of each of three classes. */
export const madeUpDifferences: readonly BookDifference[] = [
  difference("1", {
    class: "unexplained",
    points: -250,
    transaction_id: null,
    type: null,
    reason: null,
    reference: null,
  }),
  difference("2", { class: "missing", points: 200, row: { job: "J-12", row: 3 } }),
  difference("3", {}),
]
