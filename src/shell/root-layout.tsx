import { Outlet, useRouter } from "@tanstack/react-router"
import { useEffect, useState } from "react"

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
