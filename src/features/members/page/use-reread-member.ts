import { useQueryClient } from "@tanstack/react-query"
import { memberQuery } from "../../../api/members.ts"

/** Reads the member again past every cache. What was read stays until then; the page shows a failure beside it. */
export function useRereadMember(memberId: string): () => void {
  const queryClient = useQueryClient()
  return () => {
    void queryClient.fetchQuery({ ...memberQuery(memberId, { fresh: true }), staleTime: 0 }).catch(() => {
      // The query keeps the error, and the page shows it.
    })
  }
}
