import { formatCount } from "../../../lib/format.ts"
import { millis } from "../../../lib/time.ts"
import { useNow } from "../../../ui/hooks.ts"
import classes from "./order-cells.module.css"

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
/** From here on the row asks for a person, in whole days. */
const lateFrom = 3

/**
 * How long ago an order that is not shipped was placed: `35 min`, `3 h`, `4 d`; with `ordered` as a phrase, "ordered 4
 * days ago". Coloured from 3 whole days on.
 */
export function Waiting({ since, ordered }: { since: string | null | undefined; ordered?: boolean }) {
  const now = useNow("half-minute")
  const at = since ? millis(since) : Number.NaN
  if (Number.isNaN(at)) return null
  const ms = Math.max(0, now - at)
  const late = ms >= lateFrom * day
  return (
    <span className={late ? `l-num ${classes.late}` : "l-num text-secondary"}>
      {ordered ? `ordered ${waitingTime(ms, true)} ago` : waitingTime(ms, false)}
    </span>
  )
}

function waitingTime(ms: number, long: boolean): string {
  if (ms < hour) return `${Math.floor(ms / minute)} min`
  if (ms < day) return `${Math.floor(ms / hour)} h`
  const days = Math.floor(ms / day)
  if (!long) return `${days} d`
  return days === 1 ? "1 day" : `${formatCount(days)} days`
}
