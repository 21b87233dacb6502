import { Box, Group, useComputedColorScheme, useMantineColorScheme } from "@mantine/core"
import {
  IconBell,
  IconClockPause,
  IconCloudOff,
  IconKeyboard,
  IconMoon,
  IconSearch,
  IconSun,
} from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Suspense, useState } from "react"
import type { BudgetState as Budget } from "../../contract/response.ts"
import { Offline } from "../lib/errors.ts"
import { useCan, useSession } from "../api/session.ts"
import { budgetQuery, jobSummaryQuery, unreadQuery } from "../api/shell.ts"
import { useLiveUpdates } from "../api/events.ts"
import { useBrowserNotices } from "../lib/browser-notices.ts"
import { fetchedPart } from "../ui/fetched-part.tsx"
import { NotLoaded } from "../ui/not-loaded.tsx"
import { modifier, useShellOverlay } from "./shell-state.ts"
import { EnvBadge, Logo } from "../ui/brand.tsx"
import { useNow } from "../ui/hooks.ts"
import { IconButton } from "../ui/button.tsx"
import { Popover } from "../ui/popover.tsx"
import { Tooltip } from "../ui/tooltip.tsx"
import classes from "./top-bar.module.css"
import { useRequestBudget } from "../lib/request-budget.ts"
import { secondsUntil } from "../lib/time.ts"

const JobsStatus = fetchedPart(async () => (await import("./job-notices.tsx")).JobsStatus)
const JobNotices = fetchedPart(async () => (await import("./job-notices.tsx")).JobNotices)
const BrowserNotices = fetchedPart(async () => (await import("./notices.tsx")).BrowserNotices)
const NoticesPanel = fetchedPart(async () => (await import("./notices.tsx")).NoticesPanel, NotLoaded)

const openPalette = () => useShellOverlay.setState({ overlay: "palette" })

/** Search at the left; jobs, waits and appearance at the right. Never a page's own actions. */
export function TopBar() {
  const { environment } = useSession()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme("light")

  return (
    <section aria-label="Search, jobs and notices" className={`line-below no-print ${classes.bar}`}>
      <Group className={classes.brand} gap="sm" wrap="nowrap" hiddenFrom="sm">
        <Logo size={22} />
        <Box component="b" fz="lg" lts="-0.01em" visibleFrom="xs">
          Laurel
        </Box>
      </Group>
      <button
        type="button"
        className={`text-muted ${classes.find}`}
        onClick={openPalette}
        aria-keyshortcuts="Control+K Meta+K"
      >
        <IconSearch size={16} stroke={1.75} aria-hidden />
        <span className="truncate grow">Search or jump to</span>
        <kbd>{modifier} K</kbd>
      </button>
      <Box component="span" hiddenFrom="lg" lh={0}>
        <EnvBadge environment={environment} />
      </Box>
      <Group gap="xs" wrap="nowrap" ms="auto">
        <JobsChip />
        <DelayedUpdates />
        <BusyChip />
        <Notifications />
        <Box w={1} h={16} mx="xs" bg="var(--l-border-2)" visibleFrom="sm" />
        <Group component="span" gap="xs" wrap="nowrap" visibleFrom="sm">
          <IconButton
            label="Keyboard shortcuts"
            icon={<IconKeyboard size={16} stroke={1.75} />}
            onClick={() => useShellOverlay.setState({ overlay: "shortcuts" })}
          />
          <IconButton
            label={scheme === "dark" ? "Light colours" : "Dark colours"}
            icon={
              scheme === "dark" ? <IconSun size={16} stroke={1.75} /> : <IconMoon size={16} stroke={1.75} />
            }
            onClick={() => setColorScheme(scheme === "dark" ? "light" : "dark")}
          />
        </Group>
        <Box component="span" hiddenFrom="sm">
          <IconButton
            label="Search or jump to"
            size="xl"
            icon={<IconSearch size={20} stroke={1.75} />}
            onClick={openPalette}
          />
        </Box>
      </Group>
    </section>
  )
}

function JobsChip() {
  const { data } = useQuery({ ...jobSummaryQuery, enabled: useCan("jobs.read") })
  const busy = data !== undefined && data.active > 0
  // Announce the end only after something was running.
  const [watching, setWatching] = useState(busy)
  if (busy && !watching) setWatching(true)
  if (data === undefined) return null
  return (
    <Suspense>
      {(busy || data.attention > 0) && <JobsStatus summary={data} />}
      {watching && <JobNotices />}
    </Suspense>
  )
}

const unreadId = "unread-notices"

/** The number of unread notices. */
function UnreadCount() {
  const unread = useQuery(unreadQuery).data?.unread ?? 0
  return (
    <>
      {unread > 0 && (
        <span className={`count-badge ${classes.unread}`} aria-hidden>
          {unread > 99 ? "99+" : unread}
        </span>
      )}
      <output id={unreadId} className="visually-hidden">
        {unread === 0 ? "Nothing unread" : `${unread} unread`}
      </output>
    </>
  )
}

function Notifications() {
  const tellsBrowser = useBrowserNotices() === "on"
  return (
    <Box component="span" pos="relative" lh={0}>
      <Popover
        label="Notifications"
        align="end"
        width={400}
        button={
          <IconButton
            label="Notifications"
            aria-describedby={unreadId}
            icon={<IconBell size={18} stroke={1.75} />}
          />
        }
      >
        {(close) => (
          <Suspense fallback="Loading…">
            <NoticesPanel onClose={close} />
          </Suspense>
        )}
      </Popover>
      <UnreadCount />
      {/* A separate Suspense boundary from the start, so that no navigation waits for it. */}
      {tellsBrowser && (
        <Suspense>
          <BrowserNotices />
        </Suspense>
      )}
    </Box>
  )
}

/** The server's events do not arrive, so changes appear some seconds late. Offline, the busy chip is shown instead. */
function DelayedUpdates() {
  const delayed = useLiveUpdates((state) => state.isDelayed)
  const offline = useQuery(budgetQuery).error instanceof Offline
  return (
    <output>
      {delayed && !offline && (
        <Tooltip label="Live updates don’t reach this browser. Jobs are read again every few seconds; refresh lists yourself.">
          <span className={`tone-fill ${classes.chip}`} data-tone="warning">
            <IconClockPause size={14} stroke={2} aria-hidden />
            <span className="phone-hidden">Updates are delayed</span>
          </span>
        </Tooltip>
      )}
    </output>
  )
}

/** Shows that the connection is lost, or that requests wait long. */
function BusyChip() {
  const { data, error, dataUpdatedAt } = useQuery(budgetQuery)
  const waitsUntil = useRequestBudget((state) => state.nextRequestAt)
  const now = useNow("second")
  const budget = data?.find(({ api }) => api === "program")
  const offline = error instanceof Offline
  const busy = busyState({ budget, readAt: dataUpdatedAt, waitsUntil, offline, now })
  if (busy === undefined) return null
  const text =
    busy.kind === "offline" ? (
      <>
        <IconCloudOff size={14} stroke={2} aria-hidden />
        Offline
      </>
    ) : (
      <span>
        Busy<span className="phone-hidden">, lists may take</span> {busy.seconds} s
      </span>
    )
  return (
    <Link
      to="/settings/status"
      className={`tone-fill ${classes.chip}`}
      data-tone={busy.kind === "busy" ? "info" : "warning"}
    >
      {text}
    </Link>
  )
}

type BusyState = { readonly kind: "offline" } | { readonly kind: "busy"; readonly seconds: number }

/** Shorter waits, in seconds, are not shown. */
const shortWait = 3

/** The text of the chip; undefined while nothing waits longer than 3 s. */
export function busyState(facts: {
  readonly budget: Budget | undefined
  readonly readAt: number
  /** Until when a request of this tab waits for the budget, in ms; null if none does. */
  readonly waitsUntil: number | null
  readonly offline: boolean
  readonly now: number
}): BusyState | undefined {
  const { budget, readAt, waitsUntil, offline, now } = facts
  if (offline) return { kind: "offline" }
  const until = waitsUntil ?? (budget === undefined ? now : readAt + budget.next_in_ms)
  const seconds = secondsUntil(until, now)
  return seconds > shortWait ? { kind: "busy", seconds } : undefined
}
