import type { ChangeEvent } from "react"
import classes from "./check.module.css"

interface CheckProps {
  /** What it selects; read aloud. */
  label: string
  checked: boolean
  /** Some of what it stands for is selected. */
  some?: boolean
  disabled?: boolean
  /** Id of the text that explains it. */
  describedBy?: string
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
}

/** A checkbox in a row or a head: 16 px to see, the whole cell to hit. */
export function Check({ label, checked, some = false, disabled = false, describedBy, onChange }: CheckProps) {
  return (
    <label className={classes.hit}>
      <input
        type="checkbox"
        className={classes.box}
        aria-label={label}
        aria-describedby={describedBy}
        checked={checked}
        disabled={disabled}
        ref={(box) => {
          if (box !== null) box.indeterminate = some && !checked
        }}
        onChange={onChange}
      />
    </label>
  )
}
