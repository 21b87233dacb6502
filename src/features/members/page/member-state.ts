import { useQueryClient } from "@tanstack/react-query"
import { getRouteApi, useMatches, useNavigate } from "@tanstack/react-router"
import { type Member, settableMemberStatuses } from "../../../../contract/program/member.ts"
import { sees } from "../../../../contract/redaction.ts"
import { readMemberFresh, memberQuery } from "../../../api/members.ts"
import { sessionCan, useSession } from "../../../api/session.ts"

const route = getRouteApi("/_app/members_/$memberId")

/** The tabs of a member's page in their order: address, label, and what a refusal says. */
export const memberTabs = {
  ledger: { to: "/members/$memberId", label: "Ledger", subject: "Balance and ledger are" },
  orders: { to: "/members/$memberId/orders", label: "Orders", subject: "Orders are" },
  cards: { to: "/members/$memberId/cards", label: "Gift cards", subject: "Gift cards are" },
  details: { to: "/members/$memberId/details", label: "Details", subject: "Details are" },
  notes: { to: "/members/$memberId/notes", label: "Notes", subject: "Notes are" },
} as const
export type MemberTab = keyof typeof memberTabs
const tabNames = Object.keys(memberTabs) as MemberTab[]

/** The documented fields of a record that are one value; the rest is metadata, and what the service adds. */
export const recordFields = [
  "id",
  "email",
  "first_name",
  "last_name",
  "company",
  "phone",
  "points_balance",
  "tier",
  "status",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof Member)[]

export function useMemberId(): string {
  return route.useParams().memberId
}

/** The tab on the screen: the address names it, or the dialog above it says which one stands behind. */
export function useMemberTab(): MemberTab {
  const behind = route.useSearch({ select: (search) => search.behind })
  return useMatches({
    select: (matches) => {
      const last = matches.at(-1)?.fullPath.replace(/\/$/, "")
      return tabNames.find((tab) => memberTabs[tab].to === last) ?? behind ?? "ledger"
    },
  })
}

/** The address of a dialog above a member's page. It names the tab behind it; the ledger is left out. */
export function dialogAddress(dialog: "edit" | "deactivate" | "delete", memberId: string, tab: MemberTab) {
  return {
    from: "/members/$memberId",
    to: `/members/$memberId/${dialog}`,
    params: { memberId },
    search: <S extends object>(now: S) => ({ ...now, behind: tab === "ledger" ? undefined : tab }),
    resetScroll: false,
  } as const
}

/** What the person may see on a member's page, by the roles table. The server decides again. */
export function useMemberAccess() {
  const session = useSession()
  const { role } = session.user
  const points = sessionCan(session, "ledger.read")
  // Without the record only the name and the id are there.
  const record = sees("member", role, "email")
  const may: Readonly<Record<MemberTab, boolean>> = {
    ledger: points,
    orders: sessionCan(session, "orders.read"),
    cards: sessionCan(session, "cards.read"),
    details: record,
    notes: sessionCan(session, "notes.read"),
  }
  return {
    points,
    record,
    everything: sees("member", role, "metadata"),
    tabs: tabNames.filter((tab) => may[tab]),
  }
}

/** Goes back from a dialog to the tab behind it, with the ledger's filters as they were. */
export function useCloseDialog(): () => void {
  const navigate = useNavigate({ from: "/members/$memberId" })
  const memberId = useMemberId()
  const tab = useMemberTab()
  return () =>
    void navigate({
      to: memberTabs[tab].to,
      params: { memberId },
      search: (now) => ({ ...now, behind: undefined }),
      resetScroll: false,
    })
}

/** Reads the member again past every cache. A failure stays with the query, and the page shows it. */
export function useRereadMember(memberId: string): () => void {
  const queryClient = useQueryClient()
  return () => void readMemberFresh(queryClient, memberId).catch(() => undefined)
}

/**
 * The member as its own page reads it. A row of a list opened minutes ago is good enough here: opening the page then
 * costs two requests, for balance and ledger, and not a third. Changes made in Laurel arrive as events, the details
 * say how old the record is, and before an edit is sent the record is read.
 */
export function memberRecordQuery(memberId: string) {
  // The route asks before the page is there; one that comes after a failure says so and does not ask again.
  return { ...memberQuery(memberId), staleTime: 5 * 60_000, retryOnMount: false }
}

/** The status as one that can be set, or null where it is one that can only be read (`pending`, unlisted). */
export function settableStatusOf({ status }: Pick<Member, "status">) {
  // Case does not matter: the gift-card service writes with a capital.
  return settableMemberStatuses.find((each) => each === status?.toLowerCase()) ?? null
}

/** The status that one click sets: an active member can be deactivated, every other one activated. */
export function otherStatus(member: Pick<Member, "status">) {
  return settableStatusOf(member) === "active" ? "inactive" : "active"
}
