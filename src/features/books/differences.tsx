import { IconChecks } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { getRouteApi } from "@tanstack/react-router"
import { useMemo } from "react"
import {
  type BookDifference,
  type BookStatement,
  type DifferenceClass,
  differenceClasses,
} from "../../../contract/books.ts"
import { grantOf } from "../../../contract/roles.ts"
import { differencesQuery, useCheckBooks } from "../../api/books.ts"
import { useSession } from "../../api/session.ts"
import { formatCount, formatSigned } from "../../lib/format.ts"
import { layoutOf, type ListCell, type ListColumn } from "../../lists/list-columns.ts"
import { useListQuery, useListState } from "../../lists/list-state.ts"
import links from "../../lists/list-table.module.css"
import { ResourceList } from "../../lists/resource-list.tsx"
import { Button } from "../../ui/button.tsx"
import { ErrorNotice } from "../../ui/notice.tsx"
import { notify } from "../../ui/notify.tsx"
import tabsLook from "../../ui/page-tabs.module.css"
import { CellLink, RowLink } from "../../ui/record-link.tsx"
import { Status } from "../../ui/status.tsx"
import { RelativeTime, Truncate } from "../../ui/values.tsx"
import { type MonthSearch, toDifferencesQuery } from "./book-search.ts"
import { changeOf, classTexts, classTotals } from "./book-words.ts"
import classes from "./books.module.css"

const route = getRouteApi("/_app/books_/$month")

/** The differences of a month, with a tab for each class that has some. */
export function Differences({ statement }: { statement: BookStatement }) {
  const { month } = statement
  const search = route.useSearch()
  const { role } = useSession().user
  const query = toDifferencesQuery(search)
  const page = useListQuery((how) => differencesQuery(month, query, how), useListState())
  const isNamed = grantOf(role, "reports.read") === "yes"
  const columns = useMemo(
    () =>
      allColumns
        .filter(({ id }) => (id !== "member" || isNamed) && (id !== "class" || !search.class))
        .map((column) => (column.id === "class" && !isNamed ? { ...column, ...onPhone } : column))
        .map((column) =>
          column.id === "reason" && search.class === "missing" ? { ...column, header: "Job" } : column,
        ),
    [isNamed, search.class],
  )
  const isClosed = statement.state === "closed"
  return (
    <ResourceList
      label="Differences"
      query={page}
      columns={columns}
      tabKey="class"
      tabs={<ClassTabs statement={statement} current={search.class} />}
      notes={
        <>
          {search.class ? (
            <Explained of={search.class} total={classTotals(statement)[search.class].points} />
          ) : (
            <p className={`caption ${classes.means}`}>
              Entries made with Laurel in this month are only in the statement.
            </p>
          )}
          {isClosed && (
            <p className={`caption ${classes.means}`}>
              The statement stays as it was closed. Its differences are listed as they are known now.
            </p>
          )}
        </>
      }
      empty={{
        icon: IconChecks,
        title: search.class === undefined ? "No differences" : `Nothing ${emptyWords[search.class]}`,
        help: isClosed
          ? "Every change in this month was made with Laurel and is in the ledgers."
          : "Every change read so far was made with Laurel and is in the ledgers.",
      }}
    />
  )
}

const onPhone = { meta: { minLayout: "phone" } } as const

const emptyWords: Readonly<Record<DifferenceClass, string>> = {
  unexplained: "unexplained",
  missing: "missing in the ledgers",
  foreign: "made elsewhere",
  awaiting: "awaiting approval",
  late: "late",
  "brought-in": "brought in",
  deleted: "deleted",
}

function ClassTabs({ statement, current }: { statement: BookStatement; current: MonthSearch["class"] }) {
  const totals = classTotals(statement)
  const all = differenceClasses.reduce((sum, each) => sum + totals[each].entries, 0)
  // Classes without a difference are left out, except the one whose 0 matters.
  const shown = differenceClasses.filter(
    (each) => totals[each].entries > 0 || each === "unexplained" || each === current,
  )
  return (
    <nav aria-label="Differences" className={`${tabsLook.tabs} ${classes.tabs}`}>
      {[undefined, ...shown].map((each) => (
        <Link
          key={each ?? "all"}
          from="/books/$month"
          to="/books/$month"
          search={(now) => ({ ...now, class: each, page: 1 })}
          resetScroll={false}
          className={`focus-inside ${tabsLook.tab}`}
          activeProps={{}}
          aria-current={each === current ? "page" : undefined}
          data-current={each === current || undefined}
        >
          {each === undefined ? "All" : classTexts[each].short}{" "}
          <span className="text-muted l-num">
            {formatCount(each === undefined ? all : totals[each].entries)}
          </span>
        </Link>
      ))}
    </nav>
  )
}

/** What a class means, its sum, and what to do about it. */
function Explained({ of, total }: { of: DifferenceClass; total: number }) {
  const { means, next } = classTexts[of]
  return (
    <div className={`text-secondary ${classes.means}`}>
      <p>
        {means} {next} <span className="nowrap l-num">Total: {formatSigned(total)} points.</span>
      </p>
      {(of === "unexplained" || of === "missing") && <CheckNow />}
    </div>
  )
}

/** Looks at the members again now instead of in the night. */
function CheckNow() {
  const { role } = useSession().user
  const check = useCheckBooks()
  if (grantOf(role, "reports.read") !== "yes") return null
  return (
    <>
      <Button
        size="xs"
        loading={check.isPending}
        onClick={() =>
          check.mutate(undefined, {
            onSuccess: () =>
              notify({
                id: "books-check",
                tone: "info",
                title: "Checking the books",
                text: "Balances and ledgers are read again. This page shows what is found.",
              }),
          })
        }
      >
        Check now
      </Button>
      <ErrorNotice error={check.error} what="Nothing was checked." />
    </>
  )
}

const quiet = (text: string | null) =>
  text !== null && text !== "" && <Truncate className="text-secondary">{text}</Truncate>

const allColumns: readonly ListColumn<BookDifference>[] = [
  {
    id: "member",
    header: "Member",
    accessorFn: ({ member }) => member?.name,
    cell: MemberCell,
    meta: { minLayout: "phone" },
  },
  {
    id: "class",
    header: "Class",
    size: 112,
    accessorFn: ({ class: of }) => classTexts[of].short,
    cell: ({
      row: {
        original: { class: of },
      },
    }) => <ClassWord of={of} />,
    meta: { minLayout: "tablet" },
  },
  {
    id: "points",
    header: "Points",
    size: 96,
    accessorFn: changeOf,
    cell: ({ getValue }) => <span className="l-num l-medium">{formatSigned(getValue<number>())}</span>,
    meta: { align: "end", minLayout: "phone", touchWidth: 88 },
  },
  {
    id: "type",
    header: "Type",
    size: 104,
    accessorFn: ({ type }) => type,
    cell: ({
      row: {
        original: { type },
      },
    }) => <Status of="transaction" value={type} />,
    meta: { priority: 2 },
  },
  {
    id: "reason",
    header: "Reason",
    accessorFn: ({ reason }) => reason,
    cell: ({
      row: {
        original: { reason, row },
      },
    }) => (row === null ? quiet(reason) : <RowLink of={row} />),
    meta: { minLayout: "tablet" },
  },
  {
    id: "reference",
    header: "Reference",
    size: 128,
    accessorFn: ({ reference }) => reference,
    cell: ({
      row: {
        original: { reference },
      },
    }) => quiet(reference),
    meta: { priority: 1 },
  },
  {
    id: "at",
    header: "When",
    size: 136,
    accessorFn: ({ at }) => at,
    cell: ({
      row: {
        original: { at },
      },
    }) => <RelativeTime at={at} calendar className="text-secondary" />,
    meta: { minLayout: "phone", touchWidth: 128, phoneAlign: "end" },
  },
]

function MemberCell({ row: { original: difference }, table }: ListCell<BookDifference>) {
  const { member, class: of, row } = difference
  if (member === null) return null
  const link = (
    <CellLink
      to="/members/$memberId"
      params={{ memberId: member.id }}
      data-row-link
      className={`${links.link} truncate`}
    >
      {member.name}
    </CellLink>
  )
  if (layoutOf(table) !== "phone") return link
  return (
    <span className={`${links.lines} ${row === null ? "" : classes.links}`}>
      {link}
      <span className="caption truncate">
        {classTexts[of].short}
        {row !== null && (
          <>
            , <RowLink of={row} />
          </>
        )}
      </span>
    </span>
  )
}

function ClassWord({ of }: { of: DifferenceClass }) {
  const asks = of === "unexplained" || of === "missing"
  return (
    <span className={asks ? "l-medium tone-text" : "text-secondary"} data-tone={asks ? "warning" : undefined}>
      {classTexts[of].short}
    </span>
  )
}
