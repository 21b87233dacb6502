import { Group, Stack } from "@mantine/core"
import { IconExternalLink, IconPackage, IconPencil } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { isUpdating } from "../../../contract/response.ts"
import type { OrderAddress } from "../../../contract/orders.ts"
import {
  documentedFulfilment,
  documentedOrder,
  isWaiting,
  type Order,
  shipmentOf,
} from "../../../contract/program/order.ts"
import { undocumentedFields } from "../../../contract/reading.ts"
import { hiddenValue } from "../../../contract/redaction.ts"
import { orderAddressQuery, orderQuery, useParcelLink } from "../../api/orders.ts"
import { useCan } from "../../api/session.ts"
import { CodeReveal } from "../../forms/reveal.tsx"
import { exact, longDay } from "../../lib/time.ts"
import { ArrivalNote } from "../../lists/list-page.tsx"
import { DescriptionList } from "../../ui/data-table.tsx"
import { ErrorNotice } from "../../ui/notice.tsx"
import { type Figure, figureOf, Figures, PageHeader } from "../../ui/page-header.tsx"
import { AsOf } from "../../ui/query-state.tsx"
import { RecordFacts, RecordPage } from "../../ui/record-page.tsx"
import { RequirePermission } from "../../lists/require-permission.tsx"
import { Status } from "../../ui/status.tsx"
import { CopyText, Points, RelativeTime } from "../../ui/values.tsx"
import { MemberLink } from "../../ui/record-link.tsx"
import { OrderHistory } from "./order-history.tsx"
import { CancelReturnButton, OrderReturn } from "./order-return.tsx"
import {
  addressLines,
  isCancelled,
  isDigital,
  isToShip,
  itemsText,
  orderRow,
  type OrderRow,
  PrintButton,
  useOrderRows,
  Waiting,
  whyNoAddress,
} from "./order-row.tsx"
import { AnchorButton, buttonIcon, LinkButton } from "../../ui/button.tsx"

const route = getRouteApi("/_app/orders_/$orderId")
const parent = { label: "Orders", to: "/orders" }

export function OrderPage() {
  const { orderId } = route.useParams()
  const client = useQueryClient()
  const query = useQuery(orderQuery(orderId))
  const order = query.data?.data
  const refresh = () => void client.prefetchQuery({ ...orderQuery(orderId, { fresh: true }), staleTime: 0 })
  const { types, names } = useOrderRows(order === undefined ? [] : [order])
  const mayAddress = useCan("orders.address")
  const goes = useQuery({ ...orderAddressQuery(orderId), enabled: mayAddress && order !== undefined })
  const toOrderRow = (read: Order) => orderRow(read, names, types)
  return (
    <RecordPage
      key={orderId}
      query={query}
      onRefresh={refresh}
      noun="order"
      parent={parent}
      missing={{
        icon: IconPackage,
        id: orderId,
        help: "Check the number: orders are found by their full id.",
      }}
      renderHeader={(read) => (
        <PageHeader
          title={read.order_id}
          path={[parent]}
          pill={<Status of="order" value={read.status} pill />}
          actions={
            <>
              {!isDigital(toOrderRow(read).type) && (
                <PrintButton ids={[read.order_id]} label="Packing slip" />
              )}
              <CancelReturnButton order={read} />
              <RequirePermission permission="orders.update">
                <LinkButton
                  variant={isCancelled(read.status) ? "default" : "filled"}
                  leftSection={<IconPencil {...buttonIcon} />}
                  to="/orders/$orderId/edit"
                  params={{ orderId: read.order_id }}
                  resetScroll={false}
                >
                  Change status or tracking
                </LinkButton>
              </RequirePermission>
            </>
          }
        />
      )}
      renderNotes={(read) => (
        <>
          <ArrivalNote />
          <OrderReturn order={read} />
        </>
      )}
      renderFigures={(read) => (
        <Figures
          items={orderFigures(toOrderRow(read), goes.data)}
          end={
            <AsOf
              at={query.data?.at}
              refreshing={query.isFetching}
              updating={isUpdating(query.data)}
              onRefresh={refresh}
            />
          }
        />
      )}
      renderFacts={(read) => (
        <>
          <OrderFacts row={toOrderRow(read)} />
          <RecordFacts title="Address">
            <Address goes={goes.data} mayAddress={mayAddress} />
          </RecordFacts>
          <FurtherFacts order={read} />
        </>
      )}
    >
      {(read) => (
        <>
          <ErrorNotice error={goes.error} what="Couldn’t look up the address." onRetry={goes.refetch} />
          <OrderShipment row={toOrderRow(read)} />
          <OrderHistory order={read} address={goes.data} />
        </>
      )}
    </RecordPage>
  )
}

function orderFigures(row: OrderRow, goes: OrderAddress | undefined): Figure[] {
  const { points_spent: points, created_at: created } = row.order
  const { pieces = null, inferred = false } = goes?.quantity ?? {}
  const waits = isToShip(row)
  const since = waits ? <Waiting since={created} ordered /> : <RelativeTime at={created} />
  const figures: (Figure | false)[] = [
    { label: "Points spent", value: typeof points === "number" ? <Points value={points} /> : "Not given" },
    pieces !== null && {
      label: "Quantity",
      value: inferred ? figureOf(itemsText(pieces), "(estimated from points)") : itemsText(pieces),
    },
    !!created && { label: waits ? "Not shipped yet, ordered" : "Ordered", value: since },
  ]
  return figures.filter((figure) => figure !== false)
}

function OrderFacts({ row: { order, member, type } }: { row: OrderRow }) {
  const { member_id: memberId, reward_id: rewardId, reward_name: rewardName } = order
  const reward = rewardId && (
    <Link to="/rewards/$rewardId" params={{ rewardId }} className="l-link">
      {rewardName || rewardId}
    </Link>
  )
  return (
    <RecordFacts>
      <DescriptionList
        items={[
          ["Reward", reward || rewardName],
          ["Type", type && <Status of="reward-type" value={type} />],
          ["Member", memberId && <MemberLink id={memberId} text={member} />],
          !!memberId && member !== memberId && ["Member id", <CopyText key="id" text={memberId} mono cut />],
          ["Created", order.created_at && exact(order.created_at)],
          !!order.shipped_at && ["Shipped", exact(order.shipped_at)],
          ["Order id", <CopyText key="id" text={order.order_id} mono cut />],
        ]}
      />
    </RecordFacts>
  )
}

/** The captured address, or the reason why it is unknown. */
function Address({ goes, mayAddress }: { goes: OrderAddress | undefined; mayAddress: boolean }) {
  if (!mayAddress) return <p className="text-muted">Not shown to your role.</p>
  if (goes === undefined) return <p className="text-muted">Being looked up</p>
  if (goes.address === null) return <p className="text-muted">{whyNoAddress(goes)}</p>
  const lines = addressLines(goes.address)
  return (
    <>
      <address className="wrap-anywhere">
        {lines.map((line) => (
          <div key={line}>{line}</div>
        ))}
      </address>
      <CopyText text={lines.join(", ")} label="Copy address" />
      {goes.captured_at !== null && <p className="caption">Captured here on {longDay(goes.captured_at)}.</p>}
    </>
  )
}

/** Undocumented fields of an order, as received (docs/api/program.md, Order). */
function FurtherFacts({ order }: { order: Order }) {
  const further = [
    ...undocumentedFields(order, documentedOrder),
    ...undocumentedFields(order.fulfillment ?? {}, documentedFulfilment),
  ].filter(([, value]) => value !== null && value !== undefined && value !== "")
  if (further.length === 0) return null
  return (
    <RecordFacts title="Other fields">
      <DescriptionList
        items={further.map(([label, value]) => [
          label,
          value === hiddenValue ? (
            <span key={label} className="text-muted">
              Shown to administrators only
            </span>
          ) : (
            <CopyText key={label} text={typeof value === "string" ? value : JSON.stringify(value)} cut />
          ),
        ])}
      />
    </RecordFacts>
  )
}

function OrderShipment({ row: { order, type } }: { row: OrderRow }) {
  const { tracking_number: number, carrier } = shipmentOf(order)
  const link = useParcelLink(number, carrier)
  const digital = isDigital(type)
  return (
    <Stack component="section" gap="sm" maw={760} aria-label="Fulfilment">
      <h2>Fulfilment</h2>
      {digital && <CodeReveal key={order.order_id} orderId={order.order_id} />}
      {(!digital || number !== undefined) && (
        <Group className="card" justify="space-between" gap={12} mih={56} px={12} py={8}>
          <div className="wrap-anywhere">
            {number === undefined ? (
              <div className="text-muted">
                {isWaiting(order.status) ? "No tracking number yet" : "No tracking number"}
              </div>
            ) : (
              <CopyText text={number} mono />
            )}
            <div className="l-meta text-secondary">{carrier ?? (number && "No carrier given")}</div>
          </div>
          {link !== undefined && (
            <AnchorButton
              href={link.href}
              target="_blank"
              rel="noopener noreferrer"
              rightSection={<IconExternalLink {...buttonIcon} />}
            >
              Track at {link.carrier}
            </AnchorButton>
          )}
        </Group>
      )}
    </Stack>
  )
}
