import { formatCount } from "../../../lib/format.ts"
import { Barcode } from "./barcode.tsx"
import { PaperHead } from "./paper-head.tsx"
import classes from "./papers.module.css"
import { piecesWords, type Parcel } from "./parcel.ts"
import { pickList, type Pick } from "./pick-list.ts"

/** What to take from the shelves, summed up by reward, with the orders it is for. */
export function PickPaper({ parcels }: { parcels: readonly Parcel[] }) {
  const picks = pickList(parcels)
  const pieces = picks.reduce((sum, pick) => sum + pick.pieces, 0)
  const unknown = picks.reduce((sum, pick) => sum + pick.unknown, 0)
  return (
    <article className={classes.paper} data-long aria-label="Pick list">
      <PaperHead title="Pick list" />
      <p className={classes.sum}>
        {parcels.length === 1 ? "1 order" : `${formatCount(parcels.length)} orders`},{" "}
        {pieces === 1 ? "1 item" : `${formatCount(pieces)} items`}
        {unknown > 0 && `, and ${ordersWithout(unknown)}`}
      </p>
      {picks.map((pick) => (
        <PickGroup key={`${pick.reward} ${pick.parcels[0]?.order.order_id ?? ""}`} pick={pick} />
      ))}
    </article>
  )
}

function PickGroup({ pick }: { pick: Pick }) {
  // Said once in the head, where it goes for each of them.
  const all = pick.inferred === pick.parcels.length
  return (
    <table className={classes.picks}>
      <colgroup>
        <col className={classes.tick} />
        <col />
        <col className={classes.bars} />
        <col className={classes.pieces} />
      </colgroup>
      <thead>
        <tr>
          <th scope="col" colSpan={3}>
            <span className={classes.strong}>{pick.reward}</span>
          </th>
          <th scope="col">
            <span className={classes.strong}>{formatCount(pick.pieces)} ×</span>
            {pick.inferred > 0 && (
              <span className={classes.quiet}>
                {all ? "estimated" : "partly estimated"} from the points spent
              </span>
            )}
            {pick.unknown > 0 && <span className={classes.quiet}>and {ordersWithout(pick.unknown)}</span>}
          </th>
        </tr>
      </thead>
      <tbody>
        {pick.parcels.map(({ order, member, goes }) => {
          const pieces = piecesWords(goes)
          return (
            <tr key={order.order_id}>
              <td className={classes.tick} aria-hidden />
              <td>
                <span className={classes.code}>{order.order_id}</span>
                <span>{member}</span>
              </td>
              <td>
                <Barcode text={order.order_id} small />
              </td>
              <td>
                <span className={classes.strong}>{pieces.count}</span>
                {pieces.note !== null && !all && <span className={classes.quiet}>{pieces.note}</span>}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function ordersWithout(count: number): string {
  return count === 1 ? "1 order of unknown quantity" : `${formatCount(count)} orders of unknown quantity`
}
