import { Button } from "@mantine/core"
import { IconUserOff } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, Outlet } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense } from "react"
import { LedgerTab } from "../ledger/ledger-tab.tsx"
import { FactsPanel, MemberFigures } from "./facts-panel.tsx"
import { MemberHeader } from "./member-header.tsx"
import {
  memberRecordQuery,
  type MemberTab,
  useMemberAccess,
  useMemberId,
  useMemberTab,
} from "./member-state.ts"
import { MemberTabs } from "./member-tabs.tsx"
import { ApiError } from "../../../lib/errors.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { EmptyState, SkeletonRows } from "../../../ui/query-state.tsx"
import classes from "../member-page.module.css"

const DetailsTab = lazy(async () => ({ default: (await import("./details-tab.tsx")).DetailsTab }))
const NotesTab = lazy(async () => ({ default: (await import("../notes/notes-tab.tsx")).NotesTab }))

/** Tabs that other parts of the desk bring along, drawn for a member. */
export type MemberPanels = Readonly<Record<"orders" | "cards", (memberId: string) => ReactNode>>

/** One member: who it is, what they have, what happened. Each part reads for itself and fails for itself. */
export function MemberPage({ panels }: { panels: MemberPanels }) {
  const memberId = useMemberId()
  const access = useMemberAccess()
  const asked = useMemberTab()
  const { data: answer, error, refetch } = useQuery(memberRecordQuery(memberId))

  // Deleted, perhaps while it was on the screen: what was read of it is no longer so.
  if (error instanceof ApiError && error.status === 404) return <MemberMissing memberId={memberId} />
  if (answer === undefined) {
    return (
      <>
        <PageHeader title="Member" path={[{ label: "Members", to: "/members" }]} />
        {error === null ? (
          <SkeletonRows rows={6} columns={[40, 240]} />
        ) : (
          <div className={classes.memberPageNote}>
            <ErrorNotice error={error} what="Couldn’t load the member." onRetry={() => void refetch()} />
          </div>
        )}
      </>
    )
  }

  const member = answer.data
  const tab = access.tabs.includes(asked) ? asked : access.tabs[0]
  return (
    <div className={classes.page} key={memberId}>
      <MemberHeader member={member} tab={asked} withActions={access.record} />
      {error !== null && (
        <div className={classes.memberPageNote}>
          <ErrorNotice
            error={error}
            what="Couldn’t refresh the member. Showing the last loaded version."
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {access.points && <MemberFigures memberId={memberId} />}
      <div className={classes.split}>
        <FactsPanel member={member} access={access} tab={asked} />
        <div className={classes.work}>
          {tab === undefined || tab !== asked ? <NotForThisRole asked={asked} /> : null}
          {tab !== undefined && <MemberTabs memberId={memberId} tabs={access.tabs} current={tab} />}
          {tab !== undefined && <TabPanel tab={tab} memberId={memberId} panels={panels} />}
        </div>
      </div>
      <Outlet />
    </div>
  )
}

interface TabPanelProps {
  tab: MemberTab
  memberId: string
  panels: MemberPanels
}

function TabPanel({ tab, memberId, panels }: TabPanelProps) {
  if (tab === "ledger") return <LedgerTab memberId={memberId} />
  return (
    <Suspense fallback={<SkeletonRows rows={4} columns={[120, 240]} />}>
      {(tab === "orders" || tab === "cards") && panels[tab](memberId)}
      {tab === "details" && <DetailsTab memberId={memberId} />}
      {tab === "notes" && <NotesTab memberId={memberId} />}
    </Suspense>
  )
}

const tabSubjects: Readonly<Record<MemberTab, string>> = {
  ledger: "Balance and ledger are",
  orders: "Orders are",
  cards: "Gift cards are",
  details: "Details are",
  notes: "Notes are",
}

/** Says why a tab is not there, instead of leaving a gap. */
function NotForThisRole({ asked }: { asked: MemberTab }) {
  return (
    <div className={classes.memberPageNote}>
      <Notice tone="info" title={`${tabSubjects[asked]} not available to your role`}>
        You can see members’ names and ids only. Ask an administrator to change your role.
      </Notice>
    </div>
  )
}

/** No member has this id. */
function MemberMissing({ memberId }: { memberId: string }) {
  return (
    <>
      <PageHeader title="Member not found" path={[{ label: "Members", to: "/members" }]} />
      <EmptyState
        icon={IconUserOff}
        title={`No member has the id ${memberId}`}
        help="It may have been deleted, or the link may be wrong. Search the list by name or e-mail instead."
        actions={<Button renderRoot={(props) => <Link {...props} to="/members" />}>Back to members</Button>}
      />
    </>
  )
}
