import { useQueryClient } from "@tanstack/react-query"
import { getRouteApi, useMatches, useNavigate } from "@tanstack/react-router"
import { type Member, settableMemberStatuses } from "../../../../contract/program/member.ts"
import { sees } from "../../../../contract/redaction.ts"
import { readMemberFresh } from "../../../api/member-fresh.ts"
import { memberQuery } from "../../../api/members.ts"
import { useCan, useSession } from "../../../api/session.ts"

const route = getRouteApi("/_app/members_/$memberId")

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
  if (last === "/_app/members_/$memberId/orders") return "orders"
  if (last === "/_app/members_/$memberId/cards") return "cards"
  if (last === "/_app/members_/$memberId/details") return "details"
  if (last === "/_app/members_/$memberId/notes") return "notes"
  return last === "/_app/members_/$memberId/" ? "ledger" : (behind ?? "ledger")
}

/** What the person may see and do on a member's page. The server decides again. */
export interface MemberAccess {
  /** Balance and ledger. */
  readonly points: boolean
  /** E-mail, company, tier, status and times; without them only the name and the id are there. */
  readonly record: boolean
  /** Phone and metadata. */
  readonly everything: boolean
  /** The tabs there are, in order. */
  readonly tabs: readonly MemberTab[]
}

/** Reads the roles table for a member's page. */
export function useMemberAccess(): MemberAccess {
  const { role } = useSession().user
  const points = useCan("ledger.read")
  const orders = useCan("orders.read")
  const cards = useCan("cards.read")
  const notes = useCan("notes.read")
  const record = sees("member", role, "email")
  const tabs: MemberTab[] = []
  if (points) tabs.push("ledger")
  if (orders) tabs.push("orders")
  if (cards) tabs.push("cards")
  if (record) tabs.push("details")
  if (notes) tabs.push("notes")
  return { points, record, everything: sees("member", role, "metadata"), tabs }
}

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

/** Reads the member again past every cache. What was read stays until then; the page shows a failure beside it. */
export function useRereadMember(memberId: string): () => void {
  const queryClient = useQueryClient()
  return () => {
    void readMemberFresh(queryClient, memberId).catch(() => {
      // The query keeps the error, and the page shows it.
    })
  }
}

/**
 * The member as its own page reads it. A row of a list opened minutes ago is good enough here: opening the page then
 * costs two requests, for balance and ledger, and not a third. What is changed through the desk arrives as an event,
 * the details say how old the copy is, and an edit begins with a fresh read.
 */
export function memberRecordQuery(memberId: string) {
  // The route asks before the page is there; one that comes after a failure says so and does not ask again.
  return { ...memberQuery(memberId), staleTime: 5 * 60_000, retryOnMount: false }
}

/** A status that can be set. */
type SettableStatus = (typeof settableMemberStatuses)[number]

/** The status as one that can be set, or null where it is one that can only be read (`pending`, unlisted). */
export function settableStatusOf({ status }: Pick<Member, "status">): SettableStatus | null {
  // Case does not matter: the gift-card service writes with a capital.
  return settableMemberStatuses.find((each) => each === status?.toLowerCase()) ?? null
}

/** The status that one click sets: an active member can be deactivated, every other one activated. */
export function otherStatus(member: Pick<Member, "status">): SettableStatus {
  return settableStatusOf(member) === "active" ? "inactive" : "active"
}
