import { Box, Group, SegmentedControl, Stack } from "@mantine/core"
import { IconListCheck } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { lazy, Suspense, useMemo, useState } from "react"
import * as z from "zod/mini"
import { limits } from "../../../contract/limits.ts"
import { useOrderLookup } from "../../api/order-lookup.ts"
import { orderAddressesQuery, senderQuery, shippedTodayQuery } from "../../api/orders.ts"
import { useCan } from "../../api/session.ts"
import { Drawn, PrintButton, UnreadyPaper } from "../../forms/paper.tsx"
import { createStored } from "../../lib/browser-storage.ts"
import { counted, formatCount, timeNeeded, withTime } from "../../lib/format.ts"
import { ErrorNotice, Notice } from "../../ui/notice.tsx"
import { Denied } from "../../lists/require-permission.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { EmptyState, SkeletonRows } from "../../ui/query-state.tsx"
import {
  isCancelled,
  isDigital,
  type OrderRow,
  ordersText,
  type PackedOrder,
  useOrderRows,
} from "./order-row.tsx"
import { parseIds, type Printout } from "./order-search.ts"
import { Button, LinkButton } from "../../ui/button.tsx"

const route = getRouteApi("/_app/orders_/print")
// The barcode library is large: it is loaded while the orders are read.
const PrintedPages = lazy(async () => ({ default: (await import("./packing-slips.tsx")).PrintedPages }))
const DayPages = lazy(async () => ({ default: (await import("./packing-slips.tsx")).DayPages }))

const path = [{ label: "Orders", to: "/orders" }]
const paperSizes = ["a4", "letter", "a6", "4x6"] as const
type Paper = (typeof paperSizes)[number]
/** Sizes for slips only. */
const labelSizes: ReadonlySet<Paper> = new Set(["a6", "4x6"])
const usePaperChoice = createStored<{ readonly paper: Paper }>(
  "laurel-paper",
  z.object({ paper: z.enum(paperSizes) }),
  { paper: "a4" },
)

const titles: Readonly<Record<Printout, string>> = {
  slips: "Packing slips",
  pick: "Pick list",
  day: "End of day",
}
const printouts = (["slips", "pick", "day"] as const).map((value) => ({ value, label: titles[value] }))
const paperNames: Readonly<Record<Paper, string>> = { a4: "A4", letter: "Letter", a6: "A6", "4x6": "4×6 in" }

/** Preview of packing slips or a pick list, as printed. */
export function PrintPage() {
  const { ids, what } = route.useSearch()
  const named = useMemo(() => parseIds(ids), [ids])
  const allowed = useCan("orders.update")
  if (allowed && what === "day") return <PrintDay named={named} />
  if (allowed && named.length > 0) return <PrintOrders named={named} what={what} />
  return (
    <>
      <PageHeader title={titles[what]} path={path} />
      {allowed ? (
        <EmptyState
          icon={IconListCheck}
          title="No orders selected"
          help="Select orders in the list, then print their slips or a pick list."
          actions={<LinkButton to="/orders">Open the orders</LinkButton>}
        />
      ) : (
        <Denied title="Printing slips requires the Fulfilment role">
          You can view orders but not ship them.
        </Denied>
      )}
    </>
  )
}

/** Today's shipped orders, one list per carrier to sign. */
function PrintDay({ named }: { named: readonly string[] }) {
  const shipped = useQuery(shippedTodayQuery)
  const choice = usePaper("day")
  const [drawn, setDrawn] = useState(false)
  const orders = shipped.data?.orders ?? []
  return (
    <Stack gap={0} flex={1}>
      <PrintHeader what="day" count={orders.length} ready={shipped.isSuccess && drawn} />
      <PrintChoices what="day" named={named} choice={choice} />
      <Box flex={1} px="gutter" py={24} className="line-above" bg="var(--l-bg-sunken)">
        <ErrorNotice error={shipped.error} what="Couldn’t load today’s parcels." onRetry={shipped.refetch} />
        {shipped.isSuccess && orders.length === 0 && (
          <EmptyState
            icon={IconListCheck}
            title="Nothing shipped today"
            help="Parcels shipped with Laurel appear here, the whole team’s."
          />
        )}
        {orders.length > 0 && (
          <Suspense fallback={<SkeletonRows rows={8} />}>
            <DayPages paper={choice.paper} orders={orders} />
            <Drawn onDrawn={setDrawn} />
          </Suspense>
        )}
      </Box>
    </Stack>
  )
}

/** The paper chosen last; lists do not use the small sizes. */
function usePaper(what: Printout) {
  const { paper: chosen } = usePaperChoice()
  const sizes = paperSizes.filter((size) => what === "slips" || !labelSizes.has(size))
  const choose = (paper: Paper) => usePaperChoice.setState({ paper })
  return { paper: sizes.includes(chosen) ? chosen : "a4", sizes, choose } as const
}

/** The page's heading with its button; `of` is the number of requested orders, if not all are printed. */
function PrintHeader(props: { what: Printout; count: number; ready: boolean; of?: number | undefined }) {
  const { what, count, of } = props
  const ready = props.ready && count > 0
  return (
    <>
      <PageHeader
        title={titles[what]}
        path={path}
        sum={ordersText(count)}
        actions={
          <PrintButton ready={ready}>
            {of === undefined ? "Print" : `Print ${formatCount(count)} of ${formatCount(of)}`}
          </PrintButton>
        }
      />
      <UnreadyPaper ready={ready} />
    </>
  )
}

function PrintChoices(props: {
  what: Printout
  named: readonly string[]
  choice: ReturnType<typeof usePaper>
}) {
  const { what, named, choice } = props
  const navigate = route.useNavigate()
  return (
    <Group gap="8px 16px" px="gutter" pb={12}>
      {named.length > 0 && (
        <SegmentedControl<Printout>
          aria-label="Print"
          value={what}
          data={printouts}
          onChange={(chosen) => void navigate({ search: (now) => ({ ...now, what: chosen }), replace: true })}
        />
      )}
      <SegmentedControl<Paper>
        aria-label="Paper"
        value={choice.paper}
        data={choice.sizes.map((value) => ({ value, label: paperNames[value] }))}
        onChange={choice.choose}
      />
    </Group>
  )
}

function PrintOrders({ named, what }: { named: readonly string[]; what: Printout }) {
  const choice = usePaper(what)
  const { paper } = choice
  const [drawn, setDrawn] = useState(false)
  // Shown on every slip, so needed before printing.
  const sender = useQuery(senderQuery)
  const ids = useMemo(() => named.slice(0, limits.ordersAtOnce), [named])
  const packing = usePacking(ids)
  const { orders, ready } = packing
  return (
    <Stack gap={0} flex={1}>
      <PrintHeader
        what={what}
        count={orders.length}
        ready={ready && !sender.isLoading && drawn}
        of={packing.lookup.unread.length === 0 ? undefined : ids.length}
      />
      <PrintChoices what={what} named={named} choice={choice} />
      <PrintNotes packing={packing} beyond={named.length - ids.length} />
      <Box flex={1} px="gutter" py={24} className="line-above" bg="var(--l-bg-sunken)">
        {orders.length === 0 ? (
          packing.lookup.reading && <SkeletonRows rows={8} />
        ) : (
          <Suspense fallback={<SkeletonRows rows={8} />}>
            <PrintedPages what={what} paper={paper} orders={orders} />
            <Drawn onDrawn={setDrawn} />
          </Suspense>
        )}
      </Box>
    </Stack>
  )
}

/** Reads the packing data of orders. @param ids must be referentially stable */
function usePacking(ids: readonly string[]) {
  const lookup = useOrderLookup(ids)
  const found = ids.flatMap((id) => lookup.orders.get(id)?.data ?? [])
  const { rows, names, namesLoading, reading } = useOrderRows(found)
  const packed = rows.filter((row) => whyNotPacked(row) === undefined)
  const isRead = !lookup.reading && !reading && lookup.error === null && rows.length > 0
  const addresses = useQuery({
    ...orderAddressesQuery(packed.map(({ order }) => order.order_id)),
    enabled: isRead && packed.length > 0,
  })
  const goes = new Map(addresses.data?.map((each) => [each.order_id, each]))
  return {
    orders: packed.map((row): PackedOrder => ({ ...row, goes: goes.get(row.order.order_id) })),
    excluded: rows.flatMap((row) => whyNotPacked(row) ?? []),
    lookup,
    addresses,
    nameless: packed.filter(
      ({ order: { member_id: id } }) => id && !names?.names.has(id) && !names?.missing.has(id),
    ).length,
    deleted: new Set(
      packed.flatMap(({ order: { member_id: id } }) => (id && names?.missing.has(id) ? [id] : [])),
    ).size,
    ready: isRead && !addresses.isLoading && !namesLoading,
  }
}

function whyNotPacked({ order: { order_id: id, status }, type }: OrderRow): string | undefined {
  if (isCancelled(status)) return `${id} was cancelled`
  return isDigital(type) ? `${id} is sent as a code` : undefined
}

function PrintNotes({ packing, beyond }: { packing: ReturnType<typeof usePacking>; beyond: number }) {
  const { lookup, addresses, excluded, nameless, deleted, ready } = packing
  const { error, missing, reading, unread } = lookup
  return (
    <Stack gap={8} px="gutter" pb={12} className="hide-empty">
      {reading && <output className="l-meta text-muted">Loading the orders…</output>}
      {beyond > 0 && (
        <Notice tone="warning" title={`Only the first ${limits.ordersAtOnce} orders are printed at once`}>
          {ordersText(beyond)} more {beyond === 1 ? "is" : "are"} not among them. Print those separately.
        </Notice>
      )}
      <ErrorNotice error={error} what="Couldn’t load all orders." onRetry={lookup.retry} />
      <ErrorNotice
        error={addresses.error}
        what="Couldn’t load addresses and quantities. The printed pages say so."
        onRetry={addresses.refetch}
      />
      {!reading && error === null && unread.length > 0 && (
        <Notice
          tone="warning"
          title={`${ordersText(unread.length)} not loaded yet and not printed`}
          action={
            <Button size="xs" onClick={lookup.readRest}>
              {withTime(unread.length === 1 ? "Load it" : "Load them", timeNeeded(unread.length))}
            </Button>
          }
        />
      )}
      {missing.size > 0 && (
        <Notice tone="warning" title={`The service has no ${missing.size === 1 ? "order" : "orders"}`}>
          <span className="l-mono">{[...missing].join(", ")}</span>
        </Notice>
      )}
      {excluded.length > 0 && (
        <Notice tone="info" title={`${ordersText(excluded.length)} left out`}>
          {excluded.join(", ")}.
        </Notice>
      )}
      {nameless > 0 && ready && (
        <Notice tone="info" title={`${counted(nameless, "name")} still loading`}>
          Names appear within a minute; until then slips are printed without them.
        </Notice>
      )}
      {deleted > 0 && ready && (
        <Notice
          tone="warning"
          title={deleted === 1 ? "This member was deleted" : `${formatCount(deleted)} members were deleted`}
        >
          {deleted === 1 ? "The slip has" : "Their slips have"} no name.
        </Notice>
      )}
    </Stack>
  )
}
