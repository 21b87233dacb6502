import { useStore } from "zustand"
import { IconAdjustmentsHorizontal, IconX } from "@tabler/icons-react"
import { type ComponentProps, lazy, Suspense, useEffect, useRef, useState } from "react"
import { createRoot } from "react-dom/client"
import { roleNames, roles } from "../../contract/roles.ts"
import { Notice } from "../ui/notice.tsx"
import tabsLook from "../ui/page-tabs.module.css"
import type { DemoControls, PanelView, SavingNote } from "./demo-controls.ts"
import classes from "./demo.module.css"
import { faultPresets, serviceChoices } from "./service-switches.ts"

const Tour = lazy(async () => ({ default: (await import("./tour.tsx")).Tour }))

/** Mounts the demo panel in a separate React root, independent of Laurel. */
export function mountPanel(controls: DemoControls): void {
  const host = document.createElement("div")
  document.body.append(host)
  createRoot(host).render(<DemoPanel controls={controls} />)
}

type PanelTab = "tour" | "engineers"
const panelTabs = [
  { value: "tour", label: "Tour" },
  { value: "engineers", label: "For engineers" },
] as const

type PartProps = { controls: DemoControls; view: PanelView }

/** The demo's button, and its panel: role, faults, behaviour of the services, reset. */
function DemoPanel({ controls }: { controls: DemoControls }) {
  const view = useStore(controls.view)
  const [open, setOpen] = useState(false)
  const [tab, setTab] = useState<PanelTab>("tour")
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDialogElement>(null)
  const faults = view.faults.length
  const note = view.note !== null && <SavingNotice note={view.note} onClose={() => controls.note(null)} />

  const host = usePaneKey()

  const startTour = () => {
    setOpen(false)
    void controls.setTour({ ...view.tour, open: true })
  }

  useEffect(() => {
    const shown = panel.current
    const opener = button.current
    if (!open || shown === null) return undefined
    const onKey = ({ key }: KeyboardEvent) => key === "Escape" && setOpen(false)
    shown.focus()
    shown.addEventListener("keydown", onKey)
    return () => {
      shown.removeEventListener("keydown", onKey)
      opener?.focus()
    }
  }, [open])

  return (
    <section ref={host} className={`${classes.aside} no-print`} aria-label="Demo" aria-keyshortcuts="F6">
      <button
        ref={button}
        type="button"
        className={classes.button}
        data-tone={faults > 0 ? "warning" : undefined}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <IconAdjustmentsHorizontal size={18} stroke={1.75} aria-hidden className="tone-mark" />
        <span className={`nowrap rail-hidden ${classes.words}`}>
          <span className="l-medium">Demo</span>
          <span className="caption">{faultsText(faults)}</span>
        </span>
      </button>
      {note && !open && <div className={classes.note}>{note}</div>}
      {view.tour.open && (
        <Suspense>
          <Tour controls={controls} view={view} />
        </Suspense>
      )}
      {open && (
        <dialog open ref={panel} tabIndex={-1} className={classes.panel} aria-labelledby="demo-panel-title">
          <header className={classes.header}>
            <h2 id="demo-panel-title">Demo</h2>
            <button
              type="button"
              className={classes.close}
              aria-label="Close the demo panel"
              onClick={() => setOpen(false)}
            >
              <IconX size={16} stroke={1.75} aria-hidden />
            </button>
          </header>
          <div className={classes.body}>
            <p className="text-secondary">
              Nothing leaves this browser. Laurel, its server and both services run in this tab, and your
              changes are kept here until you reset it.
            </p>
            {note}
            <PanelTabs tab={tab} onChange={setTab} />
            {tab === "tour" ? (
              <>
                <section aria-labelledby="demo-tour">
                  <h3 id="demo-tour">Guided tour</h3>
                  <p className="caption">Six stops, about ten minutes. Leave it at any time.</p>
                  <div className={classes.buttons}>
                    <button type="button" className={classes.choice} onClick={startTour}>
                      {view.tour.at === 0 ? "Start the tour" : `Continue at stop ${view.tour.at + 1}`}
                    </button>
                  </div>
                </section>
                <RoleSwitch view={view} controls={controls} />
              </>
            ) : (
              <>
                <FaultList view={view} controls={controls} />
                <ChoiceList view={view} controls={controls} />
              </>
            )}
          </div>
          <ResetDemo onReset={controls.reset} />
        </dialog>
      )}
    </section>
  )
}

/** Tabs of the panel: for exploring Laurel, and for trying faults. Arrow keys move, as in any tab list. */
function PanelTabs({ tab, onChange }: { tab: PanelTab; onChange: (tab: PanelTab) => void }) {
  const list = useRef<HTMLDivElement>(null)
  return (
    <div
      ref={list}
      role="tablist"
      aria-label="Demo"
      tabIndex={-1}
      className={`${tabsLook.tabs} ${classes.tabs}`}
      onKeyDown={({ key }) => {
        if (key !== "ArrowLeft" && key !== "ArrowRight") return
        onChange(tab === "tour" ? "engineers" : "tour")
        list.current?.querySelector<HTMLElement>("[tabindex='-1']")?.focus()
      }}
    >
      {panelTabs.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          role="tab"
          aria-selected={tab === value}
          data-current={tab === value || undefined}
          tabIndex={tab === value ? 0 : -1}
          className={`focus-inside ${tabsLook.tab}`}
          onClick={() => onChange(value)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}

/** F6 moves the focus here and back: drawers and dialogs of the page trap Tab. */
function usePaneKey() {
  const host = useRef<HTMLElement>(null)
  useEffect(() => {
    let left: Element | null = null
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "F6" || host.current === null) return
      event.preventDefault()
      const inside = host.current.contains(document.activeElement)
      const tour = `[aria-labelledby="demo-tour-title"]`
      const wanted = inside ? left : host.current.querySelector(`${tour}:has([hidden]) button, ${tour} h2`)
      if (!inside) left = document.activeElement
      const target = wanted ?? host.current.querySelector("button")
      if (target instanceof HTMLElement) target.focus()
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  }, [])
  return host
}

function faultsText(faults: number): string {
  if (faults === 0) return "Nothing leaves this browser"
  return faults === 1 ? "1 fault is on" : `${faults} faults are on`
}

const savingNotes: Readonly<Record<SavingNote, readonly [title: string, body: string]>> = {
  discarded: [
    "The demo was reset",
    "The saved state of an earlier visit is damaged or from another version, so it wasn’t used.",
  ],
  "not-saved": [
    "This browser doesn’t save anything",
    "It doesn’t allow saving. Everything works, but a reload starts over.",
  ],
}

function SavingNotice({ note, onClose }: { note: SavingNote; onClose: () => void }) {
  const [title, body] = savingNotes[note]
  return (
    <Notice tone="warning" title={title} action={<LinkButton onClick={onClose}>Understood</LinkButton>}>
      {body}
    </Notice>
  )
}

function LinkButton({ onClick, children }: Pick<ComponentProps<"button">, "onClick" | "children">) {
  return (
    <button type="button" className="l-link l-meta" onClick={onClick}>
      {children}
    </button>
  )
}

function RoleSwitch({ view, controls }: PartProps) {
  return (
    <section aria-labelledby="demo-roles">
      <h3 id="demo-roles">Role</h3>
      <div className={classes.roles}>
        {roles.map((role) => (
          <button
            key={role}
            type="button"
            className={classes.choice}
            aria-pressed={view.role === role}
            disabled={!view.roles.includes(role)}
            onClick={() => void controls.enter(role)}
          >
            {roleNames[role]}
          </button>
        ))}
      </div>
    </section>
  )
}

function FaultList({ view, controls }: PartProps) {
  return (
    <section aria-labelledby="demo-faults">
      <div className={classes.headingRow}>
        <h3 id="demo-faults">Faults</h3>
        {view.faults.length > 0 && (
          <LinkButton
            onClick={({ currentTarget }) => {
              // The button is removed; the focus stays in the panel, so that Escape closes it.
              currentTarget.closest("dialog")?.focus()
              void controls.setFaults(view.faults, false)
            }}
          >
            Turn all off
          </LinkButton>
        )}
      </div>
      <p className="caption">
        Cached data is shown without a new request. Use the refresh icon beside “Updated” to load it again.
      </p>
      {[...Map.groupBy(faultPresets, (preset) => preset.group)].map(([group, presets]) => (
        <fieldset key={group} className={classes.group}>
          <legend className="caption l-medium">{group}</legend>
          {presets.map(({ id, label, help }) => (
            <div key={id} className={classes.row}>
              <label htmlFor={`demo-fault-${id}`}>
                <span className="l-medium">{label}</span> <span className="caption">{help}</span>
              </label>
              <input
                id={`demo-fault-${id}`}
                type="checkbox"
                role="switch"
                className={classes.switch}
                checked={view.faults.includes(id)}
                aria-checked={view.faults.includes(id)}
                onChange={(event) => void controls.setFaults([id], event.currentTarget.checked)}
              />
            </div>
          ))}
        </fieldset>
      ))}
    </section>
  )
}

function ChoiceList({ view, controls }: PartProps) {
  return (
    <section aria-labelledby="demo-choices">
      <h3 id="demo-choices">Where the documentation leaves room</h3>
      {serviceChoices.map(({ name, label, options }) => (
        <label key={name} className={classes.row}>
          <span className="l-medium">{label}</span>
          <select
            className={classes.select}
            value={view.choices.get(name)}
            onChange={(event) => void controls.choose(name, event.currentTarget.value)}
          >
            {Object.entries(options).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
      ))}
    </section>
  )
}

/** Resets the demo after a confirmation, because changes cannot be restored. */
function ResetDemo({ onReset }: { onReset: () => Promise<void> }) {
  const [asking, setAsking] = useState(false)
  return (
    <footer className={classes.footer}>
      {asking && (
        <>
          <p className="text-secondary">Every change, user and note made here is deleted.</p>
          <button type="button" className={classes.choice} data-danger onClick={() => void onReset()}>
            Reset the demo
          </button>
        </>
      )}
      <button type="button" className={classes.choice} onClick={() => setAsking(!asking)}>
        {asking ? "Keep it" : "Reset"}
      </button>
    </footer>
  )
}
