import { IconCloudCheck } from "@tabler/icons-react"
import type { ShippedParcel } from "../../../ship/outbox/parcel.ts"
import { Ago } from "../../../ui/ago.tsx"
import classes from "./before-that.module.css"
import type { OrderNames } from "./use-order-names.ts"

/** How many of them are shown. */
const shown = 6

interface BeforeThatProps {
  shipped: readonly ShippedParcel[]
  /** The outbox holds nothing. */
  allSaved: boolean
  names: OrderNames
}

/** What was saved before, the last one first. */
export function BeforeThat({ shipped, allSaved, names }: BeforeThatProps) {
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
      {shipped.length === 0 && <p className="l-3">Nothing in the last 24 hours on this browser.</p>}
      <ul>
        {shipped.slice(0, shown).map(({ order_id: id, tracking_number: number, carrier, at }) => (
          <li key={`${id} ${at}`} className={classes.row}>
            <span className="l-mono l-2 l-cut">{id}</span>
            <span className={classes.what}>{names(id) ?? ""}</span>
            <span className={classes.carrier}>{carrier ?? "No carrier"}</span>
            <span className="l-mono l-2 l-cut">{number}</span>
            <span className={classes.when}>
              <Ago at={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
