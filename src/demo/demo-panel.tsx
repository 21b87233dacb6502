import { IconAdjustmentsHorizontal, IconX } from "@tabler/icons-react"
import { useEffect, useRef, useState, useSyncExternalStore } from "react"
import { createRoot } from "react-dom/client"
import { roleNames, roles } from "../../contract/roles.ts"
import { Notice } from "../ui/notice.tsx"
import type { DemoControls, PanelView, SavingNote } from "./demo-controls.ts"
import classes from "./demo-panel.module.css"
import { type FaultPreset, faultPresets, serviceChoices } from "./service-switches.ts"

/** Puts the demo's panel beside the desk, in a root of its own: the desk knows nothing of it. */
export function mountPanel(controls: DemoControls): void {
  const host = document.createElement("div")
  document.body.append(host)
  createRoot(host).render(<DemoPanel controls={controls} />)
}

interface PanelProps {
  controls: DemoControls
}

interface PartProps extends PanelProps {
  view: PanelView
}

/** The demo's own button, and the panel it opens: role, faults, how the services behave, reset. */
function DemoPanel({ controls }: PanelProps) {
  const view = useSyncExternalStore(controls.view.subscribe, controls.view.get)
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDialogElement>(null)
  const faults = view.faults.length
  const note = view.note !== null && <SavingNotice note={view.note} onClose={() => controls.note(null)} />

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
            {faults === 0
              ? "Nothing leaves this browser"
              : faults === 1
                ? "1 fault is on"
                : `${faults} faults are on`}
          </span>
        </span>
      </button>
      {note && !open && <div className={classes.note}>{note}</div>}
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
            {note}
            <RoleSwitch view={view} controls={controls} />
            <FaultList view={view} controls={controls} />
            <ChoiceList view={view} controls={controls} />
          </div>
          <ResetDemo controls={controls} />
        </dialog>
      )}
    </section>
  )
}

const savingNotes: Readonly<Record<SavingNote, { readonly title: string; readonly body: string }>> = {
  discarded: {
    title: "The demo was reset",
    body: "The saved state of an earlier visit is damaged or from another version, so it wasn’t used.",
  },
  "not-saved": {
    title: "This browser doesn’t save anything",
    body: "It doesn’t allow saving. Everything works, but a reload starts over.",
  },
}

function SavingNotice({ note, onClose }: { note: SavingNote; onClose: () => void }) {
  const { title, body } = savingNotes[note]
  return (
    <Notice
      tone="warning"
      title={title}
      action={
        <button type="button" className={classes.link} onClick={onClose}>
          Understood
        </button>
      }
    >
      {body}
    </Notice>
  )
}

/** Switches the role, one click each. A role without a user is disabled. */
function RoleSwitch({ view, controls }: PartProps) {
  return (
    <section aria-labelledby="demo-roles">
      <h3 id="demo-roles" className={classes.heading}>
        Role
      </h3>
      <div className={classes.roles}>
        {roles.map((role) => (
          <button
            key={role}
            type="button"
            className={classes.role}
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

const faultGroups: readonly { readonly id: FaultPreset["group"]; readonly title: string }[] = [
  { id: "responses", title: "Program service responses" },
  { id: "writes", title: "Changes to members" },
  { id: "records", title: "Record contents" },
]

/** What goes wrong at the services, a switch each. */
function FaultList({ view, controls }: PartProps) {
  return (
    <section aria-labelledby="demo-faults">
      <div className={classes.headingRow}>
        <h3 id="demo-faults" className={classes.heading}>
          Faults
        </h3>
        {view.faults.length > 0 && (
          <button type="button" className={classes.link} onClick={() => void controls.clearFaults()}>
            Turn all off
          </button>
        )}
      </div>
      <p className={classes.help}>
        Cached data is shown without a new request. Use the refresh icon beside “Updated” to load it again.
      </p>
      {faultGroups.map((group) => (
        <fieldset key={group.id} className={classes.group}>
          <legend className={classes.legend}>{group.title}</legend>
          {faultPresets
            .filter((preset) => preset.group === group.id)
            .map(({ id, label, help }) => (
              <div key={id} className={classes.row}>
                <label htmlFor={`demo-fault-${id}`} className={classes.rowWords}>
                  <span className={classes.rowName}>{label}</span>
                  <span className={classes.help}>{help}</span>
                </label>
                <input
                  id={`demo-fault-${id}`}
                  type="checkbox"
                  role="switch"
                  className={classes.switch}
                  checked={view.faults.includes(id)}
                  aria-checked={view.faults.includes(id)}
                  onChange={(event) => void controls.setFault(id, event.currentTarget.checked)}
                />
              </div>
            ))}
        </fieldset>
      ))}
    </section>
  )
}

/** How the services behave here where their documentation leaves it open. */
function ChoiceList({ view, controls }: PartProps) {
  return (
    <section aria-labelledby="demo-choices">
      <h3 id="demo-choices" className={classes.heading}>
        Where the documentation leaves room
      </h3>
      {serviceChoices.map(({ name, label, options }) => (
        <label key={name} className={classes.row}>
          <span className={classes.rowName}>{label}</span>
          <select
            className={classes.select}
            value={String(view.choices[name])}
            onChange={(event) => {
              const chosen = options.find(({ value }) => String(value) === event.currentTarget.value)
              if (chosen !== undefined) void controls.choose(name, chosen.value)
            }}
          >
            {options.map((option) => (
              <option key={option.label} value={String(option.value)}>
                {option.label}
              </option>
            ))}
          </select>
        </label>
      ))}
    </section>
  )
}

/** Begins again, after one more click: what was changed cannot be brought back. */
function ResetDemo({ controls }: PanelProps) {
  const [asking, setAsking] = useState(false)
  return (
    <footer className={classes.foot}>
      {asking ? (
        <>
          <p className={classes.question}>Every change, user and note made here is deleted.</p>
          <button type="button" className={classes.danger} onClick={() => void controls.reset()}>
            Reset the demo
          </button>
          <button type="button" className={classes.plain} onClick={() => setAsking(false)}>
            Keep it
          </button>
        </>
      ) : (
        <button type="button" className={classes.plain} onClick={() => setAsking(true)}>
          Reset
        </button>
      )}
    </footer>
  )
}
