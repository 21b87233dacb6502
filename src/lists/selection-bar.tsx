import { IconX } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { formatCount } from "../lib/format.ts"
import { Kbd } from "../ui/kbd.tsx"
import classes from "./selection-bar.module.css"

interface SelectionBarProps {
  count: number
  /** One honest sum: "33,105 points between them". */
  sum?: ReactNode
  /** What can be done with them. */
  children?: ReactNode
  onClear: () => void
}

/** Floats above the foot while rows are selected. */
export function SelectionBar({ count, sum, children, onClear }: SelectionBarProps) {
  return (
    <section className={classes.bar} aria-label="Selected rows">
      <output>
        <b>{formatCount(count)}</b> selected
      </output>
      {sum !== undefined && <span className={classes.sum}>{sum}</span>}
      <span className={classes.line} aria-hidden />
      {children}
      <span className={classes.line} aria-hidden />
      <button type="button" className={classes.action} onClick={onClear}>
        <span className={classes.quiet}>Clear</span>
        <span className={classes.key}>
          <Kbd>Esc</Kbd>
        </span>
        <IconX size={16} stroke={1.75} aria-hidden className={classes.cross} />
      </button>
    </section>
  )
}

/** Something to do with the selected rows. */
export function SelectionAction({
  icon,
  label,
  onClick,
}: {
  icon: ReactNode
  label: string
  onClick: () => void
}) {
  return (
    <button type="button" className={classes.action} onClick={onClick}>
      {icon}
      {label}
    </button>
  )
}
