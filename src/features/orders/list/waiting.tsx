import { millis } from "../../../lib/time.ts"
import { useNow } from "../../../ui/use-now.ts"
import classes from "./order-cells.module.css"

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
/** From here on the row asks for a person, in whole days. */
const lateFrom = 3

/** How long an order waits for its parcel: `35 min`, `3 h`, `4 d`; coloured from 3 whole days on. */
export function Waiting({ since }: { since: string | null | undefined }) {
  const now = useNow("half-minute")
  const at = since ? millis(since) : Number.NaN
  if (Number.isNaN(at)) return null
  const ms = Math.max(0, now - at)
  const late = ms >= lateFrom * day
  return (
    <span className={late ? `l-num ${classes.late}` : "l-num l-2"}>
      {ms < hour
        ? `${Math.floor(ms / minute)} min`
        : ms < day
          ? `${Math.floor(ms / hour)} h`
          : `${Math.floor(ms / day)} d`}
    </span>
  )
}
