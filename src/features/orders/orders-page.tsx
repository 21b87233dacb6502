import { Box } from "@mantine/core"
import {
  IconBarcode,
  IconDownload,
  IconPackage,
  IconPrinter,
  IconSearchOff,
  IconTruckDelivery,
  IconUpload,
} from "@tabler/icons-react"
import { type QueryClient, useQuery } from "@tanstack/react-query"
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router"
import { lazy, Suspense, useCallback, useMemo, useState } from "react"
import { limits } from "../../../contract/limits.ts"
import { parcelNumber } from "../../../contract/parcel-number.ts"
import type { Order } from "../../../contract/program/order.ts"
import { ordersQuery, type OrdersToShip, ordersToShipQuery, useToShipProgress } from "../../api/orders.ts"
import { useCan, useSession } from "../../api/session.ts"
import { rangeLabel } from "../../lib/time.ts"
import { formatCount, formatPoints } from "../../lib/format.ts"
import { containsWords } from "../../lib/names.ts"
import { focusHeading } from "../../ui/hooks.ts"
import { compareWords, useListLayout } from "../../lists/list-columns.ts"
import { PanelFilter, type ListFilter } from "../../lists/list-filters.tsx"
import {
  type ListQuery,
  listQuery,
  type ListState,
  useListQuery,
  useListState,
} from "../../lists/list-state.ts"
import { ExportButton, ResourceList } from "../../lists/resource-list.tsx"
import { type Selection, SelectionAction } from "../../lists/selection.tsx"
import { RequirePermission } from "../../lists/require-permission.tsx"
import tabsLook from "../../ui/page-tabs.module.css"
import { statusChoices, statusText } from "../../ui/status.tsx"
import { orderColumns } from "./order-columns.tsx"
import {
  byAge,
  isDigital,
  isNewestFirst,
  orderName,
  type OrderRow,
  PrintButton,
  searchableText,
  useOrderRows,
  waitsForParcel,
} from "./order-row.tsx"
import { countText, type KnownTotal, toShipText, useKnownTotals, withinDays } from "./order-total.ts"
import classes from "./orders-list.module.css"
import { dayRange, type OrdersSearch, toPageQuery } from "./order-search.ts"
import { Button, buttonIcon, LinkButton } from "../../ui/button.tsx"

const exports = () => import("./export-orders.tsx")
const ExportOrders = lazy(async () => ({ default: (await exports()).ExportOrders }))
const ExportSelection = lazy(async () => ({ default: (await exports()).ExportSelection }))
const EditTracking = lazy(async () => ({ default: (await import("./edit-tracking.tsx")).EditTracking }))
const StatusDialog = lazy(async () => ({ default: (await import("./status-dialog.tsx")).StatusDialog }))
const MemberPicker = lazy(async () => ({
  default: (await import("../../forms/type-ahead.tsx")).MemberPicker,
}))

const route = getRouteApi("/_app/orders")
const nothing: readonly Order[] = []
const rowId = ({ order }: OrderRow) => order.order_id
const rowName = ({ order }: OrderRow) => `${order.order_id}, ${orderName(order)}`
const pointsSpent = (rows: readonly OrderRow[]) =>
  `${formatPoints(rows.reduce((sum, { order }) => sum + (order.points_spent ?? 0), 0))} points spent`

export function OrdersPage() {
  const search = route.useSearch()
  const state = useListState()
  const wide = useListLayout() === "wide"
  const mayUpdate = useCan("orders.update")
  const mayExport = useCan("exports.people")
  const { toShip, queue, list, filters } = useOrders(search, state)
  const progress = useToShipProgress((state) => state.progress)
  const totalOf = useKnownTotals(list.at)
  const total = toShip ? undefined : totalOf(search)
  const { rows } = list
  const { edited, onEdit, onClose } = useEditedRow(rows)
  const columns = useMemo(
    () => orderColumns({ waits: toShip, onEdit: mayUpdate ? onEdit : undefined }),
    [toShip, mayUpdate, onEdit],
  )
  return (
    <ResourceList
      title="Orders"
      query={list}
      rowId={rowId}
      rowName={rowName}
      columns={columns}
      listKey="orders"
      tabKey="status"
      tabs={<StatusTabs search={search} queue={queue} totalOf={totalOf} />}
      filters={filters}
      filterEnd={
        <>
          {wide && !toShip && <SortNote query={list} />}
          <ExportButton state={state} />
        </>
      }
      // A queue that is still being read may lack the oldest.
      actions={<Actions rows={toShip && progress !== undefined ? noRows : rows} />}
      selectionActions={
        mayUpdate || mayExport ? (selection) => <SelectionActions selection={selection} /> : undefined
      }
      selectionSum={pointsSpent}
      empty={emptyFor(search, state)}
      noMatch={noMatchFor(search, list)}
      {...(toShip ? queueCounts(queue, rows, progress, wide) : pageCounts(search, list, total, wide))}
      exportDialog={
        toShip || isNarrowed(search) ? (
          <ExportSelection rows={rows} onClose={state.close} />
        ) : (
          <ExportOrders search={search} rows={rows} total={total} onClose={state.close} />
        )
      }
    >
      <Suspense>{edited && <EditTracking {...edited} onClose={onClose} />}</Suspense>
    </ResourceList>
  )
}

/** The order of the rows of a page: the service does not sort. */
function SortNote({ query: { rows, complete, state } }: { query: ListQuery<OrderRow> }) {
  if (rows.length === 0 || complete) return null
  const byService = isNewestFirst(rows) ? "Newest first" : "Service order"
  return (
    <span
      className="l-meta text-muted"
      title="The service doesn’t sort: orders of other pages stay where they are"
    >
      {state.sort === undefined ? byService : "Sorted within this page"}
    </span>
  )
}

/** Header and footer of the orders to ship. */
function queueCounts(
  queue: OrdersToShip | undefined,
  { length }: readonly OrderRow[],
  progress: ReturnType<typeof useToShipProgress.getState>["progress"],
  wide: boolean,
) {
  const readAll = "Pending and processing, oldest first."
  return {
    sum: queue && toShipText(length, { complete: queue.complete, progress }),
    footer: {
      count: queue && (
        <>
          <b>{formatCount(length)}</b> {queue.complete ? "to ship" : "of those loaded"}
        </>
      ),
      end: wide && (
        <span className="text-muted">
          {queue?.complete === false ? "Not all of them are loaded yet." : readAll}
        </span>
      ),
    },
  }
}

/** Header and footer of a page of orders: its range, and the known total. */
function pageCounts(
  search: OrdersSearch,
  { at, state: { page, perPage }, rows, read = 0 }: ListQuery<OrderRow>,
  total: KnownTotal | undefined,
  wide: boolean,
) {
  const narrowed = isNarrowed(search)
  const first = (page - 1) * perPage + 1
  const shown = rows.length
  const noTotal = "The service gives no total, so the next page shows whether there are more."
  return {
    sum: narrowed ? undefined : sumText(search, total),
    footer: {
      count: at !== undefined && (
        <>
          <b>{read === 0 ? "0" : `${formatCount(first)}–${formatCount(first + read - 1)}`}</b>
          {total !== undefined && shown === read && ` of ${countText(total)}`}
          {shown < read && `, ${formatCount(shown)} ${narrowed ? "shown" : "within the days"}`}
        </>
      ),
      note: wide && total?.exact === false && (
        <span className="text-muted">
          {narrowed ? "The service can’t search orders, so only this page is searched." : noTotal}
        </span>
      ),
    },
  }
}

/** The row whose tracking number is edited. Typed text survives even if the row leaves the list. */
function useEditedRow(rows: readonly OrderRow[]) {
  const [opened, setOpened] = useState<{ row: OrderRow; cell: Element; requested?: { orderId: string } }>()
  const current = opened && rows.find((row) => rowId(row) === rowId(opened.row))
  return {
    edited: opened && { ...opened, row: current ?? opened.row, removed: current === undefined },
    // One row at a time: another one is opened once this one is saved or cancelled.
    onEdit: useCallback(
      (row: OrderRow, cell: Element) =>
        setOpened((already) =>
          already === undefined ? { row, cell } : { ...already, requested: { orderId: rowId(row) } },
        ),
      [],
    ),
    onClose: useCallback(() => setOpened(undefined), []),
  }
}

/** Prefetches the list of a URL, unless cached: one upstream request, at least two for orders to ship. */
export function readOrders(client: QueryClient, search: OrdersSearch): void {
  if (search.status === "to-ship") void client.prefetchQuery(ordersToShipQuery())
  else void client.prefetchQuery(ordersQuery(toPageQuery(search)))
}

/** The orders of the list: a page from the service, or the orders to ship; filtered locally by days and member. */
function useOrders(search: OrdersSearch, state: ListState) {
  const timeZone = useSession().program.time_zone
  const { member, type, reward } = search
  const text = search.search
  const toShip = search.status === "to-ship"
  const page = useListQuery((how) => ordersQuery(toPageQuery(search), how), state, { enabled: !toShip })
  // Costs two or more requests, so only this view reads it; other views show its cached count.
  const queue = useQuery({ ...ordersToShipQuery(), enabled: toShip })
  const read = toShip ? (queue.data?.orders ?? nothing) : page.rows
  const within = useMemo(() => withinDays(read, search, timeZone), [read, search, timeZone])
  const known = useOrderRows(within, member)
  const rows = useMemo(
    () =>
      known.rows.filter(
        (row) =>
          (!toShip || (!isDigital(row.type) && (member === undefined || row.order.member_id === member))) &&
          (type === undefined || row.type?.toLowerCase() === type) &&
          (reward === undefined || row.order.reward_id === reward) &&
          (text === undefined || containsWords(searchableText(row), parcelNumber(text))),
      ),
    [known.rows, toShip, member, type, reward, text],
  )
  const list: ListQuery<OrderRow> = toShip
    ? listQuery(queue, state, { rows, read: read.length, complete: queue.data?.complete === true })
    : { ...page, rows, read: read.length }
  const filters = useOrderFilters(known.rows, toShip, member && (known.names?.names.get(member) ?? member))
  // Pages are sorted too: the page says that only its rows are.
  return { toShip, queue: queue.data, list: { ...list, sortable: true }, filters }
}

/** Whether local filters hide some of the loaded orders. */
const isNarrowed = ({ search, type, reward }: OrdersSearch) =>
  search !== undefined || type !== undefined || reward !== undefined

/**
 * Search, days, member, type and reward; the tabs choose the status. Rewards are chosen from those of the rows; so
 * are members, for roles without member search.
 */
function useOrderFilters(
  rows: readonly OrderRow[],
  toShip: boolean,
  member: string | undefined,
): readonly ListFilter[] {
  const help = `Days in ${useSession().program.time_zone}.`
  const maySearch = useCan("members.search")
  const pickable = maySearch ? noRows : rows
  const members = useMemo(() => membersFromRows(pickable), [pickable])
  const rewards = useMemo(() => rewardsFromRows(rows), [rows])
  return useMemo(() => {
    const bySearch: ListFilter = {
      type: "custom",
      keys: ["member"],
      render: (set) => (
        <PanelFilter label="Member" value={member} onRemove={() => set({ member: undefined })}>
          {(close) => (
            <Box w="min(320px, calc(100vw - 64px))">
              <MemberPicker
                label="Member"
                onPick={({ id }) => {
                  set({ member: id })
                  close()
                }}
              />
            </Box>
          )}
        </PanelFilter>
      ),
    }
    const byId: ListFilter = {
      type: "text",
      key: "member",
      label: "Member id",
      seen: members,
      help: "Your role can’t search members. These have orders on this page; any other id can be typed.",
    }
    return [
      { type: "search", key: "search", label: toShip ? "Order, recipient or reward" : "Search this page" },
      { type: "days", label: "Created", help },
      maySearch ? bySearch : byId,
      ...(toShip ? [] : [typeFilter]),
      { type: "choice", key: "reward", label: "Reward", choices: rewards },
    ]
  }, [help, maySearch, member, members, rewards, toShip])
}

const noRows: readonly OrderRow[] = []
const typeFilter: ListFilter = {
  type: "choice",
  key: "type",
  label: "Type",
  choices: statusChoices("reward-type"),
}

/** Rewards of the rows, by name. */
function rewardsFromRows(rows: readonly OrderRow[]) {
  const rewards = new Map(
    rows.flatMap(({ order }) => (order.reward_id ? [[order.reward_id, orderName(order)]] : [])),
  )
  return [...rewards]
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => compareWords(one.label, other.label))
}

/** Up to 12 members with orders among the rows. */
function membersFromRows(rows: readonly OrderRow[]) {
  const members = new Map(rows.map(({ order, member }) => [order.member_id ?? "", member]))
  members.delete("")
  return [...members].slice(0, 12).map(([value, label]) => ({ value, label }))
}

const tabs = [undefined, "to-ship", "pending", "processing", "shipped", "completed", "cancelled"] as const

/**
 * Tabs for all orders, orders to ship, or one status. Each is a link that preserves the filters, with a count if
 * known from loaded pages.
 */
function StatusTabs(props: {
  search: OrdersSearch
  queue: OrdersToShip | undefined
  totalOf: ReturnType<typeof useKnownTotals>
}) {
  const { search: current, queue, totalOf } = props
  const counts = useMemo(() => {
    const waiting = queue && { count: queue.orders.length, exact: queue.complete }
    const known = (status: (typeof tabs)[number]) =>
      status === "to-ship" ? waiting : isNarrowed(current) ? undefined : totalOf({ ...current, status })
    return tabs.map((status) => countText(known(status)))
  }, [current, queue, totalOf])
  return (
    <nav aria-label="Status" className={`${tabsLook.tabs} ${classes.tabs}`}>
      {tabs.map((status, at) => (
        <Link
          key={status ?? "all"}
          from="/orders"
          to="/orders"
          search={(now) => ({ ...now, status, page: 1, sort: undefined })}
          resetScroll={false}
          className={`focus-inside ${tabsLook.tab}`}
          activeProps={{}}
          aria-current={status === current.status ? "page" : undefined}
          data-current={status === current.status || undefined}
        >
          {status === undefined ? "All" : status === "to-ship" ? "To ship" : statusText("order", status).word}
          {counts[at] !== undefined && <span className="text-muted l-num">{counts[at]}</span>}
        </Link>
      ))}
    </nav>
  )
}

function Actions({ rows }: { rows: readonly OrderRow[] }) {
  const layout = useListLayout()
  const ids = printable(rows.filter(waitsForParcel))
  return (
    <>
      <RequirePermission permission="orders.update">
        <LinkButton leftSection={<IconUpload {...buttonIcon} />} to="/orders/tracking-file">
          Import tracking
        </LinkButton>
      </RequirePermission>
      {layout !== "phone" && ids.length > 0 && <PrintButton ids={ids} label="Packing slips" />}
      <RequirePermission permission="orders.update">
        <LinkButton variant="filled" leftSection={<IconBarcode {...buttonIcon} />} to="/orders/ship">
          Ship desk
        </LinkButton>
      </RequirePermission>
    </>
  )
}

/** The rows that are printed together, oldest first. */
const printable = (rows: readonly OrderRow[]) => rows.toSorted(byAge).slice(0, limits.ordersAtOnce).map(rowId)

function SelectionActions({ selection }: { selection: Selection<OrderRow> }) {
  const [open, setOpen] = useState<"status" | "export">()
  const mayUpdate = useCan("orders.update")
  const mayExport = useCan("exports.people")
  const navigate = useNavigate()
  const { rows } = selection
  const ids = printable(rows)
  const close = () => setOpen(undefined)
  return (
    <>
      {mayUpdate && (
        <>
          <SelectionAction
            icon={<IconTruckDelivery {...buttonIcon} />}
            label="Change status"
            onClick={() => setOpen("status")}
          />
          <SelectionAction
            icon={<IconPrinter {...buttonIcon} />}
            label={ids.length < rows.length ? `Print the first ${ids.length}` : "Print"}
            onClick={() => void navigate({ to: "/orders/print", search: { ids: ids.join(",") } })}
          />
        </>
      )}
      {mayExport && (
        <SelectionAction
          icon={<IconDownload {...buttonIcon} />}
          label="Export"
          onClick={() => setOpen("export")}
        />
      )}
      <Suspense>
        {open === "status" && (
          <StatusDialog
            orders={rows.map(({ order }) => order)}
            onClose={(started) => {
              close()
              if (started) selection.clear()
            }}
          />
        )}
        {open === "export" && <ExportSelection rows={rows} onClose={close} />}
      </Suspense>
    </>
  )
}

/** Known number of orders: "200+ since 1 Nov 2026", "1 on 1 Nov 2026". */
function sumText(search: OrdersSearch, total: KnownTotal | undefined): string | undefined {
  const count = countText(total)
  const { from, to } = search
  const days = rangeLabel(dayRange(search))
  if (count !== undefined && days !== undefined) {
    const between = from && to && (from === to ? "on " : "from ")
    return `${count} ${between ?? ""}${days.charAt(0).toLowerCase()}${days.slice(1)}`
  }
  return count
}

const none = { title: "There are no orders yet", help: "Orders are created when rewards are redeemed." }
const noneToShip = {
  title: "Nothing to ship",
  help: "Pending and processing orders for physical rewards appear here, oldest first.",
}
const outsideDays = {
  title: "No orders on this page were created in these days",
  help: "An extra day is requested at both ends, because the service doesn’t say which time zone it uses.",
}

/** Why a search, a type or a reward matches none of the loaded orders. */
function noneLoaded({ search, status }: OrdersSearch, { setFilter }: ListState) {
  const where = status === "to-ship" ? "to ship" : "on this page"
  return {
    title: search === undefined ? `No orders ${where} match` : `No orders ${where} match “${search}”`,
    help: "The service can’t search orders, so only those loaded here are searched. Ctrl K finds any order by its number.",
    actions: (
      <Button
        onClick={() => {
          focusHeading()
          setFilter({ search: undefined, type: undefined, reward: undefined })
        }}
      >
        Show all {where}
      </Button>
    ),
  }
}

const hasStatus = ({ status }: OrdersSearch) => status !== undefined && status !== "to-ship"

function emptyFor(search: OrdersSearch, state: ListState) {
  if (!hasStatus(search)) return { icon: IconPackage, ...(search.status === "to-ship" ? noneToShip : none) }
  return {
    icon: IconSearchOff,
    ...noneWithStatus(search),
    actions: <Button onClick={() => state.setFilter({ status: undefined })}>All orders</Button>,
  }
}

function noMatchFor(search: OrdersSearch, { state, read = 0 }: ListQuery<OrderRow>) {
  if (isNarrowed(search)) return noneLoaded(search, state)
  return read > 0 && search.status !== "to-ship" ? outsideDays : noneWithStatus(search)
}

function noneWithStatus(search: OrdersSearch) {
  const word = statusText("order", search.status ?? "").word.toLowerCase()
  const help = hasStatus(search) ? `None of them is ${word} now.` : "The list is filtered by member and days."
  return { title: "No orders match", help }
}
