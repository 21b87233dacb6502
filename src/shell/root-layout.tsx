import { type MantineColorSchemeManager, MantineProvider } from "@mantine/core"
import { Outlet, useRouter } from "@tanstack/react-router"
import { setNonce } from "get-nonce"
import { type ReactNode, useEffect, useState } from "react"
import { setColourScheme, useAppearance } from "../lib/colour-scheme.ts"
import { cssVariablesResolver, theme } from "../theme.ts"

/** The layout of every page, signed in or not. */
export function RootLayout() {
  return (
    <>
      <Outlet />
      <RouteAnnouncer />
    </>
  )
}

const patience = 10_000

/** Focuses the new page's `h1` after a navigation, if it changed, and announces its title. */
function RouteAnnouncer() {
  const router = useRouter()
  const [said, setSaid] = useState("")

  useEffect(() => {
    let heading: Element | null = document.querySelector("h1")
    let stopWaiting = () => {}
    const arrive = (found: HTMLElement) => {
      heading = found
      if (document.querySelector("dialog[open], [role=dialog]") === null) found.focus({ preventScroll: true })
      setSaid(document.title)
    }
    const unsubscribe = router.subscribe("onRendered", ({ pathChanged, fromLocation }) => {
      if (!pathChanged || fromLocation === undefined) return
      stopWaiting()
      stopWaiting = waitForHeading(heading, arrive)
    })
    return () => {
      stopWaiting()
      unsubscribe()
    }
  }, [router])

  return <output className="visually-hidden">{said}</output>
}

function waitForHeading(before: Element | null, arrive: (found: HTMLElement) => void): () => void {
  let last = before
  const look = () => {
    const found = document.querySelector<HTMLElement>("h1")
    if (found === null || found === last) return
    // The new heading takes the focus only if it was lost with the replaced heading.
    if (last !== before && document.activeElement !== document.body) return
    last = found
    arrive(found)
  }
  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true })
  const timer = setTimeout(() => observer.disconnect(), patience)
  look()
  return () => {
    clearTimeout(timer)
    observer.disconnect()
  }
}

const colourSchemeManager: MantineColorSchemeManager = {
  get: () => useAppearance.getState().colourScheme,
  set: setColourScheme,
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => setColourScheme("auto"),
}

/** Mantine for every page, error pages too. */
export function UiProvider({ children }: { children: ReactNode }) {
  const nonce = pageNonce()
  // The scroll lock writes a style element too.
  setNonce(nonce)
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colourSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
      // Tests do not wait for transitions.
      env={import.meta.env.MODE === "test" ? "test" : "default"}
    >
      {children}
    </MantineProvider>
  )
}

/** The content security policy's nonce for styles created at run time; empty in development. */
function pageNonce(): string {
  return document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? ""
}
