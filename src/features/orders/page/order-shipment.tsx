import { Button } from "@mantine/core"
import { IconExternalLink } from "@tabler/icons-react"
import { shipmentOf } from "../../../../contract/program/order.ts"
import { CodeReveal } from "../../../forms/order-code/code-reveal.tsx"
import { CopyText, RelativeTime } from "../../../ui/values.tsx"
import { isDigital, isWaiting, type OrderRow } from "../show/order-row.ts"
import { useParcelLink } from "../../../api/carriers.ts"
import classes from "./order-page.module.css"

/** Where the parcel is, with the carrier's own page; for a digital order its code, masked. */
export function OrderShipment({ row }: { row: OrderRow }) {
  const { order, type } = row
  const { tracking_number: number, carrier } = shipmentOf(order)
  const link = useParcelLink(number, carrier)
  const delivered = order.fulfillment?.delivered_at
  const digital = isDigital(type)
  return (
    <section className={classes.part} aria-labelledby="order-fulfilment">
      <h2 id="order-fulfilment">Fulfilment</h2>
      {digital && <CodeReveal key={order.order_id} orderId={order.order_id} />}
      {(!digital || number !== undefined) && (
        <div className={classes.parcel}>
          <span className={classes.number}>
            {number === undefined ? (
              <span className="text-muted">
                {isWaiting(order.status) ? "No tracking number yet" : "No tracking number"}
              </span>
            ) : (
              <CopyText text={number} mono />
            )}
            <span className="l-meta text-secondary">
              {carrier ?? (number === undefined ? "" : "No carrier given")}
            </span>
          </span>
          {link !== undefined && (
            <Button
              component="a"
              href={link.href}
              target="_blank"
              rel="noopener noreferrer"
              rightSection={<IconExternalLink size={16} stroke={1.75} aria-hidden />}
            >
              Track at {link.carrier}
            </Button>
          )}
        </div>
      )}
      {delivered && (
        <p className="text-secondary">
          Delivered <RelativeTime at={delivered} calendar />, from the program service.
        </p>
      )}
    </section>
  )
}
