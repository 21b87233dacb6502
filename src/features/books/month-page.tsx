import { IconBook2 } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense } from "react"
import { bookMonth, type BookStatement, monthName } from "../../../contract/books.ts"
import { bookMonthQuery, booksQuery } from "../../api/books.ts"
import { useCan } from "../../api/session.ts"
import { formatCount, formatPoints, formatSigned } from "../../lib/format.ts"
import { openPrinter } from "../../lib/open-printer.ts"
import { useListState } from "../../lists/list-state.ts"
import { Allowed, RequirePagePermission, RequirePermission } from "../../lists/require-permission.tsx"
import { Button, LinkButton } from "../../ui/button.tsx"
import { Notice } from "../../ui/notice.tsx"
import { Figures, PageHeader } from "../../ui/page-header.tsx"
import { AsOf } from "../../ui/query-state.tsx"
import { MissingRecord, RecordFacts, RecordPage } from "../../ui/record-page.tsx"
import { StatusLabel } from "../../ui/status.tsx"
import { canBeClosed, dayAndTime, isFirstClose, nextToClose, stateText } from "./book-words.ts"
import { CloseLink, hasNoBooks, NoMonths } from "./books-page.tsx"
import classes from "./books.module.css"
import { Differences } from "./differences.tsx"
import { PrintSheet } from "./print-sheet.tsx"
import { Statement } from "./statement.tsx"

const route = getRouteApi("/_app/books_/$month")
const parent = { label: "Books", to: "/books" }

const CloseDialog = lazy(async () => ({ default: (await import("./close-dialog.tsx")).CloseDialog }))
const ExportBooks = lazy(async () => ({ default: (await import("./export-books.tsx")).ExportBooks }))

/** The statement of one month, and its differences by class. */
export function MonthPage() {
  return (
    <RequirePagePermission permission="reports.read" title="Books" noun="the books">
      <AnyMonth />
    </RequirePagePermission>
  )
}

const missing = (month: string) => ({
  icon: IconBook2,
  id: month,
  title: `The books have no month ${monthName(month)}`,
  help: "They begin with the first month whose ledgers were read.",
})

function AnyMonth() {
  const { month } = route.useParams()
  if (bookMonth.safeParse(month).success) return <Month month={month} />
  return <MissingRecord noun="month" parent={parent} missing={missing(month)} />
}

function Month({ month }: { month: string }) {
  const query = useQuery(bookMonthQuery(month))
  if (hasNoBooks(query.error)) {
    return (
      <>
        <PageHeader title={monthName(month)} path={[parent]} />
        <NoMonths />
      </>
    )
  }
  return (
    <div className={classes.month}>
      <RecordPage
        key={month}
        query={query}
        noun="month"
        parent={parent}
        fills
        missing={missing(month)}
        renderHeader={(statement) => (
          <PageHeader
            title={monthName(month)}
            path={[parent]}
            pill={<StatusLabel pill status={stateText(statement)} />}
            sum={asOfText(statement)}
            actions={<Actions statement={statement} />}
          />
        )}
        renderNotes={(statement) => <NotAllowed statement={statement} />}
        renderFigures={(statement) => (
          <MonthFigures
            statement={statement}
            asOf={
              <AsOf
                at={query.data?.at}
                refreshing={query.isFetching}
                onRefresh={() => void query.refetch()}
              />
            }
          />
        )}
        renderFacts={(statement) => (
          <RecordFacts>
            <Statement statement={statement} />
          </RecordFacts>
        )}
      >
        {(statement) => (
          <>
            <Differences statement={statement} />
            <Dialogs statement={statement} />
            <PrintSheet statement={statement} />
          </>
        )}
      </RecordPage>
    </div>
  )
}

function asOfText({ state, as_of, closed_by }: BookStatement): string {
  if (state !== "closed") return `As of ${dayAndTime(as_of)}`
  return `Closed ${dayAndTime(as_of)}${closed_by === null ? "" : ` by ${closed_by.name}`}`
}

function Actions({ statement: { month, state } }: { statement: BookStatement }) {
  const { set } = useListState()
  return (
    <>
      <Button onClick={openPrinter}>Print</Button>
      <Button onClick={() => set({ open: "export" })}>Download</Button>
      <RequirePermission permission="exports.people">
        <LinkButton to="/books/$month/match" params={{ month }}>
          Match a file
        </LinkButton>
      </RequirePermission>
      {canBeClosed({ state }) && <CloseInOrder month={month} />}
    </>
  )
}

/** Months are closed in order, so another month may come first. The first one may be any that is over. */
function CloseInOrder({ month }: { month: string }) {
  const months = useQuery(booksQuery).data?.data ?? []
  const next = nextToClose(months)
  if (next === undefined || next.month === month || isFirstClose(months)) return <CloseLink month={month} />
  return (
    <Allowed allowed={false} why={`Close ${monthName(next.month)} first`}>
      <Button>Close {monthName(month)}</Button>
    </Allowed>
  )
}

/** The link of the dialog, opened by a role that cannot close a month. */
function NotAllowed({ statement }: { statement: BookStatement }) {
  const { open, close } = useListState()
  const mayClose = useCan("books.close")
  if (open !== "close" || mayClose || !canBeClosed(statement)) return null
  return (
    <Notice tone="info" title="Closing a month requires the Administrator role" onClose={close}>
      Nothing was closed. Ask an administrator to close {monthName(statement.month)}.
    </Notice>
  )
}

function MonthFigures({ statement, asOf }: { statement: BookStatement; asOf: ReactNode }) {
  const { opening, closing, unexplained } = statement
  return (
    <Figures
      items={[
        { label: "Closing balance", value: formatPoints(closing) },
        { label: "Opening balance", value: formatPoints(opening) },
        { label: "Change", value: formatSigned(closing - opening) },
        { label: "Unexplained", value: formatCount(unexplained.entries) },
      ]}
      end={asOf}
    />
  )
}

function Dialogs({ statement }: { statement: BookStatement }) {
  const { open, close } = useListState()
  const mayClose = useCan("books.close")
  return (
    <Suspense>
      {open === "close" && mayClose && canBeClosed(statement) && (
        <CloseDialog statement={statement} onClose={close} />
      )}
      {open === "export" && <ExportBooks statement={statement} onClose={close} />}
    </Suspense>
  )
}
