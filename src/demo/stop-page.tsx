import { Box, Button, Group, MantineProvider, Stack } from "@mantine/core"
import type { ReactNode } from "react"
import { createRoot } from "react-dom/client"
import { applyAppearance } from "../lib/colour-scheme.ts"
import { cssVariablesResolver, theme } from "../theme.ts"
import { Logo } from "../ui/brand.tsx"

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

/** What happened, what was and was not done, what to do next. */
const stopReasons = {
  blocked: {
    title: "The demo’s service worker is blocked",
    body: "The demo runs in this browser alone, inside a service worker that stands in for the server. A browser setting, an extension, a hard reload or the network stopped it. Nothing was started, and your earlier changes are kept.",
    next: "Allow cookies and site data for this address, or open it under https:// in a normal window of a current browser, then try again.",
  },
  failed: {
    title: "The demo did not start",
    body: "Something went wrong. Nothing that this browser saved earlier was deleted.",
    next: "Try again. If it keeps happening, reset the demo: it starts over without your changes.",
  },
  elsewhere: {
    title: "The demo is open in another tab",
    body: "Only one tab at a time can use the demo’s data. Nothing was lost.",
    next: "Use the other tab, or close it: the demo then continues here by itself.",
  },
} as const

/** Shows a page instead of Laurel, which has not started. Returns the function that removes it. */
export function showStopPage(reason: keyof typeof stopReasons, onReset?: () => void): () => void {
  const { title, body, next } = stopReasons[reason]
  document.title = `${title} · Laurel`
  return renderDemo(
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
        {/* Focused, so that screen readers announce the page. */}
        <h1 ref={(heading) => heading?.focus()} tabIndex={-1}>
          {title}
        </h1>
        <p>{body}</p>
        <p>{next}</p>
        <Group gap="sm">
          {reason !== "elsewhere" && (
            <Button variant="filled" onClick={() => window.location.reload()}>
              Try again
            </Button>
          )}
          {onReset !== undefined && <Button onClick={onReset}>Reset the demo</Button>}
        </Group>
      </Stack>
    </Box>,
  )
}
