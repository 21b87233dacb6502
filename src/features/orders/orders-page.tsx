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
import { type QueryClient, useMutation, useQuery } from "@tanstack/react-query"
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router"
import { lazy, Suspense, useCallback, useMemo, useState } from "react"
import type { CopyMeta } from "../../../contract/copy.ts"
import { limits } from "../../../contract/limits.ts"
import type { OrderFacets, OrderFacetsQuery } from "../../../contract/orders.ts"
import { isWaiting, type Order } from "../../../contract/program/order.ts"
import { copyMetaOf } from "../../api/members.ts"
import { orderFacetsQuery, ordersQuery, ordersToShipQuery, readEveryOrder } from "../../api/orders.ts"
import { useCan, useSession } from "../../api/session.ts"
import { rangeLabel } from "../../lib/time.ts"
import { formatCount, formatPoints } from "../../lib/format.ts"
import { compareWords, useListLayout } from "../../lists/list-columns.ts"
import { PanelFilter, type ListFilter } from "../../lists/list-filters.tsx"
import { defined, pageSearch } from "../../lists/list-params.ts"
import {
  copiedSum,
  type ListQuery,
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
  isToShip,
  orderName,
  type OrderRow,
  orderRow,
  PrintButton,
  useOrderRows,
  withinDays,
} from "./order-row.tsx"
import classes from "./orders-list.module.css"
import { dayRange, type OrdersSearch, toOrderFilter, toPageQuery } from "./order-search.ts"
import { ErrorNotice } from "../../ui/notice.tsx"
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
const rowId = ({ order }: OrderRow) => order.order_id
const rowName = ({ order }: OrderRow) => `${order.order_id}, ${orderName(order)}`
const pointsSpent = (rows: readonly OrderRow[]) =>
  `${formatPoints(rows.reduce((sum, { order }) => sum + (order.points_spent ?? 0), 0))} points spent`

/** The list of orders, from the local copy once that is complete. */
export function OrdersPage() {
  const search = route.useSearch({ select: pageSearch, structuralSharing: true })
  const state = useListState()
  const mayUpdate = useCan("orders.update")
  const mayExport = useCan("exports.people")
  const { list, meta, types, member } = useOrders(search, state)
  const { rows, total, copied = false } = list
  const toShip = search.status === "to-ship"
  const { status, reward_id, ...others } = toOrderFilter(search)
  const filter = { ...others, ...defined({ status, reward_id }) }
  const choices = useFacets(copied, {})
  const counts = useFacets(copied, { ...others, ...defined({ reward_id }) })
  const { edited, onEdit, onClose } = useEditedRow(rows)
  const columns = useMemo(
    () => orderColumns({ waits: toShip, copied, onEdit: mayUpdate ? onEdit : undefined }),
    [toShip, copied, mayUpdate, onEdit],
  )
  const every = useMutation({
    mutationFn: async () => {
      const orders = await readEveryOrder(filter, mayExport ? limits.copyPage : limits.perPage.max)
      return orders.map((order) => orderRow(order, undefined, types))
    },
  })
  return (
    <ResourceList
      title="Orders"
      query={list}
      rowId={rowId}
      rowName={rowName}
      columns={columns}
      listKey="orders"
      tabKey="status"
      tabs={<StatusTabs current={search.status} counts={counts} />}
      filters={useOrderFilters({ rows, copied, rewards: choices?.rewards, member })}
      filterEnd={<ExportButton state={state} />}
      actions={<Actions rows={rows} everyToShip={isOnlyToShip(filter)} />}
      sum={sumText(search, total, meta)}
      notes={<ErrorNotice error={every.error} what="Couldn’t select every order." />}
      selectAll={
        copied && total !== undefined && total > rows.length
          ? { total, load: () => every.mutateAsync() }
          : undefined
      }
      selectionActions={
        mayUpdate || mayExport ? (selection) => <SelectionActions selection={selection} /> : undefined
      }
      selectionSum={pointsSpent}
      empty={emptyFor(search, state)}
      noMatch={noMatchFor(search, copied, state)}
      exportDialog={
        <ExportOrders filter={filter} copied={copied} total={total} types={types} onClose={state.close} />
      }
    >
      <Suspense>{edited && <EditTracking {...edited} onClose={onClose} />}</Suspense>
    </ResourceList>
  )
}

const isOnlyToShip = ({ status, ...others }: OrderFacetsQuery) =>
  status === "to-ship" && Object.keys(others).length === 0

function useFacets(enabled: boolean, filter: OrderFacetsQuery) {
  return useQuery({ ...orderFacetsQuery(filter), enabled }).data?.data
}

/** "12 orders from 1 Nov 2026", "250 to ship, oldest first". */
function sumText(search: OrdersSearch, total: number | undefined, meta: CopyMeta | undefined) {
  const copied = meta?.complete === true
  if (search.status === "to-ship" && total !== undefined)
    return `${formatCount(total)} to ship${search.sort === undefined || !copied ? ", oldest first" : ""}`
  const sum = copiedSum(total, meta, "order")
  if (sum === undefined || total === 0 || !copied) return sum
  const { from, to } = dayRange(search)
  const days = rangeLabel(dayRange(search))
  if (days === undefined) return sum
  const between = from && to ? (from === to ? "on " : "from ") : ""
  return `${sum} ${between}${days.charAt(0).toLowerCase()}${days.slice(1)}`
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

/** Prefetches the list of a URL. */
export function readOrders(client: QueryClient, search: OrdersSearch): void {
  void client.prefetchQuery(ordersQuery(toPageQuery(search)))
}

/** A page of the list with names and types. The service sends a day more at both ends. */
function useOrders(search: OrdersSearch, state: ListState) {
  const timeZone = useSession().program.time_zone
  const page = useListQuery((how) => ordersQuery(toPageQuery(search), how), state)
  const meta = copyMetaOf(page.meta)
  const copied = meta?.complete === true
  const within = useMemo(() => {
    // An order that was changed here leaves the list before it is read again.
    const listed = page.rows.filter((order) => hasStatus(order, search.status))
    return copied ? listed : withinDays(listed, search, timeZone)
  }, [copied, page.rows, search, timeZone])
  const { rows, names, types } = useOrderRows(within, search.member)
  const list: ListQuery<OrderRow> = {
    ...page,
    rows,
    read: page.rows.length,
    copied,
    syncing: copied && meta.syncing,
  }
  const member = search.member && (names?.names.get(search.member) ?? search.member)
  return { list, meta, types, member }
}

function hasStatus({ status }: Order, listed: OrdersSearch["status"]): boolean {
  if (listed === undefined || status == null) return true
  return listed === "to-ship" ? isWaiting(status) : status.toLowerCase() === listed
}

/** Search, days, member, type and reward; the tabs choose the status. The service has only days and members. */
function useOrderFilters(of: {
  rows: readonly OrderRow[]
  copied: boolean
  rewards: OrderFacets["rewards"] | undefined
  member: string | undefined
}): readonly ListFilter[] {
  const { rows, copied, rewards = nothing, member } = of
  const help = `Days in ${useSession().program.time_zone}.`
  const maySearch = useCan("members.search") || copied
  const pickable = maySearch ? nothing : rows
  const members = useMemo(() => membersFromRows(pickable), [pickable])
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
      help: "These have orders on this page; you can type any other id.",
    }
    const choices = rewards
      .map(({ id, name }) => ({ value: id, label: name || id }))
      .toSorted((one, other) => compareWords(one.label, other.label))
    const ofCopy: readonly ListFilter[] = [
      { type: "search", key: "search", label: "Order, member or tracking" },
      typeFilter,
      { type: "choice", key: "reward", label: "Reward", choices },
    ]
    const [searchFilter, ...further] = copied ? ofCopy : []
    return [
      ...(searchFilter === undefined ? [] : [searchFilter]),
      { type: "days", label: "Created", help },
      maySearch ? bySearch : byId,
      ...further,
    ]
  }, [copied, help, maySearch, member, members, rewards])
}

const nothing: readonly never[] = []
const typeFilter: ListFilter = {
  type: "choice",
  key: "type",
  label: "Type",
  choices: statusChoices("reward-type"),
}

/** Up to 12 members with orders among the rows. */
function membersFromRows(rows: readonly OrderRow[]) {
  const members = new Map(rows.map(({ order, member }) => [order.member_id ?? "", member]))
  members.delete("")
  return [...members].slice(0, 12).map(([value, label]) => ({ value, label }))
}

const tabs = [undefined, "to-ship", "pending", "processing", "shipped", "completed", "cancelled"] as const

/** Tabs for all orders, orders to ship, or one status, with counts from the local copy. */
function StatusTabs({
  current,
  counts,
}: {
  current: OrdersSearch["status"]
  counts: OrderFacets | undefined
}) {
  const countOf = (status: (typeof tabs)[number]) => {
    if (status === "to-ship") return counts?.to_ship
    const some = counts?.statuses.filter(({ value }) => status === undefined || value === status)
    return some?.reduce((sum, { count }) => sum + count, 0)
  }
  return (
    <nav aria-label="Status" className={`${tabsLook.tabs} ${classes.tabs}`}>
      {tabs.map((status) => (
        <Link
          key={status ?? "all"}
          from="/orders"
          to="/orders"
          search={(now) => ({ ...now, status, page: 1, sort: undefined })}
          resetScroll={false}
          className={`focus-inside ${tabsLook.tab}`}
          activeProps={{}}
          aria-current={status === current ? "page" : undefined}
          data-current={status === current || undefined}
        >
          {status === undefined ? "All" : status === "to-ship" ? "To ship" : statusText("order", status).word}
          {counts !== undefined && (
            <>
              {" "}
              <span className="text-muted l-num">{formatCount(countOf(status) ?? 0)}</span>
            </>
          )}
        </Link>
      ))}
    </nav>
  )
}

/** `everyToShip`: slips are printed for the oldest of all orders to ship, not only of the page. */
function Actions({ rows, everyToShip }: { rows: readonly OrderRow[]; everyToShip: boolean }) {
  const layout = useListLayout()
  const queue = useQuery({ ...ordersToShipQuery(), enabled: everyToShip }).data?.orders
  const every = queue?.map((order) => orderRow(order, undefined, new Map()))
  const ids = printable((everyToShip ? (every ?? nothing) : rows).filter(isToShip))
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

const none = { title: "There are no orders yet", help: "Orders are created when rewards are redeemed." }
const noneToShip = {
  title: "Nothing to ship",
  help: "Pending and processing orders for physical rewards appear here, oldest first.",
}

function emptyFor({ status }: OrdersSearch, state: ListState) {
  if (status === undefined) return { icon: IconPackage, ...none }
  if (status === "to-ship") return { icon: IconPackage, ...noneToShip }
  return {
    icon: IconSearchOff,
    title: `There are no ${statusText("order", status).word.toLowerCase()} orders`,
    actions: <Button onClick={() => state.setFilter({ status: undefined })}>All orders</Button>,
  }
}

function noMatchFor({ search, status, ...others }: OrdersSearch, copied: boolean, { setFilter }: ListState) {
  const { member, type, reward, from, to } = others
  if (search === undefined) {
    return copied || (from === undefined && to === undefined)
      ? {}
      : {
          help: "An extra day is requested at both ends, because the service doesn’t say which time zone it uses.",
        }
  }
  const narrowed = [status, member, type, reward, from, to].some((value) => value !== undefined)
  const searchOnly = Object.fromEntries(
    ["status", "member", "type", "reward", "from", "to"].map((name) => [name, undefined]),
  )
  return {
    title: `No orders match “${search}”${narrowed ? " and these filters" : ""}`,
    help: "Search covers order numbers, members, rewards, tracking numbers and carriers.",
    actions: (
      <>
        {narrowed && <Button onClick={() => setFilter(searchOnly)}>Search all orders</Button>}
        <Button onClick={() => setFilter({ ...searchOnly, search: undefined })}>
          {narrowed ? "Clear the filters" : "Clear the search"}
        </Button>
      </>
    ),
  }
}
