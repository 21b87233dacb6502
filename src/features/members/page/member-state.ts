import { useQueryClient } from "@tanstack/react-query"
import { getRouteApi, useMatches, useNavigate } from "@tanstack/react-router"
import { type MemberDetailName, memberFields } from "../../../../contract/program/member-fields.ts"
import { type Member, settableMemberStatuses } from "../../../../contract/program/member.ts"
import { sees } from "../../../../contract/redaction.ts"
import { listed } from "../../../lib/format.ts"
import { readMemberFresh, memberQuery } from "../../../api/members.ts"
import { sessionCan, useSession } from "../../../api/session.ts"

const route = getRouteApi("/_app/members_/$memberId")

/** The tabs of a member's page in order: path, label, and the text of a refusal. */
export const memberTabs = {
  ledger: { to: "/members/$memberId", label: "Ledger", subject: "Balance and ledger are" },
  orders: { to: "/members/$memberId/orders", label: "Orders", subject: "Orders are" },
  cards: { to: "/members/$memberId/cards", label: "Gift cards", subject: "Gift cards are" },
  details: { to: "/members/$memberId/details", label: "Details", subject: "Details are" },
  notes: { to: "/members/$memberId/notes", label: "Notes", subject: "Notes are" },
} as const
export type MemberTab = keyof typeof memberTabs
const tabNames = Object.keys(memberTabs) as MemberTab[]

/** Labels of details in a sentence, with the custom fields: `phone and custom fields`. */
export function fieldList(details: readonly MemberDetailName[]): string {
  return listed([...details, "metadata" as const].map((name) => memberFields[name].label.toLowerCase()))
}

export function useMemberId(): string {
  return route.useParams().memberId
}

/** The visible tab: named by the URL, or by the dialog above it. */
export function useMemberTab(): MemberTab {
  const behind = route.useSearch({ select: (search) => search.behind })
  return useMatches({
    select: (matches) => {
      const last = matches.at(-1)?.fullPath.replace(/\/$/, "")
      return tabNames.find((tab) => memberTabs[tab].to === last) ?? behind ?? "ledger"
    },
  })
}

/** The URL of a dialog above a member's page. It names the tab behind it, unless that is the ledger. */
export function dialogAddress(
  dialog: "edit" | "deactivate" | "merge" | "delete",
  memberId: string,
  tab: MemberTab,
) {
  return {
    from: "/members/$memberId",
    to: `/members/$memberId/${dialog}`,
    params: { memberId },
    search: <S extends object>(now: S) => ({ ...now, behind: tab === "ledger" ? undefined : tab }),
    resetScroll: false,
  } as const
}

/** What the user may see on a member's page, by the roles table. The server decides again. */
export function useMemberAccess() {
  const session = useSession()
  const { role } = session.user
  const points = sessionCan(session, "ledger.read")
  // Without the record only the name and the id are known.
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

/** Returns from a dialog to the tab behind it, with the ledger's filters. */
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

/** Refetches the member past every cache. The page shows the query's error. */
export function useRereadMember(memberId: string): () => void {
  const queryClient = useQueryClient()
  return () => void readMemberFresh(queryClient, memberId).catch(() => undefined)
}

/**
 * The member as its own page reads it. A list row of a few minutes ago is enough, so that opening the page costs two
 * requests (balance and ledger) instead of three. Changes made in Laurel arrive as events, the details show the
 * record's age, and the record is read before an edit is sent.
 */
export function memberRecordQuery(memberId: string) {
  // The route's loader fetches first; after its failure the page shows the error without a new request.
  return { ...memberQuery(memberId), staleTime: 5 * 60_000, retryOnMount: false }
}

/** The status if it can be set, null for a read-only one (`pending`, unlisted). */
export function settableStatus({ status }: Pick<Member, "status">) {
  // Case-insensitive: the gift-card service capitalises it.
  return settableMemberStatuses.find((each) => each === status?.toLowerCase()) ?? null
}

/** The status set by one click: active members are deactivated, all others activated. */
export function otherStatus(member: Pick<Member, "status">) {
  return settableStatus(member) === "active" ? "inactive" : "active"
}
