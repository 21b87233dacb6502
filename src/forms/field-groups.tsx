import { IconChevronRight } from "@tabler/icons-react"
import { type ReactNode, useId } from "react"
import classes from "./field-groups.module.css"

/** One of a few options, each in a box with what it means. */
export function OptionCards<T extends string>(props: {
  legend: ReactNode
  value: T | undefined
  onChange: (value: T) => void
  options: readonly {
    readonly value: T
    readonly label: ReactNode
    readonly help: ReactNode
    off?: boolean
  }[]
}) {
  const { legend, value, onChange, options } = props
  const id = useId()
  return (
    <fieldset className={classes.options}>
      <legend>{legend}</legend>
      {options.map(({ value: each, label, help, off = false }) => (
        <label key={each} className={classes.option} data-on={value === each || undefined}>
          <input
            type="radio"
            name={id}
            checked={value === each}
            disabled={off}
            aria-labelledby={`${id}-${each}`}
            aria-describedby={`${id}-${each}-help`}
            onChange={() => onChange(each)}
          />
          <span id={`${id}-${each}`}>{label}</span>
          <span id={`${id}-${each}-help`}>{help}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** Values that a click fills into the field above; nothing without any. */
export function Suggestions<T extends string | number>(props: {
  label: string
  icon?: ReactNode
  value: T
  options: readonly { readonly value: T; readonly label: string }[]
  onPick: (value: T) => void
}) {
  const { label, icon, value, options, onPick } = props
  if (options.length === 0) return null
  return (
    <ul className={classes.suggestions} aria-label={label}>
      {options.map((option) => (
        <li key={option.value}>
          <button
            type="button"
            className={classes.suggestion}
            aria-pressed={option.value === value}
            onClick={() => onPick(option.value)}
          >
            {icon}
            <span className="truncate">{option.label}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Fields that are rarely needed, folded. */
export function FoldedFields(props: {
  label: string
  given: string
  open: boolean
  onToggle: (open: boolean) => void
  children: ReactNode
}) {
  const { label, given, open, onToggle, children } = props
  return (
    <details
      className={classes.folded}
      open={open}
      onToggle={({ currentTarget }) => onToggle(currentTarget.open)}
    >
      <summary>
        <IconChevronRight size={16} stroke={1.75} aria-hidden />
        {label}
        {given !== "" && <span className="text-muted truncate">{given}</span>}
      </summary>
      {children}
    </details>
  )
}
