import { exact } from "../../../lib/time.ts"
import { addressLines } from "../show/address-lines.ts"
import { orderName } from "../show/order-row.ts"
import { Barcode } from "./barcode.tsx"
import { PaperHead } from "./paper-head.tsx"
import classes from "./papers.module.css"
import { noAddressWords, piecesWords, type Parcel } from "./parcel.ts"

/** The packing slip of one order, a page of its own. */
export function Slip({ parcel }: { parcel: Parcel }) {
  const { order, member, goes } = parcel
  const pieces = piecesWords(goes)
  const address = goes?.address ?? null
  return (
    <article className={classes.paper} aria-label={`Packing slip of ${order.order_id}`}>
      <PaperHead title="Packing slip" />
      <div className={classes.symbol}>
        <Barcode text={order.order_id} />
        <div className={classes.id}>{order.order_id}</div>
      </div>
      <div className={classes.columns}>
        <section>
          <h3>Ship to</h3>
          {address === null ? (
            <>
              <p className={classes.strong}>{member}</p>
              <p>Address: see carrier label.</p>
              <p className={classes.quiet}>{noAddressWords(goes)}</p>
            </>
          ) : (
            <address>{addressLines(address).join("\n")}</address>
          )}
        </section>
        <section>
          <h3>Order</h3>
          <dl className={classes.facts}>
            <dt>Member</dt>
            <dd>{member}</dd>
            <dt>Redeemed</dt>
            <dd>{order.created_at ? exact(order.created_at) : "Unknown"}</dd>
          </dl>
        </section>
      </div>
      <table className={classes.items}>
        <thead>
          <tr>
            <th scope="col">Reward</th>
            <th scope="col">Quantity</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>
              <span className={classes.strong}>{orderName(order)}</span>
              {order.reward_id && <span className={classes.code}>{order.reward_id}</span>}
            </td>
            <td>
              <span className={classes.strong}>{pieces.count}</span>
              {pieces.note !== null && <span className={classes.quiet}>{pieces.note}</span>}
            </td>
          </tr>
        </tbody>
      </table>
    </article>
  )
}
