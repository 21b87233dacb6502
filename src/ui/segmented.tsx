import { type ReactNode, useId } from "react"
import classes from "./segmented.module.css"

/** Two to six values of which exactly one is selected. */
export function Segmented<T extends string>(props: {
  label: string
  value: T
  options: readonly { value: T; label: ReactNode }[]
  onChange: (value: T) => void
}) {
  const { label, value, options, onChange } = props
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className={classes.segmented}>
      {options.map((option) => (
        <label key={option.value} className={`l-meta text-secondary nowrap l-medium ${classes.option}`}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
