import { auditQuery, type AuditPart } from "./audit.ts"

/** How often a move from one status to another was seen to be taken and refused. */
interface ObservedMove {
  readonly taken: number
  readonly refused: number
}

/** Moves by `from>to`, as far as the newest of our own changes show. */
export type ObservedMoves = ReadonlyMap<string, ObservedMove>

/** Parts of 50 entries that are looked through. */
const parts = 4

/**
 * Our own newest changes of single orders, 200 at most, from the audit log: no upstream request. `movesOf` reads the
 * observed moves from them.
 */
export const orderMovesQuery = { ...auditQuery({ action: "order.update" }, parts), staleTime: 5 * 60_000 }

/** Moves of order statuses as they were observed here: the service documents none (docs/api/program.md, States). */
export function movesOf({ entries }: AuditPart): ObservedMoves {
  const moves = new Map<string, ObservedMove>()
  for (const { changes, outcome } of entries) {
    const status = changes.find(({ field }) => field === "status")
    if (!status?.from || !status.to || status.from === status.to) continue
    const key = moveKey(status.from, status.to)
    const { taken, refused } = moves.get(key) ?? { taken: 0, refused: 0 }
    if (outcome === "done") moves.set(key, { taken: taken + 1, refused })
    if (outcome === "refused") moves.set(key, { taken, refused: refused + 1 })
  }
  return moves
}

/** Names a move. */
export function moveKey(from: string, to: string): string {
  return `${from.toLowerCase()}>${to.toLowerCase()}`
}
