import { IconAlertCircle, IconChevronDown } from "@tabler/icons-react"
import classes from "./field-parts.module.css"

/** What is not right with a field and what would be; takes the place of its help. */
export function FieldError({ message }: { message: string }) {
  return (
    <span className={classes.error}>
      <IconAlertCircle size={14} stroke={2} aria-hidden />
      {message}
    </span>
  )
}

/** The mark at the end of a list of choices. */
export function SelectChevron() {
  return <IconChevronDown size={16} stroke={1.75} aria-hidden />
}
