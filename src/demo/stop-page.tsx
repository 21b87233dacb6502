import { useEffect, useRef } from "react"
import { createRoot } from "react-dom/client"
import { Logo } from "../ui/brand.tsx"
import classes from "./demo.module.css"
import type { WindowProblem, WorkerProblem } from "./service-worker.ts"
import { Button } from "../ui/button.tsx"

type StopReason = WindowProblem | WorkerProblem | "failed" | "elsewhere" | "moved"

/** What happened, what was and was not done, what to do next, and a button if it would help. */
type StopLabels = Readonly<Record<"title" | "body" | "next", string> & { action?: string }>

const worker = "The demo runs in this browser alone, inside a service worker that stands in for the server."

const stopReasons: Readonly<Record<StopReason, StopLabels>> = {
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
    title: "The demo’s service worker is blocked",
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
    body: "Something went wrong. Nothing that this browser saved earlier was deleted.",
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
    body: "It continues from what this tab saved last. This tab has stopped.",
    next: "Close it, or reload it to continue here.",
    action: "Reload",
  },
}

type Handler = (() => void) | undefined

function StopPage({
  labels,
  onAction,
  onReset,
}: {
  labels: StopLabels
  onAction: Handler
  onReset: Handler
}) {
  const title = useRef<HTMLHeadingElement>(null)
  // Screen readers announce the page that replaced Laurel.
  useEffect(() => title.current?.focus(), [])
  return (
    <main className={`scroll ${classes.stopPage}`}>
      <div className={`text-secondary ${classes.stopText}`}>
        <Logo size={40} />
        <h1 ref={title} tabIndex={-1}>
          {labels.title}
        </h1>
        <p>{labels.body}</p>
        <p>{labels.next}</p>
        <div className={classes.buttons}>
          {labels.action !== undefined && onAction !== undefined && (
            <Button variant="filled" onClick={onAction}>
              {labels.action}
            </Button>
          )}
          {onReset !== undefined && (
            <Button size="xs" onClick={onReset}>
              Reset the demo
            </Button>
          )}
        </div>
      </div>
    </main>
  )
}

/** Shows a page over everything and blocks what is below. Returns the function that removes it. */
export function showStopPage(reason: StopReason, onAction?: () => void, onReset?: () => void): () => void {
  const below = [...document.body.children].filter((element) => element instanceof HTMLElement)
  for (const element of below) element.inert = true
  const host = document.createElement("div")
  document.body.append(host)
  const root = createRoot(host)
  const labels = stopReasons[reason]
  root.render(<StopPage labels={labels} onAction={onAction} onReset={onReset} />)
  document.title = `${labels.title} · Laurel`
  return () => {
    root.unmount()
    host.remove()
    for (const element of below) element.inert = false
  }
}
