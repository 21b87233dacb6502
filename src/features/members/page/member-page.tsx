import { Box } from "@mantine/core"
import { IconUserOff } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense } from "react"
import { LedgerTab } from "../ledger/ledger-tab.tsx"
import { MemberFacts, MemberFigures } from "./member-facts.tsx"
import { MemberHeader } from "./member-header.tsx"
import {
  memberRecordQuery,
  memberTabs,
  useMemberAccess,
  useMemberId,
  useMemberTab,
  useRereadMember,
} from "./member-state.ts"
import { memberMergeQuery, memberNamesQuery } from "../../../api/members.ts"
import { useCan } from "../../../api/session.ts"
import { counted } from "../../../lib/format.ts"
import { Notice } from "../../../ui/notice.tsx"
import tabsLook from "../../../ui/page-tabs.module.css"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { MemberLink, RowLink } from "../../../ui/record-link.tsx"
import { RecordPage } from "../../../ui/record-page.tsx"

const DetailsTab = lazy(async () => ({ default: (await import("./details-tab.tsx")).DetailsTab }))
const NotesTab = lazy(async () => ({ default: (await import("../notes/notes-tab.tsx")).NotesTab }))

/** Tabs contributed by other features, rendered for a member. */
export type MemberPanels = Readonly<Record<"orders" | "cards", (memberId: string) => ReactNode>>

const parent = { label: "Members", to: "/members" }

/** One member: fields, points and ledger. Each part loads and fails independently. */
export function MemberPage({ panels }: { panels: MemberPanels }) {
  const memberId = useMemberId()
  const access = useMemberAccess()
  const requested = useMemberTab()
  const reread = useRereadMember(memberId)
  const tab = access.tabs.includes(requested) ? requested : access.tabs[0]
  const record = useQuery(memberRecordQuery(memberId))
  return (
    <RecordPage
      key={memberId}
      query={record}
      onRefresh={reread}
      noun="member"
      parent={parent}
      fills
      missing={{
        icon: IconUserOff,
        id: memberId,
        help: "It may have been deleted, or the link may be wrong. Search the list by name or e-mail instead.",
      }}
      renderHeader={(member) => <MemberHeader member={member} withActions={access.record} />}
      renderNotes={() => <MemberMerge memberId={memberId} />}
      renderFigures={(member) => access.points && <MemberFigures member={member} record={record.data} />}
      renderFacts={(member) => <MemberFacts member={member} />}
    >
      {() => (
        <>
          {tab !== requested && (
            <Box px="gutter" py={12}>
              <Notice tone="info" title={`${memberTabs[requested].subject} not available to your role`}>
                You can see members’ names and ids only. Ask an administrator to change your role.
              </Notice>
            </Box>
          )}
          {tab !== undefined && (
            <>
              <Box component="nav" pt={4} aria-label="Member" className={tabsLook.tabs}>
                {access.tabs.map((each) => (
                  <Link
                    key={each}
                    from="/members/$memberId"
                    to={memberTabs[each].to}
                    params={{ memberId }}
                    search={(now) => ({ ...now, behind: undefined })}
                    resetScroll={false}
                    className={tabsLook.tab}
                    activeProps={{}}
                    aria-current={each === tab ? "page" : undefined}
                    data-current={each === tab || undefined}
                  >
                    {memberTabs[each].label}
                  </Link>
                ))}
              </Box>
              <Suspense fallback={<SkeletonRows rows={4} columns={[120, 240]} />}>
                {tab === "ledger" && <LedgerTab memberId={memberId} />}
                {(tab === "orders" || tab === "cards") && panels[tab](memberId)}
                {tab === "details" && <DetailsTab memberId={memberId} />}
                {tab === "notes" && <NotesTab memberId={memberId} />}
              </Suspense>
            </>
          )}
        </>
      )}
    </RecordPage>
  )
}

const steps = {
  deducting: (points: string) => `Taking ${points} from this member.`,
  awarding: (points: string) => `${points} taken from this member, not awarded yet.`,
  deactivating: (points: string) => `${points} moved. Deactivating this member.`,
}

/** How far the merge of a member is, with the next step; nothing without one. */
function MemberMerge({ memberId }: { memberId: string }) {
  const { data: found } = useQuery({ ...memberMergeQuery(memberId), enabled: useCan("ledger.read") })
  const { data: known } = useQuery(memberNamesQuery(found ? [found.into] : []))
  if (!found) return null
  const points = counted(found.points, "point")
  const into = <MemberLink id={found.into} text={known?.names.get(found.into) ?? "another member"} />
  if (found.step === "done")
    return (
      <Notice tone="info" title={<>Merged into {into}</>}>
        {found.points > 0 ? `${points} moved` : "There were no points to move"}, and this member was
        deactivated.
      </Notice>
    )
  const next = (label: string) => <RowLink of={found.next}>{label}</RowLink>
  if (found.step !== "stopped")
    return (
      <Notice tone="info" title={<>Merging into {into}…</>} action={next("Show progress")}>
        {steps[found.step](points)} You can leave meanwhile.
      </Notice>
    )
  const [title, label] = found.deducted ? ["Half merged", "Settle it"] : ["Not merged", "Details"]
  return (
    <Notice
      tone="warning"
      title={
        <>
          {title} into {into}
        </>
      }
      action={next(label)}
    >
      {found.message}
    </Notice>
  )
}
