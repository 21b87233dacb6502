import { Group } from "@mantine/core"
import { IconAlertTriangle, IconListSearch, IconReceipt } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { lazy, Suspense, useMemo } from "react"
import type { LedgerOrigin } from "../../../../contract/job-rows.ts"
import { balanceAfter, type Transaction } from "../../../../contract/program/points.ts"
import { rawValue } from "../../../../contract/reading.ts"
import { copyMetaOf, memberQuery } from "../../../api/members.ts"
import { ledgerOriginsQuery } from "../../../api/jobs.ts"
import { transactionsQuery } from "../../../api/points.ts"
import { useSession } from "../../../api/session.ts"
import { rangeLabel } from "../../../lib/time.ts"
import { formatPoints } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import { layoutOf, type ListCell, type ListColumn } from "../../../lists/list-columns.ts"
import { type ListFilter } from "../../../lists/list-filters.tsx"
import { pageSearch } from "../../../lists/list-params.ts"
import { useListQuery, useListState } from "../../../lists/list-state.ts"
import links from "../../../lists/list-table.module.css"
import { ExportButton, ResourceList } from "../../../lists/resource-list.tsx"
import { segmentedFilter } from "../../../lists/segmented-filter.tsx"
import { Status, statusText, statusOptions } from "../../../ui/status.tsx"
import { AsSent, Points, RelativeTime, Truncate } from "../../../ui/values.tsx"
import { toLedgerQuery } from "../member-search.ts"
import { reversalWord } from "./reversal-word.ts"
import { RunningBalance } from "./running-balance.tsx"
import classes from "../member-page.module.css"

const LedgerDetail = lazy(async () => ({ default: (await import("./ledger-detail.tsx")).LedgerDetail }))
const ExportLedger = lazy(async () => ({ default: (await import("../export/export.tsx")).ExportLedger }))

const route = getRouteApi("/_app/members_/$memberId")

/** A member's ledger: the running balance, and the rows with all their fields. */
export function LedgerTab({ memberId }: { memberId: string }) {
  const search = route.useSearch({ select: pageSearch, structuralSharing: true })
  const state = useListState()
  const { time_zone } = useSession().program
  const query = toLedgerQuery(search, time_zone)
  const { page: _page, per_page: _perPage, sort: _sort, ...filter } = query
  const page = useListQuery((how) => transactionsQuery(memberId, query, how), state)
  const copied = copyMetaOf(page.meta)?.complete === true
  const { data: member } = useQuery({ ...memberQuery(memberId), enabled: false })
  const ids = useMemo(
    () => page.rows.map((row) => row.transaction_id).filter((id) => typeof id === "string"),
    [page.rows],
  )
  const origins = useQuery(ledgerOriginsQuery(ids)).data?.byEntry
  const rows = useMemo(
    () => page.rows.map((entry) => ({ entry, origin: origins?.get(entry.transaction_id) })),
    [page.rows, origins],
  )
  const filters: readonly ListFilter[] = [
    ...(copied || search.search !== undefined ? [searchFilter] : []),
    typeFilter,
    {
      type: "days",
      label: "Date",
      times: true,
      help: `Both ends are included, in ${time_zone} time. Without a time, the whole day counts.`,
    },
  ]
  const inUse = [
    search.search && `search “${search.search}”`,
    search.type && `type ${statusText("transaction", search.type).word}`,
    rangeLabel(search),
  ].filter(Boolean)
  return (
    <div className={`grow scroll ${classes.ledger}`} data-scroll-restoration-id="ledger">
      <ResourceList
        label="Ledger"
        query={{ ...page, rows, copied, sortable: false }}
        rowId={rowId}
        columns={ledgerColumns}
        tabs={
          <RunningBalance
            memberId={memberId}
            perPage={search.per_page}
            copied={copied}
            isListLoading={page.pending}
            from={query.from}
            to={query.to}
          />
        }
        filters={filters}
        filterEnd={<ExportButton state={state} />}
        renderDetail={rowDetail}
        empty={{
          icon: IconReceipt,
          title: "No transactions yet",
          help: "Awards, redemptions and deductions appear here.",
        }}
        noMatch={{ icon: IconListSearch, title: "No rows match", help: `Filters: ${inUse.join(", ")}.` }}
        exportDialog={
          <ExportLedger
            memberId={memberId}
            name={member === undefined ? memberId : fullName(member.data)}
            filter={filter}
            copied={copied}
            total={page.total}
            onClose={state.close}
          />
        }
      />
    </div>
  )
}

const searchFilter = { type: "search", key: "search", label: "Reason, reference or id" } as const
const typeFilter = segmentedFilter("type", "Type", "All", statusOptions("transaction"))

interface LedgerRow {
  readonly entry: Transaction
  readonly origin: LedgerOrigin | undefined
}

const rowId = ({ entry }: LedgerRow) => entry.transaction_id
const rowDetail = ({ entry, origin }: LedgerRow) => (
  <Suspense>
    <LedgerDetail row={entry} origin={origin} />
  </Suspense>
)

const ledgerColumns: readonly ListColumn<LedgerRow>[] = [
  {
    id: "created_at",
    header: "When",
    accessorFn: ({ entry }) => entry.created_at ?? undefined,
    size: 148,
    cell: ({ row }) => <RelativeTime at={row.original.entry.created_at} calendar />,
    meta: { touchWidth: 128, minLayout: "tablet", className: "text-secondary" },
  },
  {
    id: "type",
    header: "Type",
    accessorFn: ({ entry }) => entry.type ?? undefined,
    size: 104,
    cell: ({ row }) => <Status of="transaction" value={row.original.entry.type} />,
    meta: { minLayout: "tablet" },
  },
  {
    id: "reason",
    header: "Reason",
    accessorFn: ({ entry }) => entry.reason ?? undefined,
    cell: ReasonCell,
    meta: { minLayout: "phone" },
  },
  {
    id: "reference",
    header: "Reference",
    accessorFn: ({ entry }) => entry.reference ?? undefined,
    size: 124,
    cell: ({ row }) => <Truncate>{row.original.entry.reference}</Truncate>,
    meta: { minLayout: "tablet", className: "l-mono text-secondary" },
  },
  {
    id: "points",
    header: "Points",
    size: 116,
    accessorFn: ({ entry }) => entry.points ?? undefined,
    cell: PointsCell,
    meta: { align: "end", minLayout: "phone" },
  },
  {
    id: "balance_after",
    header: "Balance after",
    accessorFn: ({ entry }) => balanceAfter(entry).points,
    size: 132,
    cell: ({ row }) => <BalanceAfter row={row.original.entry} />,
    meta: { align: "end", minLayout: "tablet", className: "text-secondary" },
  },
]

function ReasonCell({ row, table }: ListCell<LedgerRow>) {
  const { entry, origin } = row.original
  return (
    <>
      <button
        type="button"
        data-row-link
        className={`${links.link} ${classes.reason} truncate hover-underline`}
        aria-expanded={row.getIsExpanded()}
        title={entry.reason ?? undefined}
        onClick={row.getToggleExpandedHandler()}
      >
        {entry.reason || <span className="text-muted">No reason given</span>}
      </button>
      <ReversalMark origin={origin} />
      {layoutOf(table) === "phone" && (
        <Group component="span" gap={12} wrap="nowrap" className="caption">
          <Status of="transaction" value={entry.type} />
          <RelativeTime at={entry.created_at} calendar />
        </Group>
      )}
    </>
  )
}

function PointsCell({ row: { original }, table }: ListCell<LedgerRow>) {
  const { entry } = original
  return (
    <>
      <span className="l-strong">
        <Points value={entry.points} signed sent={rawValue(entry, "points")} />
      </span>
      {layoutOf(table) === "phone" && (
        <Group component="span" justify="flex-end" className="caption">
          <BalanceAfter row={entry} />
        </Group>
      )}
    </>
  )
}

/** The balance after a row. If its two fields disagree, both are shown (docs/api/program.md, Transaction). */
function BalanceAfter({ row }: { row: Transaction }) {
  const { points, disagree } = balanceAfter(row)
  if (points === undefined)
    return <AsSent sent={rawValue(row, "balance_after") ?? rawValue(row, "new_balance")} />
  if (!disagree || row.new_balance == null) return formatPoints(points)
  return (
    <Group
      component="span"
      display="inline-flex"
      gap={4}
      className="tone-text"
      data-tone="warning"
      title="The service sent two balances for this row"
    >
      <IconAlertTriangle size={14} stroke={2} aria-label="Two balances:" />
      {formatPoints(points)} or {formatPoints(row.new_balance)}
    </Group>
  )
}

/** The state of a reversed entry, shown after its reason. */
function ReversalMark({ origin }: { origin: LedgerOrigin | undefined }) {
  const word = reversalWord(origin)
  return word !== undefined && <span className="text-muted nowrap"> · {word}</span>
}
