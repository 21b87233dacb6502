import { Link } from "@tanstack/react-router"
import { useSession } from "../api/permissions.ts"
import { useJobsAttention } from "./jobs/jobs-chip.tsx"
import classes from "./bottom-bar.module.css"
import { navigationFor } from "./navigation.ts"
import { UserMenu } from "./user-menu.tsx"

/** The main navigation of a phone, at the thumb. */
export function BottomBar() {
  const items = navigationFor(useSession()).flat()
  const attention = useJobsAttention()
  return (
    <nav aria-label="Main, bottom" className={classes.bar}>
      {items.map(({ label, to, icon: Icon }) => (
        <Link key={to} to={to} className={classes.item} activeProps={{ "aria-current": "page" }}>
          <Icon size={20} stroke={1.75} aria-hidden className={classes.icon} />
          {label}
          {to === "/jobs" && attention > 0 && <span className={classes.asks}>{attention}</span>}
        </Link>
      ))}
      <UserMenu look="bar" />
    </nav>
  )
}
