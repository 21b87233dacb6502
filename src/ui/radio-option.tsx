import { type ComponentProps, type ReactNode, useId } from "react"
import classes from "./radio-option.module.css"

interface RadioOptionProps extends Omit<ComponentProps<"input">, "type" | "title" | "className"> {
  title: string
  children: ReactNode
}

/** One of a few exclusive choices, in a framed list: its whole line chooses it. */
export function RadioOption({ title, children, ...input }: RadioOptionProps) {
  const id = useId()
  return (
    // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- its text is the title, two levels down
    <label className={classes.option} data-disabled={input.disabled || undefined}>
      <input
        {...input}
        type="radio"
        className={classes.radio}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-help`}
      />
      <span className={classes.text}>
        <span id={`${id}-title`} className="l-medium">
          {title}
        </span>
        <span id={`${id}-help`} className={classes.help}>
          {children}
        </span>
      </span>
    </label>
  )
}
