import { useEffect, useRef } from "react"
import { createRoot } from "react-dom/client"
import type { WindowProblem, WorkerProblem } from "./service-worker.ts"
import { Logo } from "../ui/brand.tsx"
import classes from "./stop-page.module.css"

/** Why there is a page in the desk's place. */
type StopReason = WindowProblem | WorkerProblem | "failed" | "elsewhere" | "moved"

/** What such a page says: what is so, what was and was not done, what to do. */
interface StopWords {
  readonly title: string
  readonly body: string
  readonly next: string
  /** The button; without one there is nothing to click that would help. */
  readonly action?: string
}

const worker = "The demo runs in this browser alone, inside a service worker that stands in for the server."

/** The words of each page. */
const stopReasons: Readonly<Record<StopReason, StopWords>> = {
  insecure: {
    title: "The demo needs a secure address",
    body: `${worker} Browsers allow one only under https:// or on this machine itself. Nothing was started.`,
    next: "Open the demo under an https:// address, or as http://localhost on the machine that serves it.",
  },
  unsupported: {
    title: "This window cannot run the demo",
    body: `${worker} This browser offers none here, as some do in private windows. Nothing was started.`,
    next: "Open this address in a normal window of a current Chrome, Edge, Firefox or Safari.",
  },
  blocked: {
    title: "The demo's service worker is blocked",
    body: `${worker} It couldn’t be installed: a browser setting, an extension or the network stopped it. Nothing was started, and your earlier changes are kept.`,
    next: "Allow cookies and site data for this address, or open it in a normal window, then try again.",
    action: "Try again",
  },
  bypassed: {
    title: "This page bypassed the demo’s service worker",
    body: `${worker} A hard reload, or a setting of the developer tools, kept it off this page. Nothing was lost.`,
    next: 'Reload the page in the usual way. In the developer tools, turn off "Bypass for network".',
    action: "Reload",
  },
  failed: {
    title: "The demo did not start",
    body: "Something went wrong. Your earlier changes are still saved in this browser.",
    next: "Try again. If it keeps happening, reset the demo: it starts over without your changes.",
    action: "Try again",
  },
  elsewhere: {
    title: "The demo is open in another tab",
    body: "Only one tab at a time can use the demo’s data. It continues here automatically when the other tab is closed.",
    next: "Or switch to this tab: the other one saves everything first and stops.",
    action: "Use it here",
  },
  moved: {
    title: "The demo continues in another tab",
    body: "Everything was saved. This tab has stopped.",
    next: "Close it, or reload it to continue here.",
    action: "Reload",
  },
}

interface StopPageProps {
  words: StopWords
  onAction: (() => void) | undefined
  /** Offered where starting from the beginning helps. */
  onReset: (() => void) | undefined
}

/** A page in the desk's place, in plain words. */
function StopPage({ words, onAction, onReset }: StopPageProps) {
  const title = useRef<HTMLHeadingElement>(null)
  // Whoever listens to the page hears what happened to it.
  useEffect(() => title.current?.focus(), [])

  return (
    <main className={classes.page}>
      <div className={classes.middle}>
        <Logo size={40} />
        <h1 ref={title} tabIndex={-1} className={classes.title}>
          {words.title}
        </h1>
        <p className={classes.body}>{words.body}</p>
        <p className={classes.body}>{words.next}</p>
        <div className={classes.actions}>
          {words.action !== undefined && onAction !== undefined && (
            <button type="button" className={classes.filled} onClick={onAction}>
              {words.action}
            </button>
          )}
          {onReset !== undefined && (
            <button type="button" className={classes.plain} onClick={onReset}>
              Reset the demo
            </button>
          )}
        </div>
      </div>
    </main>
  )
}

interface StopActions {
  readonly onAction?: () => void
  readonly onReset?: () => void
}

/** Puts a page over everything; what is below it cannot be reached any more. Returns what takes it away. */
export function showStopPage(reason: StopReason, { onAction, onReset }: StopActions = {}): () => void {
  const below = [...document.body.children].filter((element) => element instanceof HTMLElement)
  for (const element of below) element.inert = true
  const host = document.createElement("div")
  document.body.append(host)
  const root = createRoot(host)
  root.render(<StopPage words={stopReasons[reason]} onAction={onAction} onReset={onReset} />)
  document.title = `${stopReasons[reason].title} · Laurel`
  return () => {
    root.unmount()
    host.remove()
    for (const element of below) element.inert = false
  }
}
