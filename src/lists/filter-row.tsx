import { Button } from "@mantine/core"
import type { ReactNode } from "react"
import classes from "./filter-row.module.css"

interface FilterRowProps {
  /** Search first, then the filters. */
  children?: ReactNode
  /** Takes every filter away; absent while none is in use. */
  onClear?: (() => void) | undefined
  /** At the right end: load all, columns. */
  end?: ReactNode
}

/** The row above a list: search, filters, and what changes how the list is shown. */
export function FilterRow({ children, onClear, end }: FilterRowProps) {
  return (
    <div className={classes.row}>
      {children}
      {onClear !== undefined && (
        <Button variant="subtle" onClick={onClear}>
          Clear
        </Button>
      )}
      {end !== undefined && <div className={classes.end}>{end}</div>}
    </div>
  )
}
