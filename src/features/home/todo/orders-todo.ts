import { IconPackage } from "@tabler/icons-react"
import type { Order } from "../../../../contract/program/order.ts"
import type { OrdersToShip } from "../../../api/order-book.ts"
import { counted, formatCount } from "../../../lib/format.ts"
import { millis } from "../../../lib/time.ts"
import type { OpenTodo } from "./todo.ts"

/** What is known besides the orders themselves. */
interface Beside {
  readonly now: number
  /** Types of rewards by id: a list of orders leaves them out. */
  readonly types: ReadonlyMap<string, string>
  /** The name of a member whom this browser knows already; nobody is asked for it. */
  readonly nameOf: (memberId: string) => string | undefined
  /** May ship: is led to the ship desk, not to the list. */
  readonly ships: boolean
}

/** "14 orders to ship", with the one that waits longest of those that were read. */
export function ordersTodo(queue: OrdersToShip, beside: Beside): OpenTodo | undefined {
  const parcels = queue.orders.filter((order) => typeOf(order, beside.types) !== "digital")
  const [oldest] = parcels
  if (oldest === undefined) return undefined
  return {
    icon: IconPackage,
    tone: "info",
    title: `${counted(parcels.length, "order", { more: !queue.complete })} to ship`,
    about: `${queue.complete ? "Oldest" : `Oldest of the ${formatCount(parcels.length)} read`} ${aboutOldest(oldest, beside)}`,
    ...(beside.ships ? shipDesk : list),
  }
}

type Way = Pick<OpenTodo, "link" | "label" | "first">

const shipDesk: Way = { link: { to: "/orders/ship" }, label: "Ship desk", first: true }
const list: Way = { link: { to: "/orders", search: { status: "to-ship" } }, label: "Orders" }

function typeOf({ fulfillment, reward_id }: Order, types: ReadonlyMap<string, string>): string | undefined {
  return (fulfillment?.type ?? types.get(reward_id ?? ""))?.toLowerCase()
}

/** "waits 4 days: Weber Baby Q for Dalia Haddad". */
function aboutOldest(order: Order, { now, nameOf }: Beside): string {
  const at = order.created_at ? millis(order.created_at) : Number.NaN
  const who = nameOf(order.member_id ?? "")
  const what = `${order.reward_name || order.order_id}${who === undefined ? "" : ` for ${who}`}`
  return Number.isNaN(at) ? `is ${what}` : `waits ${waitWords(now - at)}: ${what}`
}

/** How long something waits, in its largest unit: `4 days`, `3 hours`, `35 minutes`. */
export function waitWords(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  if (minutes < 60) return counted(minutes, "minute")
  return minutes < 24 * 60
    ? counted(Math.floor(minutes / 60), "hour")
    : counted(Math.floor(minutes / (24 * 60)), "day")
}
