import { Button } from "@mantine/core"
import { IconExternalLink, IconPackage, IconPencil, IconPrinter } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link, Outlet } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { OrderAddress } from "../../../contract/orders.ts"
import { type Order, shipmentOf } from "../../../contract/program/order.ts"
import { documentedOrder } from "../../../contract/redaction.ts"
import { useParcelLink } from "../../api/carriers.ts"
import { ApiError } from "../../api/errors.ts"
import { memberNamesQuery } from "../../api/member-names.ts"
import { orderAddressQuery, orderQuery } from "../../api/orders.ts"
import { useCan } from "../../api/session.ts"
import {
  addressLines,
  isDigital,
  isWaiting,
  orderRow,
  type OrderRow,
  type RewardTypes,
  typeOf,
  useRewardTypes,
  Waiting,
  waitsForParcel,
} from "./order-row.tsx"
import { OrderTimeline } from "./order-history.tsx"
import { CodeReveal } from "../../forms/order-code.tsx"
import { formatCount } from "../../lib/format.ts"
import { exact, longDay } from "../../lib/time.ts"
import { ArrivalNote } from "../../lists/list-page.tsx"
import { StaleNotice } from "../../ui/query-state.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import { AsOf } from "../../ui/query-state.tsx"
import { CopyText } from "../../ui/values.tsx"
import { RequirePermission } from "../../ui/require-permission.tsx"
import { EmptyState } from "../../ui/query-state.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { type Figure, Figures } from "../../ui/page-header.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { Points } from "../../ui/values.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { Status } from "../../ui/status.tsx"
import classes from "./order-page.module.css"

const route = getRouteApi("/_desk/orders_/$orderId")
const nothing: readonly Order[] = []
const path = [{ label: "Orders", to: "/orders" }]

/** One order: what it is and for whom, where its parcel is, what happened to it. */
export function OrderPage() {
  const { orderId } = route.useParams()
  const client = useQueryClient()
  const { data: answer, error, isFetching, refetch } = useQuery(orderQuery(orderId))
  const refresh = () => void client.prefetchQuery({ ...orderQuery(orderId, { fresh: true }), staleTime: 0 })

  const { types } = useRewardTypes(answer === undefined ? nothing : [answer.data])

  if (error instanceof ApiError && error.status === 404) return <OrderMissing orderId={orderId} />
  if (answer === undefined) {
    return (
      <>
        <PageHeader title="Order" path={path} />
        {error === null ? (
          <SkeletonRows rows={6} columns={[40, 240]} />
        ) : (
          <div className={classes.note}>
            <ErrorNotice error={error} what="Couldn’t load the order." onRetry={() => void refetch()} />
          </div>
        )}
        <Outlet />
      </>
    )
  }
  return (
    <div className={classes.page} key={orderId}>
      <PageHeader
        title={answer.data.order_id}
        path={path}
        pill={<Status of="order" value={answer.data.status} pill />}
        actions={<OrderActions order={answer.data} digital={isDigital(typeOf(answer.data, types))} />}
      />
      <div className={classes.notes}>
        <ArrivalNote />
        {error !== null && (
          <ErrorNotice
            error={error}
            what="Couldn’t refresh the order. Showing the last loaded version."
            onRetry={() => void refetch()}
          />
        )}
        {error === null && answer.stale && (
          <StaleNotice what="The order" at={answer.at} refreshing={isFetching} onRefresh={refresh} />
        )}
      </div>
      <OrderParts
        order={answer.data}
        types={types}
        at={answer.at}
        fetching={isFetching}
        onRefresh={refresh}
      />
      <Outlet />
    </div>
  )
}

interface OrderPartsProps {
  order: Order
  types: RewardTypes
  at: number
  fetching: boolean
  onRefresh: () => void
}

function OrderParts({ order, types, at, fetching, onRefresh }: OrderPartsProps) {
  const mayAddress = useCan("orders.address")
  const names = useQuery(memberNamesQuery(order.member_id ? [order.member_id] : [])).data
  const row = orderRow(order, names, types)
  const where = useQuery({ ...orderAddressQuery(order.order_id), enabled: mayAddress })
  return (
    <>
      <OrderFigures row={row} where={where.data} at={at} fetching={fetching} onRefresh={onRefresh} />
      <div className={classes.split}>
        <OrderFacts row={row} where={where.data} mayAddress={mayAddress} />
        <div className={classes.work}>
          {where.error !== null && (
            <ErrorNotice
              error={where.error}
              what="Couldn’t look up the address."
              onRetry={() => void where.refetch()}
            />
          )}
          <OrderShipment row={row} />
          <OrderTimeline order={order} address={where.data} />
        </div>
      </div>
    </>
  )
}

/** What can be done with an order. */
function OrderActions({ order, digital }: { order: Order; digital: boolean }) {
  return (
    <>
      {!digital && (
        <RequirePermission permission="orders.update">
          <Button
            leftSection={<IconPrinter size={16} stroke={1.75} aria-hidden />}
            renderRoot={(props) => <Link {...props} to="/orders/print" search={{ ids: order.order_id }} />}
          >
            Packing slip
          </Button>
        </RequirePermission>
      )}
      <RequirePermission permission="orders.update">
        <Button
          variant="filled"
          leftSection={<IconPencil size={16} stroke={1.75} aria-hidden />}
          renderRoot={(props) => (
            <Link
              {...props}
              to="/orders/$orderId/edit"
              params={{ orderId: order.order_id }}
              resetScroll={false}
            />
          )}
        >
          Change status or tracking
        </Button>
      </RequirePermission>
    </>
  )
}

interface OrderFactsProps {
  row: OrderRow
  /** Where it goes; undefined while it is read, and for those who may not see it. */
  where: OrderAddress | undefined
  mayAddress: boolean
}

/** What is known of an order: what, for whom, where to, and whatever else the service sent. */
function OrderFacts({ row, where, mayAddress }: OrderFactsProps) {
  const { order, member, type } = row
  const { member_id: memberId, reward_id: rewardId, reward_name: rewardName } = order
  const further = furtherFacts(order)
  return (
    <aside className={classes.facts} aria-label="Facts">
      <dl className={classes.list}>
        <Fact label="Reward">
          {rewardId ? (
            <Link to="/rewards/$rewardId" params={{ rewardId }} className="l-link">
              {rewardName || rewardId}
            </Link>
          ) : (
            rewardName || <span className="text-muted">Not given</span>
          )}
        </Fact>
        <Fact label="Type">
          {type ? <Status of="reward-type" value={type} /> : <span className="text-muted">Not given</span>}
        </Fact>
        <Fact label="Member">
          {memberId ? (
            <Link to="/members/$memberId" params={{ memberId }} className="l-link">
              {member}
            </Link>
          ) : (
            <span className="text-muted">Not given</span>
          )}
        </Fact>
        {memberId && member !== memberId && (
          <Fact label="Member id">
            <CopyText text={memberId} mono cut />
          </Fact>
        )}
        <Fact label="Created">
          {order.created_at ? exact(order.created_at) : <span className="text-muted">Not given</span>}
        </Fact>
        {order.shipped_at && <Fact label="Shipped">{exact(order.shipped_at)}</Fact>}
        <Fact label="Order id">
          <CopyText text={order.order_id} mono cut />
        </Fact>
      </dl>
      <AddressFact where={where} mayAddress={mayAddress} />
      {further.length > 0 && (
        <section className={classes.group}>
          <h2>Other fields by the service</h2>
          <dl className={classes.list}>
            {further.map(([label, value]) => (
              <Fact key={label} label={label}>
                <CopyText text={value} cut />
              </Fact>
            ))}
          </dl>
        </section>
      )}
    </aside>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt className={classes.label}>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface OrderFiguresProps {
  row: OrderRow
  where: OrderAddress | undefined
  at: number
  fetching: boolean
  onRefresh: () => void
}

/** Points, pieces and time. Pieces that were worked out from the points say so. */
function OrderFigures({ row, where, at, fetching, onRefresh }: OrderFiguresProps) {
  const { order } = row
  const pieces = where?.quantity.pieces ?? null
  const items: Figure[] = [
    {
      label: "Points spent",
      value: typeof order.points_spent === "number" ? <Points value={order.points_spent} /> : "Not given",
    },
    ...(pieces === null || where === undefined
      ? []
      : [
          {
            label: "Quantity",
            value: (
              <>
                {pieces === 1 ? "1 item" : `${formatCount(pieces)} items`}
                {where.quantity.inferred && <span className={classes.inferred}>(estimated from points)</span>}
              </>
            ),
          },
        ]),
    ...(waitsForParcel(row) && order.created_at
      ? [{ label: "Not shipped yet", value: <Waiting since={order.created_at} ordered /> }]
      : order.created_at
        ? [{ label: "Ordered", value: <RelativeTime at={order.created_at} /> }]
        : []),
  ]
  return <Figures items={items} end={<AsOf at={at} refreshing={fetching} onRefresh={onRefresh} />} />
}

/** No order has this id. */
function OrderMissing({ orderId }: { orderId: string }) {
  return (
    <>
      <PageHeader title="Order not found" path={[{ label: "Orders", to: "/orders" }]} />
      <EmptyState
        icon={IconPackage}
        title={`No order has the id ${orderId}`}
        help="Check the number: orders are found by their full id."
        actions={<Button renderRoot={(props) => <Link {...props} to="/orders" />}>Back to orders</Button>}
      />
    </>
  )
}

/** Where the parcel is, with the carrier's own page; for a digital order its code, masked. */
function OrderShipment({ row }: { row: OrderRow }) {
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

interface AddressFactProps {
  where: OrderAddress | undefined
  mayAddress: boolean
}

/** Where it goes, if that was captured here; else why nobody here knows. */
function AddressFact({ where, mayAddress }: AddressFactProps) {
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

const documented = new Set(documentedOrder)
const documentedFulfilment = new Set(["type", "code", "tracking_number", "carrier", "delivered_at"])

/** What an order carries beside the documented fields, as it came (docs/api/program.md, Order). */
function furtherFacts(order: Order): [string, string][] {
  return [
    ...Object.entries(order).filter(([field]) => !documented.has(field)),
    ...Object.entries(order.fulfillment ?? {}).filter(([field]) => !documentedFulfilment.has(field)),
  ].flatMap(([field, value]): [string, string][] =>
    value === null || value === undefined || value === ""
      ? []
      : [[field, typeof value === "string" ? value : JSON.stringify(value)]],
  )
}
