import { Button, Group, Stack } from "@mantine/core"
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react"
import { useEffect, useRef, useState } from "react"
import { appRoot } from "../lib/app-root.ts"
import { saveFile } from "../lib/save-file.ts"
import type { DemoControls, PanelView } from "./api-handler.ts"
import classes from "./demo.module.css"
import { PanelHeader } from "./panel-header.tsx"

/** A stop of the guided tour: its page, the instructions, and the demo's part. */
interface TourStop {
  readonly title: string
  readonly why: string
  readonly steps: readonly string[]
  /** URL relative to the demo. */
  readonly path: string
  /** A fault that is active while the tour is at this stop, and the button that ends it earlier. */
  readonly fault?: { readonly id: string; readonly end: string }
  /** Rows of a file that the stop offers. */
  readonly file?: { readonly name: string; readonly rows: readonly string[] }
}

/** Rows with typical mistakes of files: an address without @, a letter in a number, no reason, a duplicate. */
const rows = [
  "E-mail,Points,Reason",
  "ana.silva@coastalclimate.com.au,400,Trade night",
  "aiden@coastalclimate.com.au,15o,Trade night",
  "bec.h.climatewest.com.au,250,Trade night",
  "c.okafor@airclimate.net.au,300,Trade night",
  "dalia@topendclimate.com.au,300,",
  "ethan.nguyen@climatepro.com.au,350,Trade night",
  "ana.silva@coastalclimate.com.au,400,Trade night",
]

const tourStops: readonly TourStop[] = [
  {
    title: "Find a member",
    why: "From any page, with the keyboard or by touch.",
    path: "/",
    steps: [
      "Press Ctrl K (⌘ K on a Mac), or choose the search field at the top.",
      "Type “ana silva” and press Enter.",
      "Her balance, points, orders and cards are on one page.",
    ],
  },
  {
    title: "Award a file with mistakes",
    why: "Four of its seven rows need a look before anything is sent.",
    path: "/members/points-file?kind=award",
    file: { name: "trade-night.csv", rows },
    steps: [
      "Save the file, then choose it on the page, or drop it there.",
      "Correct the marked cells in place, or leave those rows out.",
      "Award the points. The job shows every row.",
    ],
  },
  {
    title: "Lose a response",
    why: "The service makes the change, but its response never comes.",
    path: "/members?act=award&for=mem_8Fq2Lx41",
    fault: { id: "write-drop-after", end: "Reconnect" },
    steps: [
      "Award Ana Silva 100 points, with any reason.",
      "For a moment the outcome isn’t known. Laurel looks it up and doesn’t send it again.",
      "The award is found in her ledger, and was made once.",
    ],
  },
  {
    title: "Ship two parcels",
    why: "Two scans each. A keyboard does as well.",
    path: "/orders/ship",
    steps: [
      "Choose an order in the list, or type its id and press Enter.",
      "Type RB400073511AU as its tracking number, and press Enter. On a phone, press the keyboard button first.",
      "Do the same with the next order and RB400073525AU.",
    ],
  },
  {
    title: "Run out of funds",
    why: "The gift-card fund is empty until you top it up here.",
    path: "/jobs?state=attention",
    fault: { id: "cards-fund", end: "Top up the fund" },
    steps: [
      "Open the job of six gift cards, and resume it. It stops again, and no card is lost.",
      "Top up the fund with the button below.",
      "Resume the job. Each of the six members gets one card.",
    ],
  },
  {
    title: "Wall display",
    why: "A leaderboard for a screen that everyone passes.",
    path: "/leaderboards/lb_q4sprint/wall",
    steps: ["It keeps itself up to date.", "On a computer, F11 fills the screen with it."],
  },
]

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
      <PanelHeader closeLabel="Leave the tour" onClose={() => void move(at, false)}>
        <button
          type="button"
          className="l-link l-meta l-with-icon"
          aria-expanded={!folded}
          onClick={() => setFolded(!folded)}
        >
          Stop {at + 1} of {tourStops.length} <Fold size={14} stroke={2} aria-hidden />
        </button>
      </PanelHeader>
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
