import { useMediaQuery } from "@mantine/hooks"
import { IconHelpCircle } from "@tabler/icons-react"
import { Link, useLocation } from "@tanstack/react-router"
import { Fragment } from "react"
import { useSession } from "../api/session.ts"
import { EnvBadge, Logo } from "../ui/brand.tsx"
import { Tooltip } from "../ui/tooltip.tsx"
import { useJobsAttention } from "./jobs/jobs-chip.tsx"
import { activeOptions, navigationFor } from "./navigation.ts"
import classes from "./side-nav.module.css"
import { UserMenu } from "./user-menu.tsx"

/** The main navigation at the left: 224 px, a rail of icons below 1100 px, gone below 640 px. */
export function SideNav() {
  const session = useSession()
  const rail = useMediaQuery("(width < 1100px)", false, { getInitialValueInEffect: false })
  const attention = useJobsAttention()
  const groups = navigationFor(session)
  const { pathname } = useLocation()

  return (
    <nav aria-label="Main" className={classes.nav}>
      <Link to="/" className={classes.brand}>
        <Logo size={22} />
        <b className={classes.name}>Laurel</b>
        <span className={classes.environment}>
          <EnvBadge environment={session.environment} />
        </span>
      </Link>
      {groups.map((items, index) => (
        <Fragment key={items[0]?.to}>
          {index > 0 && <div className={classes.line} />}
          <ul className={classes.list}>
            {items.map(({ label, to, icon: Icon }) => (
              <li key={to}>
                <Tooltip label={label} side="right" disabled={!rail}>
                  <Link
                    to={to}
                    className={classes.item}
                    activeOptions={activeOptions(to, pathname)}
                    activeProps={{ "aria-current": "page" }}
                  >
                    <Icon size={16} stroke={1.75} aria-hidden className={classes.icon} />
                    <span className={classes.label}>{label}</span>
                    {to === "/jobs" && attention > 0 && (
                      <span className={classes.asks}>
                        <IconHelpCircle size={14} stroke={2} aria-hidden />
                        {attention}
                        <span className="visually-hidden"> waiting for a decision</span>
                      </span>
                    )}
                  </Link>
                </Tooltip>
              </li>
            ))}
          </ul>
        </Fragment>
      ))}
      <div className={classes.who}>
        <UserMenu look="nav" />
      </div>
    </nav>
  )
}
