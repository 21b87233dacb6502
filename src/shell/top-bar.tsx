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
import { Suspense, useState } from "react"
import type { BudgetState as Budget } from "../../contract/response.ts"
import { Offline } from "../lib/errors.ts"
import { useCan, useSession } from "../api/session.ts"
import { budgetQuery, jobSummaryQuery, unreadQuery } from "../api/status.ts"
import { updatesDelayed } from "../api/events.ts"
import { browserNotices } from "../lib/browser-notices.ts"
import { formatCount } from "../lib/format.ts"
import { fetchedPart, NotLoaded } from "./lazy-pages.tsx"
import { modifier, overlay } from "./shell-state.ts"
import { EnvBadge, Logo } from "../ui/brand.tsx"
import { useExternalValue, useNow, usePainted } from "../ui/hooks.ts"
import { IconButton } from "../ui/icon-button.tsx"
import { Popover } from "../ui/popover.tsx"
import { Tooltip } from "../ui/tooltip.tsx"
import classes from "./top-bar.module.css"
import { nextRequestAt } from "../lib/external-value.ts"
import { secondsUntil } from "../lib/time.ts"

const JobsStatus = fetchedPart(async () => (await import("./job-notices.tsx")).JobsStatus)
const JobNotices = fetchedPart(async () => (await import("./job-notices.tsx")).JobNotices)
const BrowserNotices = fetchedPart(async () => (await import("./notices.tsx")).BrowserNotices)
const NoticesPanel = fetchedPart(async () => (await import("./notices.tsx")).NoticesPanel, NotLoaded)
const BudgetPanel = fetchedPart(async () => (await import("./budget-panel.tsx")).BudgetPanel, NotLoaded)

const openPalette = () => overlay.set("palette")

/** Search at the left, jobs, the budget and the look at the right. Never a page's own actions. */
export function TopBar() {
  const { environment } = useSession()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme("light")

  return (
    <section aria-label="Search, jobs and budget" className={`line-below no-print ${classes.bar}`}>
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
        <BudgetChip />
        <Notifications />
        <Box w={1} h={16} mx="xs" bg="var(--l-border-2)" visibleFrom="sm" />
        <Group component="span" gap="xs" wrap="nowrap" visibleFrom="sm">
          <IconButton
            label="Keyboard shortcuts"
            icon={<IconKeyboard size={16} stroke={1.75} />}
            onClick={() => overlay.set("shortcuts")}
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
            size="md"
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
  // Once something ran, its end is worth a word.
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

/** How many notices the person has not read. */
function UnreadCount() {
  const unread = useQuery(unreadQuery).data?.unread ?? 0
  return (
    <>
      {unread > 0 && (
        <span className={classes.unread} aria-hidden>
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
  const painted = usePainted()
  const tellsBrowser = useExternalValue(browserNotices) === "on"
  return (
    <Popover
      label="Notifications"
      align="end"
      width={400}
      renderButton={(props) => (
        <Box component="span" pos="relative" lh={0}>
          <IconButton
            {...props}
            label="Notifications"
            aria-describedby={unreadId}
            icon={<IconBell size={18} stroke={1.75} />}
          />
          {painted && <UnreadCount />}
          {/* A boundary of its own from the start: nobody's navigation waits for it. */}
          {painted && tellsBrowser && (
            <Suspense>
              <BrowserNotices />
            </Suspense>
          )}
        </Box>
      )}
    >
      {(close) => (
        <Suspense fallback="Loading…">
          <NoticesPanel onClose={close} />
        </Suspense>
      )}
    </Popover>
  )
}

/** The server's events don't arrive: what changes shows some seconds late. Without any connection the budget chip says so. */
function DelayedUpdates() {
  const delayed = useExternalValue(updatesDelayed)
  const offline = useQuery(budgetQuery).error instanceof Offline
  return (
    <output>
      {delayed && !offline && (
        <Tooltip label="Live updates don’t reach this browser. Jobs are read again every few seconds; refresh lists yourself.">
          <span className={classes.chip} data-state="delayed">
            <IconClockPause size={14} stroke={2} aria-hidden />
            <span className="phone-hidden">Updates are delayed</span>
          </span>
        </Tooltip>
      )}
    </output>
  )
}

function BudgetChip() {
  const { data, error, dataUpdatedAt } = useQuery(budgetQuery)
  const waitsUntil = useExternalValue(nextRequestAt)
  const now = useNow("second")
  const program = data?.find(({ api }) => api === "program")
  const offline = error instanceof Offline
  const state = budgetState({ budget: program, readAt: dataUpdatedAt, waitsUntil, offline, now })
  if (state.kind === "unknown") return null

  return (
    <Popover
      label="Request budget"
      align="end"
      width={336}
      renderButton={(props) => (
        <button type="button" {...props} className={`hover-fill ${classes.chip}`} data-state={state.kind}>
          <BudgetStatus state={state} budget={program} />
        </button>
      )}
    >
      {() => (
        <Suspense fallback="Loading…">
          <BudgetPanel />
        </Suspense>
      )}
    </Popover>
  )
}

function BudgetStatus({ state, budget }: { state: BudgetState; budget: Budget | undefined }) {
  if (state.kind === "offline") {
    return (
      <>
        <IconCloudOff size={14} stroke={2} aria-hidden />
        Offline
      </>
    )
  }
  const limit = budget?.limit ?? 1
  const left = state.kind === "spent" ? 0 : (budget?.left ?? 0)
  return (
    <>
      <span className={classes.meter} aria-hidden>
        <span className={classes.fill} style={{ scale: `${left / limit} 1` }} />
      </span>
      {state.kind === "spent" ? (
        <span>
          <span className="phone-hidden">Next request in </span>
          {state.seconds} s
        </span>
      ) : (
        <span>
          {formatCount(left)}
          <span className={`text-muted phone-hidden ${classes.of}`}> of {formatCount(limit)} left</span>
        </span>
      )}
    </>
  )
}

type BudgetState =
  | { readonly kind: "unknown" }
  | { readonly kind: "offline" }
  | { readonly kind: "spent"; readonly seconds: number }
  | { readonly kind: "low" }
  | { readonly kind: "enough" }

/** The chip's state: a spent budget is a wait, not a fault; a quarter or less is low. */
export function budgetState(facts: {
  readonly budget: Budget | undefined
  readonly readAt: number
  /** Until when somebody in this tab waits for the budget, in ms; null: nobody does. */
  readonly waitsUntil: number | null
  readonly offline: boolean
  readonly now: number
}): BudgetState {
  const { budget, readAt, waitsUntil, offline, now } = facts
  if (offline) return { kind: "offline" }
  if (waitsUntil !== null) return { kind: "spent", seconds: secondsUntil(waitsUntil, now) }
  if (budget === undefined) return { kind: "unknown" }
  if (budget.left <= 0 || budget.next_in_ms > 0)
    return { kind: "spent", seconds: secondsUntil(readAt + budget.next_in_ms, now) }
  return { kind: budget.left <= budget.limit / 4 ? "low" : "enough" }
}
