import { useQuery } from "@tanstack/react-query"
import { movesOf, type ObservedMoves, orderMovesQuery } from "../../../api/order-book.ts"
import { useSession } from "../../../api/session.ts"

/**
 * Moves of order statuses that were observed here; undefined for those who may not look at everybody's: what they do
 * not see may well have been tried.
 */
export function useMoves(): ObservedMoves | undefined {
  const grant = useSession().permissions["audit.read"]
  const seesAll = grant === "yes" || grant === "program"
  return useQuery({ ...orderMovesQuery, select: movesOf, enabled: seesAll }).data
}
