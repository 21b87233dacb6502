import { Button } from "@mantine/core"
import { IconCloudCheck } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { undoFor } from "../ship/flow/ship-flow.ts"
import { undoneOrders } from "../ship/outbox/outbox-changes.ts"
import type { OutboxData, Parcel, ShippedParcel } from "../ship/outbox/parcel.ts"
import { RelativeTime } from "../../../ui/values.tsx"
import { useNow } from "../../../ui/hooks.ts"
import classes from "./before-that.module.css"
import type { OrderNames } from "./use-order-names.ts"

/** How many of them are shown. */
const shown = 6

interface BeforeThatProps {
  shipped: readonly ShippedParcel[]
  outbox: OutboxData
  names: OrderNames
  onUndo: (key: string) => void
}

/** What was saved before, the last one first. */
export function BeforeThat({ shipped, outbox, names, onUndo }: BeforeThatProps) {
  const allSaved = outbox.parcels.length === 0
  const undoing = undoneOrders(outbox)
  if (shipped.length === 0 && !allSaved) return null
  return (
    <section aria-label="Shipped earlier">
      <div className={classes.head}>
        <h2>Shipped earlier</h2>
        {allSaved && (
          <span className={classes.saved}>
            <IconCloudCheck size={15} stroke={1.75} aria-hidden />
            All saved
          </span>
        )}
      </div>
      {shipped.length === 0 && <p className="text-muted">Nothing in the last 24 hours on this browser.</p>}
      <ul>
        {shipped.slice(0, shown).map((each) => (
          <li key={`${each.order_id} ${each.at}`} className={classes.row}>
            <span className="l-mono text-secondary truncate">{each.order_id}</span>
            <span className={classes.what}>{names(each.order_id) ?? ""}</span>
            <span className={classes.carrier}>{each.carrier ?? "No carrier"}</span>
            <span className="l-mono text-secondary truncate">{each.tracking_number}</span>
            <span className={classes.when}>
              <RelativeTime at={each.at} />
            </span>
            <span className={classes.act}>
              {undoing.has(each.order_id) ? "Undoing…" : <UndoOrCorrect shipped={each} onUndo={onUndo} />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface UndoOrCorrectProps {
  /** The parcel while it stands in the outbox. */
  parcel?: Parcel | undefined
  /** ... and once its order was confirmed. */
  shipped?: ShippedParcel | undefined
  onUndo: (key: string) => void
  /** It is the parcel that the key U undoes. */
  withKey?: boolean
}

/** Undoes a parcel for a minute after its scan, longer while it was not sent; after that its order is corrected by hand. */
export function UndoOrCorrect({ parcel, shipped, onUndo, withKey = false }: UndoOrCorrectProps) {
  const now = useNow("second")
  if (parcel?.undoes !== undefined || parcel?.state === "asks") return null
  const key = parcel?.key ?? shipped?.key
  const scannedAt = parcel?.at ?? shipped?.scanned_at ?? 0
  if (key !== undefined && (parcel?.state === "waiting" || now - scannedAt <= undoFor)) {
    return (
      <Button size="xs" onClick={() => onUndo(key)} {...(withKey && { rightSection: <kbd>U</kbd> })}>
        Undo
      </Button>
    )
  }
  if (shipped === undefined) return null
  const { order_id: order } = shipped
  return (
    <Button
      size="xs"
      aria-label={`Correct ${order}`}
      renderRoot={(props) => <Link {...props} to="/orders/ship/edit" search={{ order }} />}
    >
      Correct
    </Button>
  )
}
