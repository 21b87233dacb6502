import { Link, useLocation } from "@tanstack/react-router"
import { useSession } from "../api/session.ts"
import { useJobsAttention } from "./jobs/jobs-chip.tsx"
import classes from "./bottom-bar.module.css"
import { activeOptions, isWithin, phoneNavigationFor, type NavItem } from "./navigation.ts"
import { UserMenu } from "./user-menu.tsx"

/** The main navigation of a phone, at the thumb: five pages, and the others behind "More". */
export function BottomBar() {
  const { bar, more } = phoneNavigationFor(useSession())
  const { pathname } = useLocation()
  const isBehind = more.some(({ to }) => isWithin(pathname, to))
  return (
    <nav aria-label="Main, bottom" className={classes.bar}>
      {bar.map(({ label, short, to, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className={classes.item}
          activeOptions={activeOptions(to, pathname)}
          activeProps={{ "aria-current": "page" }}
        >
          <Icon size={20} stroke={1.75} aria-hidden className={classes.icon} />
          {short ?? label}
          <Asks of={to} />
        </Link>
      ))}
      <span className={classes.more} data-current={isBehind || undefined}>
        <UserMenu look="bar" pages={more} />
        {more.map(({ to }) => (
          <Asks key={to} of={to} />
        ))}
      </span>
    </nav>
  )
}

/** How many of a page's things wait for somebody. */
function Asks({ of }: { of: NavItem["to"] }) {
  const attention = useJobsAttention()
  if (of !== "/jobs" || attention === 0) return null
  return (
    <span className={classes.asks}>
      {attention}
      <span className="visually-hidden"> waiting for a decision</span>
    </span>
  )
}
