import { IconAdjustmentsHorizontal, IconX } from "@tabler/icons-react"
import { useEffect, useRef, useState, useSyncExternalStore } from "react"
import type { DemoControls } from "../demo-controls.ts"
import { ChoiceList } from "./choice-list.tsx"
import classes from "./demo-panel.module.css"
import { FaultList } from "./fault-list.tsx"
import { KeepingNotice } from "./keeping-notice.tsx"
import { ResetDemo } from "./reset-demo.tsx"
import { RoleSwitch } from "./role-switch.tsx"

/** The demo's own button, and the panel it opens: whose desk, what goes wrong, how the services behave, reset. */
export function DemoPanel({ controls }: { controls: DemoControls }) {
  const view = useSyncExternalStore(controls.view.subscribe, controls.view.get)
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDialogElement>(null)
  const faults = view.faults.length

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
    <section className={classes.aside} aria-label="Demo">
      <button
        ref={button}
        type="button"
        className={classes.button}
        data-faults={faults > 0}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <IconAdjustmentsHorizontal size={18} stroke={1.75} aria-hidden className={classes.icon} />
        <span className={classes.words}>
          <span className={classes.name}>Demo</span>
          <span className={classes.fact}>
            {faults > 0 ? faultWords(faults) : "Nothing leaves this browser"}
          </span>
        </span>
      </button>
      {view.note !== null && !open && (
        <div className={classes.note}>
          <KeepingNotice note={view.note} onClose={() => controls.note(null)} />
        </div>
      )}
      {open && (
        <dialog open ref={panel} tabIndex={-1} className={classes.panel} aria-labelledby="demo-panel-title">
          <header className={classes.head}>
            <h2 id="demo-panel-title" className={classes.title}>
              Demo
            </h2>
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
            <p className={classes.lead}>
              Nothing leaves this browser. Laurel, its server and both services run in this tab, and your
              changes are kept here until you reset it.
            </p>
            {view.note !== null && <KeepingNotice note={view.note} onClose={() => controls.note(null)} />}
            <RoleSwitch view={view} onEnter={(role) => void controls.enter(role)} />
            <FaultList
              on={view.faults}
              onSwitch={(id, on) => void controls.setFault(id, on)}
              onClear={() => void controls.clearFaults()}
            />
            <ChoiceList
              choices={view.choices}
              onChoose={(name, value) => void controls.choose(name, value)}
            />
          </div>
          <ResetDemo onReset={() => void controls.reset()} />
        </dialog>
      )}
    </section>
  )
}

function faultWords(count: number): string {
  return count === 1 ? "1 fault is on" : `${count} faults are on`
}
