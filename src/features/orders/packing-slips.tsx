import { code128, drawingSVG } from "bwip-js/generic"
import { useSession } from "../../api/session.ts"
import { formatCount } from "../../lib/format.ts"
import { exact } from "../../lib/time.ts"
import { EnvBadge } from "../../ui/brand.tsx"
import { useNow } from "../../ui/hooks.ts"
import { addressLines, itemsText, orderName, ordersText } from "./order-row.tsx"
import type { PackedOrder } from "./packing.ts"
import classes from "./print.module.css"
import type { Printout } from "./search.ts"

interface PrintedPagesProps {
  what: Printout
  paper: "a4" | "letter"
  orders: readonly PackedOrder[]
}

/** The pages as they leave the printer; on the screen, as they will look. */
export function PrintedPages({ what, paper, orders }: PrintedPagesProps) {
  return (
    <div className={classes.papers} data-paper={paper}>
      {what === "pick" ? (
        <PickList orders={orders} />
      ) : (
        orders.map((packed) => <PackingSlip key={packed.order.order_id} packed={packed} />)
      )}
    </div>
  )
}

const whyNoAddress = {
  not_redeemed_here: "It was redeemed elsewhere, and the service doesn’t share addresses.",
  none_given: "No address was given at redemption.",
  removed: "It was removed after the retention period.",
} as const

/** The packing slip of one order, a page of its own. */
function PackingSlip({ packed: { order, member, goes } }: { packed: PackedOrder }) {
  const quantity = quantityOf(goes)
  const address = goes?.address ?? null
  return (
    <article className={classes.paper} aria-label={`Packing slip of ${order.order_id}`}>
      <PrintedHeader title="Packing slip" />
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
              <p className={classes.quiet}>
                {goes?.why_none ? whyNoAddress[goes.why_none] : "It couldn’t be loaded."}
              </p>
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
              <span className={classes.strong}>{quantity.count}</span>
              {quantity.note !== null && <span className={classes.quiet}>{quantity.note}</span>}
            </td>
          </tr>
        </tbody>
      </table>
    </article>
  )
}

/** How many pieces, and how that is known: the service never says a quantity. */
function quantityOf(goes: PackedOrder["goes"]): { readonly count: string; readonly note: string | null } {
  const { pieces = null, inferred = false } = goes?.quantity ?? {}
  if (pieces === null) return { count: "Unknown", note: "Check the order before packing." }
  return { count: String(pieces), note: inferred ? "Estimated from the points spent." : null }
}

/** What is taken from one shelf. */
interface Pick {
  readonly reward: string
  readonly orders: readonly PackedOrder[]
  /** Pieces that are known or estimated, over all orders. */
  readonly pieces: number
  /** Orders whose quantity is estimated from the points spent. */
  readonly inferred: number
  /** Orders whose quantity is unknown: they come on top. */
  readonly unknown: number
}

/** What to take from the shelves, summed up by reward, with the orders it is for. */
function PickList({ orders }: { orders: readonly PackedOrder[] }) {
  const picks = picksOf(orders)
  const pieces = picks.reduce((sum, pick) => sum + pick.pieces, 0)
  const unknown = picks.reduce((sum, pick) => sum + pick.unknown, 0)
  return (
    <article className={classes.paper} data-long aria-label="Pick list">
      <PrintedHeader title="Pick list" />
      <p className={classes.sum}>
        {ordersText(orders.length)}, {itemsText(pieces)}
        {unknown > 0 && `, and ${ordersText(unknown)} of unknown quantity`}
      </p>
      {picks.map((pick) => (
        <PickTable key={`${pick.reward} ${pick.orders[0]?.order.order_id ?? ""}`} pick={pick} />
      ))}
    </article>
  )
}

/** By reward and by name: rewards of one name and different ids stay apart. */
function picksOf(orders: readonly PackedOrder[]): readonly Pick[] {
  const byReward = Map.groupBy(orders, ({ order }) => order.reward_id || orderName(order))
  return [...byReward.values()]
    .map((same) => {
      const quantities = same.map(({ goes }) => goes?.quantity)
      return {
        reward: same[0] === undefined ? "" : orderName(same[0].order),
        orders: same,
        pieces: quantities.reduce((sum, quantity) => sum + (quantity?.pieces ?? 0), 0),
        inferred: quantities.filter((quantity) => quantity?.inferred === true && quantity.pieces !== null)
          .length,
        unknown: quantities.filter((quantity) => quantity?.pieces == null).length,
      }
    })
    .toSorted((one, other) => one.reward.localeCompare(other.reward))
}

function PickTable({ pick: { reward, orders, pieces, inferred, unknown } }: { pick: Pick }) {
  // Said once in the header where it holds for each of them.
  const allInferred = inferred === orders.length
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
            <span className={classes.strong}>{reward}</span>
          </th>
          <th scope="col">
            <span className={classes.strong}>{formatCount(pieces)} ×</span>
            {inferred > 0 && (
              <span className={classes.quiet}>
                {allInferred ? "estimated" : "partly estimated"} from the points spent
              </span>
            )}
            {unknown > 0 && (
              <span className={classes.quiet}>and {ordersText(unknown)} of unknown quantity</span>
            )}
          </th>
        </tr>
      </thead>
      <tbody>
        {orders.map(({ order, member, goes }) => {
          const quantity = quantityOf(goes)
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
                <span className={classes.strong}>{quantity.count}</span>
                {quantity.note !== null && !allInferred && (
                  <span className={classes.quiet}>{quantity.note}</span>
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** The header of every page: whose it is, what it is, and when it was printed; loud where it is not production. */
function PrintedHeader({ title }: { title: string }) {
  const { program, environment, user } = useSession()
  const now = useNow("half-minute")
  return (
    <header className={classes.head}>
      <div>
        <div className={classes.program}>{program.name}</div>
        <h2>{title}</h2>
      </div>
      <div className={classes.printed}>
        {environment !== "production" && (
          <span className={classes.badge}>
            <EnvBadge environment={environment} />
          </span>
        )}
        <span>
          {exact(now)}, {user.name}
        </span>
      </div>
    </header>
  )
}

/** Width of the narrowest bar, in mm: what cheap scanners read from paper. */
const narrowestBar = 0.33
/** White on both sides, in narrowest bars: without it a scanner does not find the symbol. */
const quietZone = 10
/** What a hand scanner types as it stands; other characters depend on how it is set up. */
const scannable = /^[\u0020-\u007E]{1,60}$/

/** An order's id for the scanner; nothing where no scanner would read it back: too long, or letters beyond ASCII. */
export function Barcode({ text, small = false }: { text: string; small?: boolean }) {
  if (!scannable.test(text)) return null
  const drawn = code128({ bcid: "code128", text, scale: 1, paddingwidth: quietZone }, drawingSVG())
  const [, viewBox, width] = /viewBox="(0 0 (\d+) \d+)"/.exec(drawn) ?? []
  const mm = Number(width) * narrowestBar * (small ? 0.75 : 1)
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- what is drawn here is no file that an <img> could show
      role="img"
      className={small ? classes.smallBarcode : classes.barcode}
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
