import { Box, Button, Group, MantineProvider, Stack } from "@mantine/core"
import { type ReactNode, useEffect, useRef } from "react"
import { createRoot } from "react-dom/client"
import { applyAppearance } from "../lib/colour-scheme.ts"
import { cssVariablesResolver, theme } from "../theme.ts"
import { Logo } from "../ui/brand.tsx"
import type { WindowProblem, WorkerProblem } from "./service-worker.ts"

/** Renders a part of the demo outside Laurel's own root. Returns the function that removes it. */
export function renderDemo(part: ReactNode): () => void {
  applyAppearance()
  const host = document.createElement("div")
  document.body.append(host)
  const root = createRoot(host)
  root.render(
    // Laurel's own provider sets the colour scheme.
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      getRootElement={() => undefined}
    >
      {part}
    </MantineProvider>,
  )
  return () => {
    root.unmount()
    host.remove()
  }
}

type StopReason = WindowProblem | WorkerProblem | "failed" | "elsewhere"

/** What happened, what was and was not done, what to do next, and a button if it would help. */
type StopLabels = Readonly<Record<"title" | "body" | "next", string> & { action?: string }>

const worker = "The demo runs in this browser alone, inside a service worker that stands in for the server."

const stopReasons: Readonly<Record<StopReason, StopLabels>> = {
  unsupported: {
    title: "This window cannot run the demo",
    body: `${worker} Browsers allow one only under https:// or on this machine itself, and some allow none in private windows. Nothing was started.`,
    next: "Open an https:// address of the demo in a normal window of a current Chrome, Edge, Firefox or Safari.",
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
    body: "Only one tab at a time can use the demo’s data. Nothing was lost.",
    next: "Use the other tab, or close it: the demo then continues here by itself.",
  },
}

function StopPage({ labels, onReset }: { labels: StopLabels; onReset: (() => void) | undefined }) {
  const title = useRef<HTMLHeadingElement>(null)
  // Screen readers announce the page.
  useEffect(() => title.current?.focus(), [])
  return (
    <Box
      component="main"
      pos="fixed"
      inset={0}
      display="flex"
      px="gutter"
      py={32}
      bg="var(--l-bg)"
      className="scroll"
      style={{ zIndex: 1000 }}
    >
      <Stack gap="sm" w="min(440px, 100%)" m="auto" fz="var(--l-fs-body)" className="text-secondary">
        <Logo size={40} />
        <h1 ref={title} tabIndex={-1}>
          {labels.title}
        </h1>
        <p>{labels.body}</p>
        <p>{labels.next}</p>
        <Group gap="sm">
          {labels.action !== undefined && (
            <Button variant="filled" onClick={() => window.location.reload()}>
              {labels.action}
            </Button>
          )}
          {onReset !== undefined && <Button onClick={onReset}>Reset the demo</Button>}
        </Group>
      </Stack>
    </Box>
  )
}

/** Shows a page instead of Laurel, which has not started. Returns the function that removes it. */
export function showStopPage(reason: StopReason, onReset?: () => void): () => void {
  const labels = stopReasons[reason]
  document.title = `${labels.title} · Laurel`
  return renderDemo(<StopPage labels={labels} onReset={onReset} />)
}
