import { Stack } from "@mantine/core"
import { useHotkeys, useMediaQuery } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { Outlet, useRouterState } from "@tanstack/react-router"
import { Suspense, useEffect, type ReactNode } from "react"
import { useCan, useSession } from "../api/session.ts"
import { jobSummaryQuery } from "../api/shell.ts"
import { notifications, useNotifications } from "@mantine/notifications"
import { useFollowedJobs } from "../forms/followed-jobs.ts"
import { resumeOutbox } from "../features/orders/ship/resume-outbox.ts"
import { noteRecord, recordOpen } from "../lib/recent-records.ts"
import { AppRoot, useSessionEnded } from "./app-root.tsx"
import { fetchedPart } from "../ui/fetched-part.tsx"
import { NotOpened } from "../ui/not-loaded.tsx"
import { BottomBar, SideNav } from "./navigation-bars.tsx"
import { usePaletteText, useShellOverlay } from "./shell-state.ts"
import classes from "./shell.module.css"
import { TopBar } from "./top-bar.tsx"
import { useFocusBack, useLate } from "../ui/hooks.ts"

const RestoreBanner = fetchedPart(async () => (await import("./restore-banner.tsx")).RestoreBanner)
const Notifications = fetchedPart(async () => (await import("./notifications.tsx")).Notifications)
const Palette = fetchedPart(async () => (await import("./palette.tsx")).Palette, NotOpened)
const ShortcutHelp = fetchedPart(async () => (await import("./shortcut-help.tsx")).ShortcutHelp, NotOpened)
const ChangePassword = fetchedPart(
  async () => (await import("../features/session/session-dialogs.tsx")).ChangePassword,
  NotOpened,
)

const closeOverlay = () => useShellOverlay.setState({ overlay: null })

/** The frame of a page; `children` open above every page by their URL. */
export function Shell({ children }: { children: ReactNode }) {
  return (
    <AppRoot>
      <Frame>{children}</Frame>
    </AppRoot>
  )
}

function Frame({ children }: { children: ReactNode }) {
  const session = useSession()
  const open = useShellOverlay((state) => state.overlay)
  const ended = useSessionEnded()
  const phone = useMediaQuery("(width < 640px)", false, { getInitialValueInEffect: false })
  useEffect(() => void resumeOutbox(session.user.id), [session.user.id])
  useEffect(() => keepOffline(session.user.id), [session.user.id])
  // The palette opens from anywhere, fields too; in a field a question mark is text.
  useHotkeys([["mod+K", () => useShellOverlay.setState({ overlay: "palette" })]], [])
  useHotkeys([["?", () => useShellOverlay.setState({ overlay: "shortcuts" })]], undefined, undefined)

  return (
    <div className={classes.shell}>
      <a href="#content" className={`l-medium ${classes.skip}`}>
        Skip to content
      </a>
      {!phone && <SideNav />}
      <Stack gap={0} miw={0} mih={0}>
        <TopBar />
        <PageProgress />
        <RecentRecords userId={session.user.id} />
        <Restored />
        <Stack
          component="main"
          id="content"
          tabIndex={-1}
          gap={0}
          pos="relative"
          className={`grow scroll ${classes.main}`}
          data-scroll-restoration-id="main"
        >
          <Outlet />
          {children}
        </Stack>
        {phone && <BottomBar />}
      </Stack>
      <Announced />
      {open === "palette" && !ended && <LoadedPalette />}
      <Suspense>
        {open === "shortcuts" && <ShortcutHelp onClose={closeOverlay} />}
        {open === "password" && <ChangePassword email={session.user.email} onClose={closeOverlay} />}
      </Suspense>
    </div>
  )
}

/** The palette. Until its code is loaded, a hidden field takes the keys that are typed. */
function LoadedPalette() {
  useFocusBack()
  useEffect(() => () => usePaletteText.setState({ text: "", entered: false }), [])
  const field = (
    <input
      ref={(input) => input?.focus()}
      className="visually-hidden"
      aria-label="Search"
      // Escape is for this field, not for a drawer below it.
      data-mantine-stop-propagation="true"
      onChange={({ currentTarget }) => usePaletteText.setState({ text: currentTarget.value, entered: false })}
      onKeyDown={({ key, nativeEvent }) => {
        if (nativeEvent.isComposing) return
        if (key === "Enter") usePaletteText.setState({ entered: true })
        if (key === "Escape") closeOverlay()
      }}
    />
  )
  return (
    <Suspense fallback={field}>
      <Palette onClose={closeOverlay} />
    </Suspense>
  )
}

/** A progress line at the top while a page loads; hidden for fast loads. */
function PageProgress() {
  const late = useLate(useRouterState({ select: ({ isLoading }) => isLoading }))
  return (
    <output className={classes.progress} data-loading={late || undefined}>
      {late && <span className="visually-hidden">Loading the page…</span>}
    </output>
  )
}

/** Records which records were opened, for the palette. */
function RecentRecords({ userId }: { userId: string }) {
  const record = useRouterState({ select: recordOpen, structuralSharing: true })
  useEffect(() => {
    if (record !== undefined) noteRecord(userId, record)
  }, [userId, record])
  return null
}

function Restored() {
  const { data } = useQuery({ ...jobSummaryQuery, enabled: useCan("jobs.read") })
  const restore = data?.restore
  if (restore === undefined || restore === null) return null
  return (
    <Suspense>
      <RestoreBanner restore={restore} />
    </Suspense>
  )
}

/** Live regions, rendered before their content so that screen readers announce it. Cleared on sign-out. */
function Announced() {
  const any = useNotifications().notifications.length + useFollowedJobs((state) => state.jobs).size > 0
  useEffect(
    () => () => {
      notifications.clean()
      useFollowedJobs.setState({ jobs: new Map() })
    },
    [],
  )
  return (
    <output aria-label="Messages" aria-keyshortcuts="N">
      <Suspense>{any && <Notifications />}</Suspense>
    </output>
  )
}

/** Delay until background work starts, so that it does not slow the first view, in ms. */
const firstViewMs = 6000

/** The demo has no connection to lose, and uses another service worker. */
function keepOffline(userId: string) {
  if (import.meta.env.DEV || import.meta.env.MODE === "demo") return undefined
  const keep = async () => {
    try {
      const { saveForOffline } = await import("../lib/offline.ts")
      await saveForOffline(userId)
    } catch {
      // The connection was lost before anything was saved; the next visit retries.
    }
  }
  const timer = setTimeout(() => void keep(), firstViewMs)
  return () => clearTimeout(timer)
}
