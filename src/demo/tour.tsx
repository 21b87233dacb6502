import { Button, CloseButton, Group, Stack } from "@mantine/core"
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react"
import { useEffect, useRef, useState } from "react"
import { appRoot } from "../lib/app-root.ts"
import { saveFile } from "../lib/save-file.ts"
import type { DemoControls, PanelView } from "./demo-controls.ts"
import classes from "./demo.module.css"
import { type TourStop, tourStops } from "./tour-stops.ts"

/** The guided tour next to the page. It does not block the page, and can be closed and resumed at any time. */
export function Tour({ controls, view }: { controls: DemoControls; view: PanelView }) {
  const { at } = view.tour
  const stop = tourStops[at]
  const [folded, setFolded] = useState(false)
  useEffect(() => {
    const onPage = ({ target }: Event) => {
      if (isSmall() && target instanceof Element && target.closest("[aria-label=Demo]") === null)
        setFolded(true)
    }
    const until = new AbortController()
    for (const event of ["focusin", "pointerdown"]) document.addEventListener(event, onPage, until)
    return () => until.abort()
  }, [])
  if (stop === undefined) return null
  const isLast = at === tourStops.length - 1
  const Fold = folded ? IconChevronUp : IconChevronDown
  const move = async (next: number, open = true) => {
    if (stop.fault !== undefined) await controls.setFaults([stop.fault.id], false)
    controls.setTour({ at: next, open })
  }
  return (
    <section className={`${classes.tour} no-print`} aria-labelledby="demo-tour-title">
      <Group
        component="header"
        justify="space-between"
        wrap="nowrap"
        flex="none"
        h={48}
        ps={16}
        pe="sm"
        className="line-below"
      >
        <button
          type="button"
          className="l-link l-meta l-with-icon"
          aria-expanded={!folded}
          onClick={() => setFolded(!folded)}
        >
          Stop {at + 1} of {tourStops.length} <Fold size={14} stroke={2} aria-hidden />
        </button>
        <CloseButton
          size="var(--l-control)"
          iconSize={16}
          aria-label="Leave the tour"
          onClick={() => void move(at, false)}
        />
      </Group>
      <Stack gap="sm" px={16} py={12} mih={0} className="scroll" hidden={folded}>
        <StopTitle key={at} title={stop.title} />
        <p className="text-secondary">{stop.why}</p>
        <p className="caption touch-hidden">F6 moves between this panel and the page.</p>
        <StopSteps stop={stop} controls={controls} view={view} onLeave={() => isSmall() && setFolded(true)} />
      </Stack>
      <Group
        component="footer"
        justify="space-between"
        gap="sm"
        flex="none"
        px={16}
        py={12}
        className="line-above"
        hidden={folded}
      >
        <Button size="xs" disabled={at === 0} onClick={() => void move(at - 1)}>
          Back
        </Button>
        {/* The last stop ends the tour, which restarts at the first. */}
        <Button variant="filled" onClick={() => void (isLast ? move(0, false) : move(at + 1))}>
          {isLast ? "Finish" : "Next stop"}
        </Button>
      </Group>
    </section>
  )
}

/** The instructions and buttons of a stop; `onLeave` when its page is shown. */
function StopSteps({
  stop: { fault, file, path, steps },
  controls,
  view,
  onLeave,
}: {
  stop: TourStop
  controls: DemoControls
  view: PanelView
  onLeave: () => void
}) {
  if (view.role !== "admin" && view.role !== "manager") {
    return (
      <>
        <p>The tour needs a role that may award points.</p>
        <Button size="xs" mt="sm" me="auto" onClick={() => void controls.enter("admin")}>
          Continue as administrator
        </Button>
      </>
    )
  }
  const go = async () => {
    onLeave()
    if (fault !== undefined) await controls.setFaults([fault.id], true)
    // The router handles this like a link on the page.
    window.history.pushState(null, "", `${appRoot}${path.slice(1)}`)
  }
  const save = (name: string, rows: readonly string[]) => {
    saveFile(name, new Blob([rows.join("\r\n")]))
    // The page's own button to choose the file would be covered by this panel.
    if (isSmall()) void go()
  }
  return (
    <>
      <Stack component="ol" gap={6} ps={20} style={{ listStyle: "decimal" }}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </Stack>
      <Group gap="sm" mt="sm">
        <Button size="xs" onClick={() => void go()}>
          Go there
        </Button>
        {file !== undefined && (
          <Button size="xs" onClick={() => save(file.name, file.rows)}>
            Save the file
          </Button>
        )}
        {fault !== undefined && view.faults.includes(fault.id) && (
          <Button size="xs" onClick={() => void controls.setFaults([fault.id], false)}>
            {fault.end}
          </Button>
        )}
      </Group>
    </>
  )
}

/** On these screens the panel would cover drawers and fields of the page. */
const isSmall = () => window.matchMedia("(width < 640px), (width < 1100px) and (height < 900px)").matches

/** Takes the focus when it moves within the demo's controls; otherwise the page keeps it. */
function StopTitle({ title }: { title: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const demo = heading.current?.closest("[aria-label=Demo]")
    if (demo?.contains(document.activeElement)) heading.current?.focus()
  }, [])
  return (
    <h2 id="demo-tour-title" ref={heading} tabIndex={-1}>
      {title}
    </h2>
  )
}
