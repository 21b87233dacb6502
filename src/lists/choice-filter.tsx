import { IconCheck } from "@tabler/icons-react"
import type { ReactNode } from "react"
import classes from "./choice-filter.module.css"
import { PanelFilter } from "./panel-filter.tsx"

/** One value a filter can take. */
interface Choice<T extends string> {
  readonly value: T
  /** As it stands in the list and on the chip. */
  readonly label: ReactNode
}

interface ChoiceFilterProps<T extends string> {
  label: string
  value: T | undefined
  choices: readonly Choice<T>[]
  onChange: (value: T | undefined) => void
}

/** A filter with a fixed set of values, chosen from a list. */
export function ChoiceFilter<T extends string>({ label, value, choices, onChange }: ChoiceFilterProps<T>) {
  const chosen = choices.find((choice) => choice.value === value)
  return (
    <PanelFilter label={label} value={chosen?.label ?? value} onRemove={() => onChange(undefined)}>
      {(close) => (
        <ul className={classes.choices}>
          {choices.map((choice) => (
            <li key={choice.value}>
              <button
                type="button"
                className={classes.choice}
                aria-pressed={choice.value === value}
                onClick={() => {
                  onChange(choice.value)
                  close()
                }}
              >
                <span>{choice.label}</span>
                {choice.value === value && <IconCheck size={16} stroke={1.75} aria-hidden />}
              </button>
            </li>
          ))}
        </ul>
      )}
    </PanelFilter>
  )
}
