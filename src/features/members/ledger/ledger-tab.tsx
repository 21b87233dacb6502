import { Button, Popover, UnstyledButton } from "@mantine/core"
import { IconAlertTriangle, IconCalendar, IconListSearch, IconReceipt } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
import {
  balanceAfter,
  type Transaction,
  type TransactionListQuery,
  transactionTypes,
} from "../../../../contract/program/points.ts"
import { asSent } from "../../../../contract/reading.ts"
import { memberQuery } from "../../../api/members.ts"
import { transactionsQuery } from "../../../api/points.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { ExportButton } from "../export/export-button.tsx"
import { daysOf, isFiltered, ledgerQueryOf } from "./ledger-query.ts"
import { RunningBalance } from "./running-balance.tsx"
import { asText, furtherFields } from "../page/facts-panel.tsx"
import { ledgerDefaults, type LedgerSearch } from "../search.ts"
import { type DayRange, rangeWords } from "../../../lib/days.ts"
import { formatPoints } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import { exact } from "../../../lib/time.ts"
import { DaysChoice } from "../../../lists/filter-panels.tsx"
import { PagingFoot } from "../../../lists/list-page.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { AsOf, EmptyState, SkeletonRows, StaleNotice } from "../../../ui/query-state.tsx"
import { Segmented } from "../../../ui/segmented.tsx"
import { Status, statusWord, statusWords } from "../../../ui/status.tsx"
import { Tooltip } from "../../../ui/tooltip.tsx"
import { AsSent, CopyText, Points, RelativeTime } from "../../../ui/values.tsx"
import classes from "../member-page.module.css"
import heads from "../../../ui/table-head.module.css"

const ExportLedger = lazy(async () => ({
  default: (await import("../export/export-ledger.tsx")).ExportLedger,
}))

const route = getRouteApi("/_app/members_/$memberId")

/** What happened to a member's points: the running balance, the filters, the rows. */
export function LedgerTab({ memberId }: { memberId: string }) {
  const search = route.useSearch()
  const timeZone = useSession().program.time_zone
  const query = ledgerQueryOf(search, timeZone)
  const queryClient = useQueryClient()
  const { data: answer, error, isFetching, isPlaceholderData } = useQuery(transactionsQuery(memberId, query))
  const mayExport = useCan("exports.people")
  const { data: member } = useQuery({ ...memberQuery(memberId), enabled: false })
  const name = member === undefined ? memberId : fullName(member.data)
  const navigate = useNavigate({ from: "/members/$memberId" })
  const go = (changed: Partial<Pick<LedgerSearch, "page" | "per_page">>) =>
    void navigate({ to: ".", search: (now) => ({ ...now, ...changed }), resetScroll: false })
  const readAgain = () => {
    void queryClient
      .fetchQuery({ ...transactionsQuery(memberId, query, { fresh: true }), staleTime: 0 })
      .catch(() => {
        // The query keeps the error, and it is shown above the rows.
      })
  }
  return (
    <>
      <div className={classes.body} data-scroll-restoration-id="ledger">
        <RunningBalance memberId={memberId} perPage={search.per_page} />
        <LedgerFilters search={search} timeZone={timeZone} />
        {answer?.stale === true && (
          <div className={classes.note}>
            <StaleNotice at={answer.at} refreshing={isFetching} onRefresh={readAgain} />
          </div>
        )}
        {error !== null && (
          <div className={classes.note}>
            <ErrorNotice
              error={error}
              what={
                answer === undefined
                  ? "Couldn’t load the ledger."
                  : "Couldn’t refresh the ledger. Showing the last loaded version."
              }
              onRetry={readAgain}
            />
          </div>
        )}
        {answer === undefined && error === null && (
          <SkeletonRows rows={8} columns={[96, 72, 200, 88, 56, 64]} />
        )}
        {answer !== undefined && answer.data.length > 0 && (
          <LedgerTable rows={answer.data} waiting={isPlaceholderData} />
        )}
        {answer?.data.length === 0 && <LedgerEmpty search={search} total={answer.meta?.total} />}
      </div>
      {search.open === "export" && mayExport && (
        <Suspense>
          <ExportLedger
            memberId={memberId}
            name={name}
            filter={filterOf(query)}
            total={answer?.meta?.total}
            onClose={() =>
              void navigate({ to: ".", search: (now) => ({ ...now, open: undefined }), resetScroll: false })
            }
          />
        </Suspense>
      )}
      {answer !== undefined && (
        <div className={classes.foot}>
          <PagingFoot
            page={search.page}
            perPage={search.per_page}
            rows={answer.data.length}
            total={answer.meta?.total}
            asOf={<AsOf at={answer.at} refreshing={isFetching} onRefresh={readAgain} />}
            onPage={(page) => go({ page })}
            onPerPage={(perPage) => go({ per_page: perPage, page: 1 })}
          />
        </div>
      )}
    </>
  )
}

/** What narrows the ledger, without the page. */
function filterOf({ page: _page, per_page: _perPage, ...filter }: TransactionListQuery) {
  return filter
}

interface LedgerTableProps {
  rows: readonly Transaction[]
  /** Another page is being read: these rows are the ones before. */
  waiting: boolean
}

/** Ledger rows as the service orders them. */
function LedgerTable({ rows, waiting }: LedgerTableProps) {
  return (
    <table className={classes.table} aria-label="Ledger" aria-busy={waiting}>
      <thead className={`${heads.head} ${heads.stays}`}>
        <tr>
          <th scope="col" className={classes.when}>
            When
          </th>
          <th scope="col" className={classes.type}>
            Type
          </th>
          <th scope="col">Reason</th>
          <th scope="col" className={classes.reference}>
            Reference
          </th>
          <th scope="col" className={classes.points}>
            Points
          </th>
          <th scope="col" className={classes.after}>
            Balance after
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <LedgerRow key={row.transaction_id} row={row} />
        ))}
      </tbody>
    </table>
  )
}

/** One ledger row. Its reason opens everything else the service says about it. */
function LedgerRow({ row }: { row: Transaction }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <tr className={classes.row} data-open={open || undefined}>
        <td className={classes.when}>
          <RelativeTime at={row.created_at} calendar />
        </td>
        <td className={classes.type}>
          <Status of="transaction" value={row.type} />
        </td>
        <td className={classes.reason}>
          <UnstyledButton
            className={classes.open}
            aria-expanded={open}
            title={row.reason ?? undefined}
            onClick={() => setOpen(!open)}
          >
            {row.reason || <span className="text-muted">No reason given</span>}
          </UnstyledButton>
          <span className={classes.below}>
            <Status of="transaction" value={row.type} />
            <RelativeTime at={row.created_at} calendar />
          </span>
        </td>
        <td className={classes.reference} title={row.reference ?? undefined}>
          {row.reference}
        </td>
        <td className={classes.points}>
          <Points value={row.points} signed sent={asSent(row, "points")} />
          <span className={classes.below}>
            <BalanceAfter row={row} />
          </span>
        </td>
        <td className={classes.after}>
          <BalanceAfter row={row} />
        </td>
      </tr>
      {open && (
        <tr className={classes.facts}>
          <td colSpan={6}>
            <RowFacts row={row} />
          </td>
        </tr>
      )}
    </>
  )
}

/** Fields that the row itself shows, or that are shown by name below. */
const shown = [
  "transaction_id",
  "member_id",
  "type",
  "points",
  "reason",
  "reference",
  "balance_after",
  "new_balance",
  "metadata",
  "created_at",
]

/** Everything the service says about a ledger row. */
function RowFacts({ row }: { row: Transaction }) {
  const metadata = Object.entries(row.metadata ?? {})
  return (
    <dl className={classes.rowFactsFacts}>
      <Fact label="Transaction id">
        <CopyText text={row.transaction_id} mono />
      </Fact>
      {row.created_at != null && <Fact label="When">{exact(row.created_at)}</Fact>}
      {row.reason != null && row.reason !== "" && <Fact label="Reason">{row.reason}</Fact>}
      {row.reference != null && row.reference !== "" && (
        <Fact label="Reference">
          <CopyText text={row.reference} mono />
        </Fact>
      )}
      {[...metadata, ...furtherFields(row, shown)].map(([key, value]) => (
        <Fact key={key} label={key}>
          {asText(value)}
        </Fact>
      ))}
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value}>{children}</dd>
    </div>
  )
}

interface LedgerEmptyProps {
  search: LedgerSearch
  /** Rows in all that match, as the service counts them. */
  total: number | undefined
}

/** Where the rows would be. Names what narrows the ledger. */
function LedgerEmpty({ search, total = 0 }: LedgerEmptyProps) {
  if (total > 0 || (search.page > 1 && !isFiltered(search))) {
    return (
      <EmptyState
        icon={IconListSearch}
        title={`Page ${search.page} is past the end`}
        actions={<ToLedger search={{ ...search, page: 1 }}>First page</ToLedger>}
      />
    )
  }
  if (!isFiltered(search)) {
    return (
      <EmptyState
        icon={IconReceipt}
        title="No transactions yet"
        help="Awards, redemptions and deductions appear here."
      />
    )
  }
  const filters = [
    search.type && `type ${statusWord("transaction", search.type).word}`,
    rangeWords(daysOf(search)),
  ].filter(Boolean)
  return (
    <EmptyState
      icon={IconListSearch}
      title="No rows match"
      help={`Filters: ${filters.join(", ")}.`}
      actions={
        <ToLedger search={{ ...search, ...ledgerDefaults, type: undefined, from: undefined, to: undefined }}>
          Clear the filters
        </ToLedger>
      }
    />
  )
}

function ToLedger({ search, children }: { search: LedgerSearch; children: string }) {
  return (
    <Button
      renderRoot={(props) => (
        <Link {...props} from="/members/$memberId" to="." search={search} resetScroll={false} />
      )}
    >
      {children}
    </Button>
  )
}

/** The balance after a row. Where its two names disagree, both are shown (docs/api/program.md, Transaction). */
function BalanceAfter({ row }: { row: Transaction }) {
  const { points, disagree } = balanceAfter(row)
  if (points === undefined)
    return <AsSent sent={asSent(row, "balance_after") ?? asSent(row, "new_balance")} />
  if (!disagree || row.new_balance == null) return <span className="l-num">{formatPoints(points)}</span>
  return (
    <Tooltip label="The service sent two balances for this row">
      <span className={classes.disagree}>
        <IconAlertTriangle size={14} stroke={2} aria-label="Two balances:" />
        {formatPoints(points)} or {formatPoints(row.new_balance)}
      </span>
    </Tooltip>
  )
}

/** A documented kind of ledger row; undefined for everything else, which the service cannot be asked for. */
function typeOf(value: string): (typeof transactionTypes)[number] | undefined {
  return transactionTypes.find((type) => type === value)
}

const types = [
  { value: "all", label: "All" },
  ...statusWords("transaction").map(({ value, word }) => ({ value, label: word })),
]

/** Narrows the ledger. What is chosen stands in the address; a change begins at the first page. */
function LedgerFilters({ search, timeZone }: { search: LedgerSearch; timeZone: string }) {
  const navigate = useNavigate({ from: "/members/$memberId" })
  const change = (changed: Partial<Pick<LedgerSearch, "type" | "from" | "to">>) =>
    void navigate({ to: ".", search: (now) => ({ ...now, ...changed, page: 1 }), resetScroll: false })
  return (
    <div className={classes.filters}>
      <div className={classes.types}>
        <Segmented
          label="Type"
          value={search.type ?? "all"}
          options={types}
          onChange={(value) => change({ type: typeOf(value) })}
        />
      </div>
      <DateRange days={daysOf(search)} timeZone={timeZone} onChange={change} />
      {isFiltered(search) && (
        <Button variant="subtle" onClick={() => change({ type: undefined, from: undefined, to: undefined })}>
          Clear
        </Button>
      )}
      <div className={classes.end}>
        <ExportButton
          onClick={() =>
            void navigate({
              to: ".",
              search: (now) => ({ ...now, open: "export" as const }),
              resetScroll: false,
            })
          }
        />
      </div>
    </div>
  )
}

interface DateRangeProps {
  days: DayRange
  /** Whose days these are. */
  timeZone: string
  onChange: (days: { from: string | undefined; to: string | undefined }) => void
}

/** A range of whole days, both included; either end may be open. */
function DateRange({ days, timeZone, onChange }: DateRangeProps) {
  const [open, setOpen] = useState(false)
  const words = rangeWords(days) ?? "Any date"
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-start"
      trapFocus
      returnFocus
      keepMounted={false}
    >
      <Popover.Target>
        <Button
          leftSection={<IconCalendar size={16} stroke={1.75} aria-hidden />}
          aria-label={`Date: ${words}`}
          onClick={() => setOpen(!open)}
        >
          {words}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <DaysChoice
          value={days}
          help={`Both days are included, in ${timeZone} time.`}
          onChoose={({ from, to }) => {
            onChange({ from, to })
            setOpen(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
