import { Button } from "@mantine/core"
import type { PageProgress } from "../../api/paging.ts"
import { formatCount } from "../../lib/format.ts"
import classes from "./meter.module.css"

interface MeterProps {
  label: string
  progress: PageProgress
  onCancel?: () => void
}

/** How far the reading of a list is, in requests, and a way out. */
export function Meter({ label, progress: { done, of, restarts }, onCancel }: MeterProps) {
  return (
    <div className={classes.meter}>
      <progress
        aria-label={label}
        className={classes.bar}
        {...(of === null ? {} : { value: Math.min(done, of), max: of })}
      />
      <output className="l-num l-2 l-meta">
        {of === null
          ? `${formatCount(done)} requests`
          : `${formatCount(done)} of ${formatCount(of)} requests`}
        {restarts > 0 && ", restarted because the list changed"}
      </output>
      {onCancel !== undefined && (
        <Button size="xs" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </div>
  )
}
