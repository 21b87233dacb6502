import { IconListSearch } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useMemo, useRef, useState } from "react"
import type { JobRow } from "../../../contract/job-rows.ts"
import type { Job, JobKind } from "../../../contract/job.ts"
import { limits } from "../../../contract/limits.ts"
import { jobRowsQuery } from "../../api/jobs.ts"
import { useSession } from "../../api/session.ts"
import {
  clockTime,
  needsPerson,
  orderChangeText,
  outcomeWords,
  rowDollars,
  rowLabel,
  rowNumber,
  rowPoints,
  rowWords,
  StateMark,
} from "./job-status.tsx"
import { type JobSearch, rowsQueryOf } from "./search.ts"
import { centsOf, formatCount, formatMoney, formatSigned } from "../../lib/format.ts"
import { SearchField } from "../../lists/filters.tsx"
import {
  type ListColumn,
  type ListLayout,
  useLate,
  useListLayout,
  useListTable,
} from "../../lists/list-columns.ts"
import { useListKeys } from "../../lists/list-keys.ts"
import { PagingFoot } from "../../lists/list-page.tsx"
import { ListTableView } from "../../lists/list-table.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { useNow } from "../../ui/hooks.ts"
import { AsOf, EmptyState } from "../../ui/query-state.tsx"
import { Segmented } from "../../ui/segmented.tsx"
import { Truncate } from "../../ui/values.tsx"
import classes from "./job.module.css"
import links from "../../lists/list-table.module.css"

const route = getRouteApi("/_app/jobs_/$jobId")
const none: readonly JobRow[] = []
const idOf = (row: JobRow) => String(row.row)

/** The rows of a job, by state, with what became of each. */
export function JobRows({ job }: { job: Job }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const list = useQuery(jobRowsQuery(job.id, rowsQueryOf(search)))
  const rows = list.data?.rows ?? none
  const layout = useListLayout()
  const columns = useMemo(() => rowColumns(job.kind), [job.kind])
  const table = useListTable({ columns, rows, idOf, layout, choice: {} })
  const root = useRef<HTMLElement>(null)
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  useListKeys(root, nothing)
  const late = useLate(list.isPending)
  const set = (change: Partial<JobSearch>) =>
    void navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false })

  return (
    <section ref={root} aria-label="Rows" className={classes.rows}>
      <div className={classes.filters}>
        <StateTabs job={job} chosen={search.state} onChoose={(state) => set({ state, page: 1 })} />
        <div className={classes.find}>
          <SearchField
            label="Find a row"
            value={search.find ?? ""}
            maxLength={limits.shortText}
            onSearch={(find) => set({ find: find === "" ? undefined : find, page: 1 })}
          />
        </div>
      </div>
      {list.error !== null && (
        <div className={classes.notes}>
          <ErrorNotice
            error={list.error}
            what={list.data === undefined ? "Couldn’t load the rows." : "Couldn’t refresh the rows."}
            onRetry={() => void list.refetch()}
          />
        </div>
      )}
      <ListTableView
        table={table}
        label="Rows of the job"
        layout={layout}
        nameOf={rowLabel}
        waiting={late ? "late" : list.isPending || list.isPlaceholderData ? "yes" : "no"}
        scroller={scroller}
        onScroller={setScroller}
        raised={false}
        empty={
          list.data === undefined ? undefined : (
            <EmptyState
              icon={IconListSearch}
              title={search.find === undefined ? "No rows in this state" : `No rows match “${search.find}”`}
              help={
                search.find === undefined
                  ? undefined
                  : "Search by row number, or by member name, e-mail or id."
              }
            />
          )
        }
      />
      <PagingFoot
        page={search.page}
        perPage={search.per_page}
        rows={list.data?.rows.length}
        total={list.data?.total}
        asOf={
          <AsOf
            at={list.dataUpdatedAt === 0 ? undefined : list.dataUpdatedAt}
            // What events have read again is not worth a word each time.
            refreshing={list.isPending}
            onRefresh={() => void list.refetch()}
          />
        }
        onPage={(page) => set({ page })}
        onPerPage={(per_page) => set({ per_page, page: 1 })}
      />
    </section>
  )
}

function nothing() {}

function Who({ row, layout }: { row: JobRow; layout: ListLayout }) {
  const label = rowLabel(row)
  return (
    <span className={classes.lines}>
      <Link
        from="/jobs/$jobId"
        to="."
        search={(now) => ({ ...now, row: row.row, open: undefined })}
        resetScroll={false}
        data-row-link
        className={`${links.link} truncate`}
        title={label}
      >
        {label}
      </Link>
      {layout !== "wide" && (
        <span className={classes.below}>
          Row {formatCount(rowNumber(row))}
          {row.state !== "confirmed" && outcomeWords(row) !== "" && `, ${outcomeWords(row)}`}
        </span>
      )}
    </span>
  )
}

function Outcome({ row }: { row: JobRow }) {
  const words = outcomeWords(row)
  if (row.state === "confirmed" && words === "") {
    return (
      <span
        className={`l-mono text-secondary truncate ${classes.block}`}
        title={row.upstream_id ?? undefined}
      >
        {row.upstream_id}
      </span>
    )
  }
  return (
    <span className={`text-secondary ${links.above}`}>
      <Truncate>{words}</Truncate>
    </span>
  )
}

function Amount({ row }: { row: JobRow }) {
  const { currency } = useSession().program
  const dollars = rowDollars(row)
  return dollars === undefined ? null : formatMoney(centsOf(dollars), currency)
}

function Time({ row }: { row: JobRow }) {
  const now = useNow("half-minute")
  const at = row.ended_at ?? row.sent_at
  return at === null ? null : <span className="text-muted">{clockTime(at, now)}</span>
}

/** What a row asks of an order, in the place where others have their points. */
const askedFor: ListColumn<JobRow> = {
  id: "asked",
  label: "Requested",
  width: 200,
  value: orderChangeText,
  cell: (row) => <span className="text-secondary truncate">{orderChangeText(row)}</span>,
}

/** The columns of a job's rows. The link of the row whose panel is open is the current one. */
function rowColumns(kind: JobKind): readonly ListColumn<JobRow>[] {
  const columns: readonly ListColumn<JobRow>[] = [
    {
      id: "row",
      label: "Row",
      width: 80,
      value: rowNumber,
      cell: (row) => <span className="text-muted l-num">{formatCount(rowNumber(row))}</span>,
    },
    {
      id: "member",
      label: "Member",
      width: 184,
      touch: "phone",
      value: rowLabel,
      cell: (row, layout) => <Who row={row} layout={layout} />,
    },
    {
      id: "points",
      label: "Points",
      width: 88,
      end: true,
      touch: "phone",
      value: (row) => rowPoints(kind, row),
      cell: (row) => {
        const points = rowPoints(kind, row)
        return points === undefined ? null : formatSigned(points)
      },
    },
    {
      id: "state",
      label: "State",
      width: 136,
      touch: "phone",
      value: (row) => row.state,
      cell: (row) => <StateMark word={rowWords[row.state]} asks={needsPerson(row)} />,
    },
    { id: "outcome", label: "Outcome", value: outcomeWords, cell: (row) => <Outcome row={row} /> },
    {
      id: "time",
      label: "Time",
      width: 128,
      end: true,
      touch: "tablet",
      value: (row) => row.ended_at ?? row.sent_at ?? undefined,
      cell: (row) => <Time row={row} />,
    },
  ]
  if (kind === "giftcard") {
    return columns.map((column) =>
      column.id === "points"
        ? { ...column, label: "Amount", value: rowDollars, cell: (row) => <Amount row={row} /> }
        : column,
    )
  }
  if (kind === "order-update") {
    return columns.map((column) => {
      if (column.id === "member") return { ...column, label: "Order" }
      return column.id === "points" ? askedFor : column
    })
  }
  return kind === "member-create" || kind === "redeem" ? columns.filter(({ id }) => id !== "points") : columns
}

type State = NonNullable<JobSearch["state"]>

/** Always there, so that the control does not jump while the job runs. */
const usual = ["failed", "unknown", "sent", "planned", "confirmed"] as const
/** Only where there are some. */
const seldom = ["absent", "conflict", "excluded"] as const

interface StateTabsProps {
  job: Job
  chosen: State | undefined
  onChoose: (state: State | undefined) => void
}

/** Which rows are shown. */
function StateTabs({ job, chosen, onChoose }: StateTabsProps) {
  const states: State[] = [
    ...(job.attention > 0 || chosen === "attention" ? (["attention"] as const) : []),
    ...usual,
    ...seldom.filter((state) => job.counts[state] > 0 || chosen === state),
  ]
  const options = states.map((value) => ({
    value,
    label: value === "attention" ? "Your decision needed" : rowWords[value].word,
  }))
  return (
    <div className={classes.tabs}>
      <Segmented<State | "all">
        label="State of the rows"
        value={chosen ?? "all"}
        options={[{ value: "all", label: "All" }, ...options]}
        onChange={(value) => onChoose(value === "all" ? undefined : value)}
      />
    </div>
  )
}
