import { Link } from "@tanstack/react-router"
import classes from "../member-page.module.css"
import { type MemberTab, tabAddresses } from "./member-state.ts"

const words: Readonly<Record<MemberTab, string>> = {
  ledger: "Ledger",
  orders: "Orders",
  cards: "Gift cards",
  details: "Details",
  notes: "Notes",
}

interface MemberTabsProps {
  memberId: string
  tabs: readonly MemberTab[]
  current: MemberTab
}

/** The tabs of a member's page: each is a link, and the ledger keeps its filters behind the others. */
export function MemberTabs({ memberId, tabs, current }: MemberTabsProps) {
  return (
    <nav aria-label="Member" className={classes.tabs}>
      {tabs.map((tab) => (
        <Link
          key={tab}
          from="/members/$memberId"
          to={tabAddresses[tab]}
          params={{ memberId }}
          search={(now) => ({ ...now, behind: undefined })}
          resetScroll={false}
          className={classes.tab}
          activeProps={{}}
          aria-current={tab === current ? "page" : undefined}
          data-current={tab === current || undefined}
        >
          {words[tab]}
        </Link>
      ))}
    </nav>
  )
}
