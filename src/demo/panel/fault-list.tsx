import { faultPresets, type FaultPreset } from "../faults.ts"
import classes from "./panel-parts.module.css"

interface FaultListProps {
  /** Ids of those that are on. */
  on: readonly string[]
  onSwitch: (id: string, on: boolean) => void
  onClear: () => void
}

const groups: readonly { readonly id: FaultPreset["group"]; readonly title: string }[] = [
  { id: "answers", title: "Program service responses" },
  { id: "writes", title: "Changes to members" },
  { id: "records", title: "Record contents" },
]

/** What goes wrong at the services, a switch each. */
export function FaultList({ on, onSwitch, onClear }: FaultListProps) {
  return (
    <section aria-labelledby="demo-faults">
      <div className={classes.headingRow}>
        <h3 id="demo-faults" className={classes.heading}>
          Faults
        </h3>
        {on.length > 0 && (
          <button type="button" className={classes.link} onClick={onClear}>
            Turn all off
          </button>
        )}
      </div>
      <p className={classes.help}>
        Cached data is shown without a new request. Use the refresh icon beside “Updated” to load it again.
      </p>
      {groups.map(({ id, title }) => (
        <fieldset key={id} className={classes.group}>
          <legend className={classes.legend}>{title}</legend>
          {faultPresets
            .filter((preset) => preset.group === id)
            .map((preset) => (
              <div key={preset.id} className={classes.row}>
                <label htmlFor={`demo-fault-${preset.id}`} className={classes.rowWords}>
                  <span className={classes.rowName}>{preset.label}</span>
                  <span className={classes.help}>{preset.help}</span>
                </label>
                <input
                  id={`demo-fault-${preset.id}`}
                  type="checkbox"
                  role="switch"
                  className={classes.switch}
                  checked={on.includes(preset.id)}
                  aria-checked={on.includes(preset.id)}
                  onChange={(event) => onSwitch(preset.id, event.currentTarget.checked)}
                />
              </div>
            ))}
        </fieldset>
      ))}
    </section>
  )
}
