import { useQueryClient } from "@tanstack/react-query"
import { readMemberFresh } from "../../../api/member-fresh.ts"

/** Reads the member again past every cache. What was read stays until then; the page shows a failure beside it. */
export function useRereadMember(memberId: string): () => void {
  const queryClient = useQueryClient()
  return () => {
    void readMemberFresh(queryClient, memberId).catch(() => {
      // The query keeps the error, and the page shows it.
    })
  }
}
