import { useNavigate } from "@tanstack/react-router"
import { useMemberId, useMemberTab, type MemberTab } from "./use-member-page.ts"

/** Where each tab of a member's page is. */
export const tabAddresses = {
  ledger: "/members/$memberId",
  orders: "/members/$memberId/orders",
  cards: "/members/$memberId/cards",
  details: "/members/$memberId/details",
  notes: "/members/$memberId/notes",
} as const satisfies Readonly<Record<MemberTab, string>>

/** Goes back from a dialog to the tab behind it, with the ledger's filters as they were. */
export function useCloseDialog(): () => void {
  const navigate = useNavigate({ from: "/members/$memberId" })
  const memberId = useMemberId()
  const behind = useMemberTab()
  return () =>
    void navigate({
      to: tabAddresses[behind],
      params: { memberId },
      search: (now) => ({ ...now, behind: undefined }),
      resetScroll: false,
    })
}
