import { IconBook2 } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type BookLine, monthName } from "../../../contract/books.ts"
import { booksQuery } from "../../api/books.ts"
import { statusQuery } from "../../api/status.ts"
import { counted, formatCount, formatPoints } from "../../lib/format.ts"
import { ApiError } from "../../lib/errors.ts"
import { ListFooter, ListPage } from "../../lists/list-page.tsx"
import { listQuery, useLocalListState } from "../../lists/list-state.ts"
import { RequirePagePermission, RequirePermission } from "../../lists/require-permission.tsx"
import { LinkButton } from "../../ui/button.tsx"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { EmptyState, QueryState } from "../../ui/query-state.tsx"
import { StatusLabel } from "../../ui/status.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import { nextToClose, stateText } from "./book-words.ts"

/** The months of the books: how far each is, and what it closed with. */
export function BooksPage() {
  return (
    <RequirePagePermission permission="reports.read" title="Books" noun="the books">
      <Books />
    </RequirePagePermission>
  )
}

const none: readonly BookLine[] = []

function Books() {
  const query = useQuery(booksQuery)
  const months = query.data?.data ?? none
  const list = listQuery(query, useLocalListState(), { rows: months, more: false })
  const next = nextToClose(months)
  const isEmpty = query.data !== undefined && months.length === 0
  return (
    <ListPage>
      <PageHeader
        title="Books"
        sum={readingText(months[0]) ?? "Every change of a balance, month by month"}
        actions={next !== undefined && <CloseLink month={next.month} />}
      />
      <div className="grow scroll" data-scroll-restoration-id="list-books">
        {isEmpty || hasNoBooks(query.error) ? (
          <NoMonths />
        ) : (
          <QueryState query={query} noun="books" rows={6} columns={[120, 160, 160, 96]}>
            {() => (
              <DataTable label="Months" columns={columns} rows={months} keyOf={({ month }) => month} wide />
            )}
          </QueryState>
        )}
      </div>
      <ListFooter query={list} noun="months" count={counted(months.length, "month")} />
    </ListPage>
  )
}

/** How far the ledgers are, while some were never read. */
function readingText(running: BookLine | undefined): string | undefined {
  if (running === undefined || running.coverage.read >= running.coverage.members) return undefined
  const { read, members } = running.coverage
  return `${formatCount(read)} of ${counted(members, "ledger")} read, the figures grow until all are`
}

/** The server has no local copy, or none that outlives a restart. */
export const hasNoBooks = (error: unknown) => error instanceof ApiError && error.status === 409

/** Leads to the dialog that closes the month, above its statement. */
export function CloseLink({ month }: { month: string }) {
  return (
    <RequirePermission permission="books.close">
      <LinkButton to="/books/$month" params={{ month }} search={{ open: "close" }} variant="filled">
        Close {monthName(month)}
      </LinkButton>
    </RequirePermission>
  )
}

const columns: readonly DataColumn<BookLine>[] = [
  {
    label: "Month",
    rowHeader: true,
    cell: ({ month }) => (
      <Link to="/books/$month" params={{ month }} className="l-link l-medium" data-row-link>
        {monthName(month)}
      </Link>
    ),
  },
  { label: "State", cell: (line) => <StatusLabel status={stateText(line)} /> },
  {
    label: "Members read",
    hideBelow: "tablet",
    cell: ({ coverage: { read, members } }) => (
      <span className="l-num text-secondary">
        {formatCount(read)} of {formatCount(members)}
      </span>
    ),
  },
  {
    label: "Closed",
    hideBelow: "tablet",
    cell: ({ closed_at: at }) => <RelativeTime at={at} calendar className="text-secondary" />,
  },
  {
    label: "Unexplained",
    end: true,
    hideBelow: "phone",
    cell: ({ unexplained }) =>
      unexplained !== null && (
        <span
          className={`l-num ${unexplained > 0 ? "l-medium tone-text" : "text-muted"}`}
          data-tone="warning"
        >
          {formatCount(unexplained)}
        </span>
      ),
  },
  {
    label: "Closing points",
    end: true,
    cell: ({ closing }) =>
      closing === null ? (
        <span className="text-muted">Not calculated</span>
      ) : (
        <span className="l-num l-strong">{formatPoints(closing)}</span>
      ),
  },
]

/** Why there are no months: there may be no local copy, which the books need. */
export function NoMonths() {
  const { data, isPending } = useQuery(statusQuery)
  if (isPending) return null
  const copy = data?.data.copy
  if (copy?.mode === "off" || copy?.mode === "memory") {
    return (
      <EmptyState
        icon={IconBook2}
        title="This server has no books"
        help={
          copy.mode === "off"
            ? "They need the local copy of the ledgers, which is off. An administrator turns it on by starting Laurel without SYNC=off."
            : "They need a local copy that outlives a restart. This one is in memory, as in the demo and with SYNC_STORE=memory."
        }
        actions={<LinkButton to="/settings/status">Open the service status</LinkButton>}
      />
    )
  }
  const ledgers = copy?.ledgers
  return (
    <EmptyState
      icon={IconBook2}
      title="No month yet"
      help={
        ledgers != null && !ledgers.complete
          ? `Ledgers are being read: ${formatCount(ledgers.live)}${ledgers.total === null ? "" : ` of ${counted(ledgers.total, "member")}`}. The first month appears after the night’s pass.`
          : "The first month appears after the night’s pass over the ledgers."
      }
    />
  )
}
