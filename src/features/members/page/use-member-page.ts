import { getRouteApi, useMatches } from "@tanstack/react-router"

const route = getRouteApi("/_desk/members_/$memberId")

/** A tab of a member's page. */
export type MemberTab = "ledger" | "orders" | "cards" | "details" | "notes"

/** Whose page this is. */
export function useMemberId(): string {
  return route.useParams().memberId
}

/** The tab on the screen: the address names it, or the dialog above it says which one stands behind. */
export function useMemberTab(): MemberTab {
  const { behind } = route.useSearch()
  const last = useMatches({ select: (matches) => matches.at(-1)?.routeId })
  if (last === "/_desk/members_/$memberId/orders") return "orders"
  if (last === "/_desk/members_/$memberId/cards") return "cards"
  if (last === "/_desk/members_/$memberId/details") return "details"
  if (last === "/_desk/members_/$memberId/notes") return "notes"
  return last === "/_desk/members_/$memberId/" ? "ledger" : (behind ?? "ledger")
}
