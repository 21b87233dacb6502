import { Group } from "@mantine/core"
import { code128, drawingSVG } from "bwip-js/generic"
import type { ShippedToday } from "../../../contract/orders.ts"
import { senderQuery } from "../../api/orders.ts"
import { useQuery } from "@tanstack/react-query"
import { counted, formatCount } from "../../lib/format.ts"
import { longDay, timeOfDay } from "../../lib/time.ts"
import { PrintedHeader } from "../../forms/paper.tsx"
import {
  addressLines,
  itemsText,
  orderName,
  ordersText,
  type PackedOrder,
  whyNoAddress,
} from "./order-row.tsx"
import classes from "./print.module.css"
import type { Printout } from "./order-search.ts"

/** Today's parcels by carrier, one paper each with a line to sign. */
export function DayPages({ paper, orders }: { paper: string; orders: ShippedToday["orders"] }) {
  const carriers = [...Map.groupBy(orders, ({ carrier }) => carrier ?? "")].toSorted(([one], [other]) =>
    one.localeCompare(other),
  )
  return (
    <div data-papers className={classes.papers} data-paper={paper}>
      {carriers.map(([carrier, parcels]) => (
        <article
          key={carrier}
          className={classes.paper}
          data-long
          aria-label={`Parcels for ${carrier || "no carrier"}`}
        >
          <PrintedHeader title={carrier || "No carrier"} />
          <p className={classes.sum}>{counted(parcels.length, "parcel")} shipped today</p>
          <table>
            <thead className={classes.quiet}>
              <tr>
                {["Order", "Tracking number", "Shipped"].map((label) => (
                  <th key={label} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {parcels.map(({ order_id: id, tracking_number: number, at, by }) => (
                <tr key={id}>
                  <td className={classes.code}>{id}</td>
                  <td className={classes.code}>{number || "None"}</td>
                  <td>
                    {timeOfDay(Date.parse(at))}, {by}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <Group component="p" gap="8mm" pt="16mm" className={`${classes.sign} ${classes.quiet}`}>
            <span>Collected by</span>
            <span>Signature</span>
            <span>Date and time</span>
          </Group>
        </article>
      ))}
    </div>
  )
}

export function PrintedPages(props: { what: Printout; paper: string; orders: readonly PackedOrder[] }) {
  const { what, paper, orders } = props
  return (
    <div data-papers className={classes.papers} data-paper={paper}>
      {what === "pick" && <PickList orders={orders} />}
      {what === "slips" &&
        orders.map((packed) => <PackingSlip key={packed.order.order_id} packed={packed} />)}
    </div>
  )
}

function PackingSlip({ packed: { order, member, goes } }: { packed: PackedOrder }) {
  const address = goes?.address ?? null
  // For the customer: an id in place of a name is left out.
  const name = member === order.member_id || member === "" ? undefined : member
  const sender = useQuery(senderQuery).data?.address ?? ""
  return (
    <article className={classes.paper} aria-label={`Packing slip of ${order.order_id}`}>
      <PrintedHeader title="Packing slip" forCustomer />
      <div>
        <Barcode text={order.order_id} />
        <div className={classes.id}>{order.order_id}</div>
      </div>
      <div className={classes.columns}>
        <section>
          <h3>Ship to</h3>
          {address === null ? (
            <>
              {name !== undefined && <p className="l-strong">{name}</p>}
              <p>Address: see carrier label.</p>
              <p className={classes.quiet}>
                {goes === undefined ? "It couldn’t be loaded." : whyNoAddress(goes)}
              </p>
            </>
          ) : (
            <address>{addressLines(address).join("\n")}</address>
          )}
        </section>
        <section>
          {sender !== "" && (
            <>
              <h3>From</h3>
              <address className={classes.sender}>{sender}</address>
            </>
          )}
          <h3>Order</h3>
          <dl className={classes.facts}>
            {name !== undefined && (
              <>
                <dt>Member</dt>
                <dd>{name}</dd>
              </>
            )}
            {order.created_at && (
              <>
                <dt>Redeemed</dt>
                <dd>{longDay(order.created_at)}</dd>
              </>
            )}
          </dl>
        </section>
      </div>
      <table>
        <thead className={classes.quiet}>
          <tr>
            <th scope="col">Reward</th>
            <th scope="col">Quantity</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>
              <div className="l-strong">{order.reward_name || "Reward"}</div>
            </td>
            <td>
              <Quantity goes={goes} />
            </td>
          </tr>
        </tbody>
      </table>
    </article>
  )
}

/** The quantity and its source: the service never sends one. */
function Quantity({ goes, estimateNoted = false }: { goes: PackedOrder["goes"]; estimateNoted?: boolean }) {
  const { pieces = null, inferred = false } = goes?.quantity ?? {}
  const estimated = inferred && !estimateNoted ? "Estimated from the points spent." : ""
  return (
    <>
      <div className="l-strong">{pieces ?? "Unknown"}</div>
      <div className={classes.quiet}>{pieces === null ? "Check the order before packing." : estimated}</div>
    </>
  )
}

function PickList({ orders }: { orders: readonly PackedOrder[] }) {
  const { pieces, unknown } = countPieces(orders)
  const picks = [...Map.groupBy(orders, ({ order }) => order.reward_id || orderName(order))]
    .map(([key, same]) => ({ key, same, reward: same[0] === undefined ? "" : orderName(same[0].order) }))
    .toSorted((one, other) => one.reward.localeCompare(other.reward))
  return (
    <article className={classes.paper} data-long aria-label="Pick list">
      <PrintedHeader title="Pick list" />
      <p className={classes.sum}>
        {ordersText(orders.length)}, {itemsText(pieces)}
        {unknown > 0 && `, and ${ordersText(unknown)} of unknown quantity`}
      </p>
      {picks.map(({ key, reward, same }) => (
        <PickTable key={key} reward={reward} orders={same} />
      ))}
    </article>
  )
}

/** Known pieces, and the numbers of orders with an estimated (from points spent) or unknown quantity. */
function countPieces(orders: readonly PackedOrder[]) {
  const quantities = orders.flatMap(({ goes }) => (goes?.quantity.pieces == null ? [] : goes.quantity))
  return {
    pieces: quantities.reduce((sum, quantity) => sum + (quantity.pieces ?? 0), 0),
    inferred: quantities.filter(({ inferred }) => inferred).length,
    unknown: orders.length - quantities.length,
  }
}

function PickTable({ reward, orders }: { reward: string; orders: readonly PackedOrder[] }) {
  const { pieces, inferred, unknown } = countPieces(orders)
  // Stated once in the header when true for all orders.
  const allInferred = inferred === orders.length
  return (
    <table className={classes.picks}>
      <colgroup>
        <col style={{ width: 28 }} />
        <col />
        <col style={{ width: "34%" }} />
        <col style={{ width: "24%" }} />
      </colgroup>
      <thead>
        <tr>
          <th scope="col" colSpan={3}>
            <div className="l-strong">{reward}</div>
          </th>
          <th scope="col">
            <div className="l-strong">{formatCount(pieces)} ×</div>
            {inferred > 0 && (
              <div className={classes.quiet}>
                {allInferred ? "estimated" : "partly estimated"} from the points spent
              </div>
            )}
            {unknown > 0 && (
              <div className={classes.quiet}>and {ordersText(unknown)} of unknown quantity</div>
            )}
          </th>
        </tr>
      </thead>
      <tbody>
        {orders.map(({ order, member, goes }) => (
          <tr key={order.order_id}>
            <td className={classes.tick} aria-hidden />
            <th scope="row">
              <div className={classes.code}>{order.order_id}</div>
              <div>{member}</div>
            </th>
            <td>
              <Barcode text={order.order_id} small />
            </td>
            <td>
              <Quantity goes={goes} estimateNoted={allInferred} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Width of the narrowest bar, in mm: readable from paper by cheap scanners. */
const narrowestBar = 0.33
/** Quiet zone on both sides, in narrowest bars: without it a scanner does not find the symbol. */
const quietZone = 10
/** Characters that every hand scanner types correctly; others depend on its settings. */
const scannable = /^[\u0020-\u007E]{1,60}$/

/** Barcode of an order's id; nothing when scanners cannot read it back: too long or not ASCII. */
export function Barcode({ text, small = false }: { text: string; small?: boolean }) {
  if (!scannable.test(text)) return null
  const drawn = code128({ bcid: "code128", text, scale: 1, paddingwidth: quietZone }, drawingSVG())
  const [, viewBox, width] = /viewBox="(0 0 (\d+) \d+)"/.exec(drawn) ?? []
  const mm = Number(width) * narrowestBar * (small ? 0.75 : 1)
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- what is drawn here is no file that an <img> could show
      role="img"
      className={classes.barcode}
      data-small={small || undefined}
      aria-label={`Barcode of ${text}`}
      width={`${mm.toFixed(2)}mm`}
      viewBox={viewBox}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
    >
      {[...drawn.matchAll(/stroke-width="(\d+)" d="([^"]+)"/g)].map(([, bar, d]) => (
        <path key={bar} strokeWidth={bar} d={d} />
      ))}
    </svg>
  )
}
