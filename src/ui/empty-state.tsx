import type { Icon } from "@tabler/icons-react"
import type { ReactNode } from "react"
import classes from "./empty-state.module.css"

interface EmptyStateProps {
  icon: Icon
  /** What is so: "No member matches “climte”". */
  title: string
  /** What helps. */
  help?: ReactNode
  /** One or two buttons. */
  actions?: ReactNode
}

/** Where a list would be, when there is nothing to list. */
export function EmptyState({ icon: Icon, title, help, actions }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <Icon size={28} stroke={1.5} aria-hidden className={classes.icon} />
      <p className={classes.title}>{title}</p>
      {help !== undefined && <p className={classes.help}>{help}</p>}
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </div>
  )
}
