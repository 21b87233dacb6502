import { IconRefresh } from "@tabler/icons-react"
import { ago } from "../lib/time.ts"
import classes from "./as-of.module.css"
import { IconButton } from "./icon-button.tsx"
import { useNow } from "./use-now.ts"

interface AsOfProps {
  /** When the service answered, in ms (`Answer.at`); undefined before the first answer. */
  at: number | undefined
  refreshing: boolean
  /** Upstream requests that reading it again costs, where they are more than one. */
  requests?: number
  /** Reads it again, past the cache. */
  onRefresh: () => void
}

/** How old the data beside it is, and a button to read it again. */
export function AsOf({ at, refreshing, requests, onRefresh }: AsOfProps) {
  const now = useNow("second")
  return (
    <span className={classes.asOf}>
      <span className="l-num">
        {refreshing
          ? "Loading…"
          : at === undefined
            ? "Not loaded yet"
            : `Updated ${ago(at, Math.max(now, at))}`}
        {requests !== undefined && !refreshing && (
          <span className={classes.cost}>, {requests} requests to refresh</span>
        )}
      </span>
      <IconButton
        label="Refresh"
        icon={
          <IconRefresh size={14} stroke={2} className={classes.icon} data-turning={refreshing || undefined} />
        }
        onClick={onRefresh}
        disabled={refreshing}
        size="sm"
      />
    </span>
  )
}
