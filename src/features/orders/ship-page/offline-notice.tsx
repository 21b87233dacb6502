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
        <span className="text-secondary">
          Keep scanning. Parcels are sent in this order when you’re back online. Until then, duplicate numbers
          are checked only on this device.
        </span>
      </span>
    </output>
  )
}

function waitingWords(waiting: number): string {
  if (waiting === 0) return "The outbox is empty."
  return waiting === 1 ? "1 parcel in the outbox." : `${waiting} parcels in the outbox.`
}
