import { IconAlertCircle } from "@tabler/icons-react"
import classes from "./field.module.css"

/** What is not right with a field and what would be; takes the place of its help. */
export function FieldError({ message }: { message: string }) {
  return (
    <span className={classes.error}>
      <IconAlertCircle size={14} stroke={2} aria-hidden className={classes.icon} />
      {message}
    </span>
  )
}
