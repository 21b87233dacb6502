import { Box, Stack } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { IconHelpCircle, IconMenu2, IconSelector } from "@tabler/icons-react"
import { Link, useLocation } from "@tanstack/react-router"
import { type ComponentProps, cloneElement, Fragment, Suspense, useState } from "react"
import { useQuery } from "@tanstack/react-query"
import { roleNames } from "../../contract/roles.ts"
import { useCan, useSession } from "../api/session.ts"
import { jobSummaryQuery } from "../api/shell.ts"
import { fetchedPart } from "../ui/fetched-part.tsx"
import { NotOpened } from "../ui/not-loaded.tsx"
import { activeOptions, isWithin, navigationFor, type NavItem, phoneNavigationFor } from "./navigation.ts"
import { EnvBadge, Logo } from "../ui/brand.tsx"
import { Avatar } from "../ui/values.tsx"
import { Tooltip } from "../ui/tooltip.tsx"
import classes from "./navigation.module.css"

const UserMenuDropdown = fetchedPart(
  async () => (await import("./user-menu-dropdown.tsx")).UserMenuDropdown,
  ({ target, open, onChange }) => (
    <>
      {cloneElement(target, { onClick: () => onChange(true) })}
      {open && <NotOpened onClose={() => onChange(false)} />}
    </>
  ),
)

/** The main navigation at the left: 224 px, a rail of icons below 1100 px, hidden below 640 px. */
export function SideNav() {
  const session = useSession()
  const rail = useMediaQuery("(width < 1100px)", false, { getInitialValueInEffect: false })
  const attention = useJobsAttention()
  const groups = navigationFor(session)
  return (
    <nav aria-label="Main" className={`${classes.nav} no-print`}>
      <Link to="/" className={classes.brand}>
        <Logo size={22} />
        <Box component="b" fz="lg" lts="-0.01em" className="grow rail-hidden">
          Laurel
        </Box>
        <Box component="span" visibleFrom="lg" lh={0}>
          <EnvBadge environment={session.environment} />
        </Box>
      </Link>
      {groups.map((items, index) => (
        <Fragment key={items[0]?.to}>
          {index > 0 && <Box h={1} m="sm" bg="var(--l-border)" />}
          <Stack component="ul" gap={1}>
            {items.map((item) => (
              <SideItem key={item.to} item={item} rail={rail} count={item.to === "/jobs" ? attention : 0} />
            ))}
          </Stack>
        </Fragment>
      ))}
      <Box mt="auto" mx={-8} pt="sm" px="sm" className="line-above">
        <UserMenu look="nav" />
      </Box>
    </nav>
  )
}

/** A navigation item that subscribes to the location, so that only two of them render on a navigation. */
function SideItem({ item, rail, count }: { item: NavItem; rail: boolean; count: number }) {
  const { label, to, icon: Icon } = item
  const options = useLocation({ select: (at) => activeOptions(to, at.pathname), structuralSharing: true })
  const link = (
    <Link
      to={to}
      className={`nav-item text-secondary l-medium ${classes.item}`}
      activeOptions={options}
      activeProps={{ "aria-current": "page" }}
    >
      <Icon size={16} stroke={1.75} aria-hidden />
      <span className="rail-hidden">{label}</span>
      {count > 0 && (
        <span className={`l-num at-end ${classes.attention}`}>
          <IconHelpCircle size={14} stroke={2} aria-hidden />
          {count}
          <span className="visually-hidden"> {count === 1 ? "needs" : "need"} attention</span>
        </span>
      )}
    </Link>
  )
  if (!rail) return <li>{link}</li>
  return (
    <li>
      <Tooltip label={label} position="right">
        {link}
      </Tooltip>
    </li>
  )
}

/** The main navigation of a phone at the bottom: five pages, and the others behind "More". */
export function BottomBar() {
  const { bar, more } = phoneNavigationFor(useSession())
  const pathname = useLocation({ select: (at) => at.pathname })
  const attention = useJobsAttention()
  const count = attention > 0 && (
    <span className={`count-badge tone-fill ${classes.tabCount}`} data-tone="warning">
      {attention}
      <span className="visually-hidden"> {attention === 1 ? "needs" : "need"} attention</span>
    </span>
  )
  const isBehind = more.some(({ to }) => isWithin(pathname, to))
  return (
    <nav aria-label="Main, bottom" className={`line-above no-print ${classes.bar}`}>
      {bar.map(({ short, to, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className={classes.tab}
          activeOptions={activeOptions(to, pathname)}
          activeProps={{ "aria-current": "page" }}
        >
          <Icon size={20} stroke={1.75} aria-hidden />
          {short}
          {to === "/jobs" && count}
        </Link>
      ))}
      <span className={classes.more} data-current={isBehind || undefined}>
        <UserMenu look="bar" pages={more} />
        {more.some(({ to }) => to === "/jobs") && count}
      </span>
    </nav>
  )
}

function useJobsAttention(): number {
  return useQuery({ ...jobSummaryQuery, enabled: useCan("jobs.read") }).data?.attention ?? 0
}

function UserMenu({ look, pages }: { look: "nav" | "bar"; pages?: readonly NavItem[] }) {
  const [open, setOpen] = useState<boolean>()
  const target = <UserMenuTarget look={look} aria-haspopup="menu" onClick={() => setOpen(true)} />
  if (open === undefined) return target
  return (
    <Suspense fallback={target}>
      <UserMenuDropdown
        target={<UserMenuTarget look={look} />}
        pages={pages}
        open={open}
        onChange={setOpen}
      />
    </Suspense>
  )
}

function UserMenuTarget({ look, ...others }: ComponentProps<"button"> & { look: "nav" | "bar" }) {
  const { user } = useSession()
  if (look === "bar") {
    return (
      <button type="button" {...others} className={classes.tab}>
        <IconMenu2 size={20} stroke={1.75} aria-hidden />
        More
      </button>
    )
  }
  return (
    <button type="button" {...others} className={classes.target}>
      <Avatar name={user.name} accent />
      <Stack component="span" gap={0} lh="16px" className="grow rail-hidden">
        <span className="l-medium truncate">{user.name}</span>
        <span className="caption truncate">{roleNames[user.role]}</span>
        <span className="visually-hidden">Your menu</span>
      </Stack>
      <IconSelector size={16} stroke={1.75} aria-hidden className="text-muted" />
    </button>
  )
}
