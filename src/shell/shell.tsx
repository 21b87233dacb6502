import "../mantine.css"
import { useHotkeys } from "@mantine/hooks"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Outlet } from "@tanstack/react-router"
import { lazy, Suspense, useEffect, type ReactNode } from "react"
import { followEvents } from "../api/events.ts"
import { jobSummaryQuery } from "../api/jobs.ts"
import { sessionQuery, useCan, useSession } from "../api/session.ts"
import { sessionEnded } from "../api/session-gate.ts"
import { resumeOutbox } from "../features/orders/ship/resume-outbox.ts"
import { EnvBand } from "../ui/brand.tsx"
import { BottomBar } from "./bottom-bar.tsx"
import { MantineRoot } from "./mantine-root.tsx"
import { PageProgress } from "./page-progress.tsx"
import { Palette, warmPalette } from "./palette/palette.tsx"
import { overlay } from "./shell-state.ts"
import classes from "./shell.module.css"
import { SideNav } from "./side-nav.tsx"
import { TopBar } from "./top-bar.tsx"
import { useExternalValue } from "../ui/hooks.ts"
import "./zod-locale.ts"

const RestoreBanner = lazy(async () => ({
  default: (await import("./restore-banner.tsx")).RestoreBanner,
}))
const ShortcutHelp = lazy(async () => ({ default: (await import("./shortcut-help.tsx")).ShortcutHelp }))
const ChangePassword = lazy(async () => ({
  default: (await import("../features/session/session-dialogs.tsx")).ChangePassword,
}))
const SignInAgain = lazy(async () => ({
  default: (await import("../features/session/session-dialogs.tsx")).SignInAgain,
}))

/**
 * The desk around a page: navigation, top bar, and what can open over the page.
 * @param props.children what opens over every page by its address
 */
export function Shell({ children }: { children: ReactNode }) {
  return (
    <MantineRoot>
      <Frame>{children}</Frame>
    </MantineRoot>
  )
}

function Frame({ children }: { children: ReactNode }) {
  const session = useSession()
  const open = useExternalValue(overlay)
  const ended = useSessionEnd()
  useEvents()
  useEffect(() => resumeOutbox(session.user.id), [session.user.id])
  // The palette opens from everywhere, fields too; a question mark is a letter in a field.
  useHotkeys([["mod+K", () => overlay.set("palette")]], [])
  usePaletteWarming()
  useHotkeys([["?", () => overlay.set("shortcuts")]], undefined, undefined)

  return (
    <div className={classes.shell}>
      <EnvBand environment={session.environment} />
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <SideNav />
      <div className={classes.column}>
        <TopBar />
        <PageProgress />
        <Restored />
        <main id="content" tabIndex={-1} className={classes.main} data-scroll-restoration-id="main">
          <Outlet />
          {children}
        </main>
        <BottomBar />
      </div>
      {open === "palette" && !ended && <Palette />}
      <Suspense>
        {open === "shortcuts" && <ShortcutHelp />}
        {open === "password" && (
          <ChangePassword email={session.user.email} onClose={() => overlay.set(null)} />
        )}
        {ended && <SignInAgain user={session.user} />}
      </Suspense>
    </div>
  )
}

/** What a restore of the desk's data means, as long as somebody has to know. */
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

/** The session ended: a request met it, or the server said so (signed out elsewhere, disabled). */
function useSessionEnd(): boolean {
  const { data } = useQuery(sessionQuery)
  const met = useExternalValue(sessionEnded)
  return met || data === null
}

function useEvents(): void {
  const queryClient = useQueryClient()
  useEffect(() => followEvents(queryClient), [queryClient])
}

/** A modifier key goes down before its letter does: time to fetch what the palette shows. */
function usePaletteWarming(): void {
  useEffect(() => {
    const warm = ({ key }: KeyboardEvent) => {
      if (key === "Control" || key === "Meta") warmPalette()
    }
    window.addEventListener("keydown", warm)
    return () => window.removeEventListener("keydown", warm)
  }, [])
}
