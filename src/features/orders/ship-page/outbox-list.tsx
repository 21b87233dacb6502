import { IconClockHour4, IconHelpCircle, IconSend } from "@tabler/icons-react"
import { formatCount } from "../../../lib/format.ts"
import type { Parcel } from "../ship/outbox/parcel.ts"
import type { Shipping } from "../ship/outbox/shipping.ts"
import { UndoOrCorrect } from "./before-that.tsx"
import classes from "./outbox-list.module.css"
import { ParcelQuestion } from "./parcel-question.tsx"
import type { OrderNames } from "./use-order-names.ts"

interface OutboxListProps {
  parcels: readonly Parcel[]
  offline: boolean
  shipping: Shipping
  names: OrderNames
  onUndo: (key: string) => void
}

/** What was scanned and is not saved yet, in the order it is sent. Nothing leaves it unseen. */
export function OutboxList({ parcels, offline, shipping, names, onUndo }: OutboxListProps) {
  if (parcels.length === 0) return null
  return (
    <section aria-label="Outbox">
      <div className={classes.head}>
        <h2>Outbox</h2>
        <span className="text-muted l-num">
          {parcels.length === 1 ? "1 parcel" : `${formatCount(parcels.length)} parcels`}
          {offline ? ", sent in this order when you’re back online" : ", sent in this order"}
        </span>
      </div>
      <ul className={classes.list}>
        {parcels.map((parcel) => (
          <li key={parcel.key} className={classes.item}>
            <div className={classes.row}>
              <StateIcon parcel={parcel} />
              <span className={classes.words}>
                <span className={classes.name}>{names(parcel.order_id) ?? parcel.order_id}</span>
                <span className={classes.facts}>
                  <span className="l-mono">{parcel.order_id}</span> {parcel.carrier ?? "No carrier yet"}{" "}
                  <span className="l-mono">{parcel.tracking_number}</span>
                </span>
              </span>
              <span className={classes.state}>{stateWords(parcel, offline)}</span>
              <UndoOrCorrect parcel={parcel} onUndo={onUndo} />
            </div>
            {parcel.state === "asks" && <ParcelQuestion parcel={parcel} shipping={shipping} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function StateIcon({ parcel: { state } }: { parcel: Parcel }) {
  const Icon = state === "asks" ? IconHelpCircle : state === "sent" ? IconSend : IconClockHour4
  return <Icon size={18} stroke={1.75} aria-hidden className={classes.icon} data-state={state} />
}

function stateWords({ state, job, undoes }: Parcel, offline: boolean): string {
  if (state === "asks") return "Your decision needed"
  if (undoes !== undefined) return offline ? "Undo waits" : "Undoing…"
  if (state === "waiting") return offline ? "Waits" : "Next"
  return job === null && offline ? "Sent, waiting for a response" : "Saving…"
}
