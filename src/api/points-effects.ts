import type { QueryClient } from "@tanstack/react-query"
import { markChanged } from "../lib/just-changed.ts"
import { memberQuery, membersKey } from "./members.ts"
import { balanceQuery, pointsKey } from "./points.ts"

/**
 * Members' points have changed: whatever the page shows of them is read again, and their rows are pointed out. The
 * balance is asked for past every cache, because it is what the person looks at next.
 */
export function rereadPoints(queryClient: QueryClient, memberIds: readonly string[]): void {
  for (const id of memberIds) {
    markChanged(id)
    const balance = balanceQuery(id, { fresh: true })
    const { queryKey } = balance
    if (queryClient.getQueryCache().find({ queryKey })?.isActive() === true) {
      void queryClient.fetchQuery({ ...balance, staleTime: 0 }).catch(() => {
        // The query keeps the error, and the page shows it.
      })
    }
    void queryClient.invalidateQueries({
      queryKey: pointsKey(id),
      predicate: (query) => query.queryKey.join() !== queryKey.join() || !query.isActive(),
    })
    void queryClient.invalidateQueries({ queryKey: memberQuery(id).queryKey })
  }
  void queryClient.invalidateQueries({ queryKey: membersKey })
}
