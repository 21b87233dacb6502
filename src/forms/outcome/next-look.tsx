import type { JobRow } from "../../../contract/job-rows.ts"
import { duration, exact, millis } from "../../lib/time.ts"
import { Tooltip } from "../../ui/tooltip.tsx"
import { useNow } from "../../ui/hooks.ts"

/** When an unknown row is looked up next, counted down. */
export function NextLook({ row }: { row: JobRow }) {
  const now = useNow("second")
  const at = row.next_look_at === null ? Number.NaN : millis(row.next_look_at)
  if (Number.isNaN(at)) return null
  const left = at - now
  return (
    <Tooltip label={exact(at)}>
      <span className="l-num">
        {left <= 0 ? "Looking it up now…" : `Looked up in ${duration(wholeSeconds(left))}`}
      </span>
    </Tooltip>
  )
}

function wholeSeconds(ms: number): number {
  return Math.ceil(ms / 1000) * 1000
}
