import type { Icon } from "@tabler/icons-react"
import type { ReactNode } from "react"
import classes from "./marked.module.css"

interface MarkedProps {
  icon: Icon
  /** Colours the icon alone; a grey word is quieter. */
  tone: "success" | "warning" | "danger" | "grey"
  children: ReactNode
}

/** An icon and a word. */
export function Marked({ icon: Icon, tone, children }: MarkedProps) {
  return (
    <span className={classes.marked} data-tone={tone}>
      <Icon size={15} stroke={2} aria-hidden />
      {children}
    </span>
  )
}
