import { IconCloudOff } from "@tabler/icons-react"
import { timeOfDay } from "../../../lib/time.ts"
import classes from "./ship.module.css"

/** That the desk's server cannot be reached, since when, and that one can go on. */
export function OfflineNotice({ since, waiting }: { since: number; waiting: number }) {
  return (
    <output className={classes.offline}>
      <IconCloudOff size={16} stroke={1.75} aria-hidden className={classes.offlineIcon} />
      <span className={classes.offlineWords}>
        <span className="l-medium">
          Offline since {timeOfDay(since)}. {waitingWords(waiting)}
        </span>
        <span className="l-2">
          Go on scanning. They are sent in this order when the connection is back. Until then it is only
          looked up here whether another order has the number.
        </span>
      </span>
    </output>
  )
}

function waitingWords(waiting: number): string {
  if (waiting === 0) return "Nothing waits in the outbox."
  return waiting === 1 ? "1 parcel waits in the outbox." : `${waiting} parcels wait in the outbox.`
}
