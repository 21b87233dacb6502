import type { PanelView } from "../demo-controls.ts"
import { serviceChoices, type ChoiceName } from "../service-choices.ts"
import classes from "./panel-parts.module.css"

interface ChoiceListProps {
  choices: PanelView["choices"]
  onChoose: (name: ChoiceName, value: string | boolean) => void
}

/** What the documents leave open: how the services behave here. */
export function ChoiceList({ choices, onChoose }: ChoiceListProps) {
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
            value={String(choices[name])}
            onChange={(event) => {
              const chosen = options.find(({ value }) => String(value) === event.currentTarget.value)
              if (chosen !== undefined) onChoose(name, chosen.value)
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
