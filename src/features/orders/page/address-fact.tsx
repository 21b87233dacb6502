import type { OrderAddress } from "../../../../contract/orders.ts"
import { longDay } from "../../../lib/time.ts"
import { CopyText } from "../../../ui/values.tsx"
import { addressLines } from "../show/address-lines.ts"
import classes from "./order-page.module.css"

interface AddressFactProps {
  where: OrderAddress | undefined
  mayAddress: boolean
}

/** Where it goes, if that was captured here; else why nobody here knows. */
export function AddressFact({ where, mayAddress }: AddressFactProps) {
  return (
    <section className={classes.group}>
      <h2>Address</h2>
      {!mayAddress ? (
        <p className="text-muted">Not shown to your role.</p>
      ) : where === undefined ? (
        <p className="text-muted">Being looked up</p>
      ) : where.address === null ? (
        <p className="text-muted">{whyNone(where)}</p>
      ) : (
        <>
          <address className={classes.address}>
            {addressLines(where.address).map((line) => (
              <span key={line}>{line}</span>
            ))}
          </address>
          <CopyText text={addressLines(where.address).join(", ")} cut />
          {where.captured_at !== null && (
            <p className="l-meta text-muted">Captured here on {longDay(where.captured_at)}.</p>
          )}
        </>
      )}
    </section>
  )
}

function whyNone({ why_none, removed_at }: OrderAddress): string {
  switch (why_none) {
    case "removed":
      return removed_at === null
        ? "It was removed after the retention period."
        : `It was removed on ${longDay(removed_at)}, after the retention period.`
    case "none_given":
      return "No address was given when it was redeemed here."
    default:
      return "Not known: it was not redeemed with Laurel, and the service never shows an address."
  }
}
