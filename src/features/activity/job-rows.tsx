import { IconListSearch } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { CellLink } from "../../ui/record-link.tsx"
import { useMemo } from "react"
import { jobKindDescriptors, type JobKind, hasPoints } from "../../../contract/job-kinds.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import type { Job } from "../../../contract/job.ts"
import { jobRowsQuery, rowNumber } from "../../api/jobs.ts"
import { useSession } from "../../api/session.ts"
import { capital, centsOf, formatCount, formatMoney, formatSigned } from "../../lib/format.ts"
import { isSameDay, millis, timeToSecond } from "../../lib/time.ts"
import { layoutOf, type ListCell, type ListColumn } from "../../lists/list-columns.ts"
import type { ListFilter } from "../../lists/list-filters.tsx"
import { listQuery, useListState } from "../../lists/list-state.ts"
import links from "../../lists/list-table.module.css"
import { segmentedFilter } from "../../lists/segmented-filter.tsx"
import { ResourceList } from "../../lists/resource-list.tsx"
import { useServerNow } from "../../ui/hooks.ts"
import { StatusLabel } from "../../ui/status.tsx"
import { RelativeTime, Truncate } from "../../ui/values.tsx"
import { useNamedRows } from "./job-hooks.tsx"
import {
  changeText,
  needsPerson,
  outcomeLabel,
  rowDollars,
  rowLabel,
  rowName,
  rowPoints,
  rowStatusText,
  rowStatuses,
} from "./job-status.tsx"
import { type JobSearch, toRowsQuery } from "./activity-search.ts"

const route = getRouteApi("/_app/jobs_/$jobId")
const none: readonly JobRow[] = []
const rowId = (row: JobRow) => String(row.row)

/** The rows of a job with their outcomes, filtered by state. */
export function JobRows({ job }: { job: Job }) {
  const search = route.useSearch()
  const state = useListState()
  const list = useQuery(jobRowsQuery(job.id, toRowsQuery(search)))
  const { currency } = useSession().program
  const columns = useMemo(() => rowColumns(job.kind, currency), [job.kind, currency])
  const query = listQuery<JobRow>({ ...list, data: list.data && { at: list.dataUpdatedAt } }, state, {
    rows: useNamedRows(list.data?.rows ?? none),
    total: list.data?.total,
  })
  const nothingFound = {
    icon: IconListSearch,
    title: search.find === undefined ? "No rows in this state" : `No rows match “${search.find}”`,
    help: search.find && "Search by row number, or by member name, e-mail or id.",
    actions: undefined,
  }
  return (
    <ResourceList
      label="Rows of the job"
      noun="rows"
      // Refetches caused by events are not announced.
      query={{ ...query, fetching: list.isPending }}
      rowId={rowId}
      columns={columns}
      filters={[stateFilter(job, search.state), { type: "search", key: "find", label: "Find a row" }]}
      empty={nothingFound}
      noMatch={nothingFound}
    />
  )
}

/** In tab order. `attention`, the undecided ones, is first. */
const tabStates = ["failed", "unknown", "sent", "planned", "confirmed", "excluded"] as const

/** The states that rows of the job are in, and the chosen one. */
function stateFilter(job: Job, chosen: JobSearch["state"]): ListFilter {
  const open = { value: "attention", label: "Needs you" }
  const states = tabStates.filter((state) => job.counts[state] > 0 || chosen === state)
  return segmentedFilter("state", "State of the rows", "All", [
    ...(job.attention > 0 || chosen === "attention" ? [open] : []),
    ...states.map((value) => ({ value, label: rowStatuses[value].word })),
  ])
}

function Outcome({ row: { original: row } }: ListCell<JobRow>) {
  const text = outcomeLabel(row)
  return row.state === "confirmed" && text === "" ? (
    <Truncate className="l-mono text-secondary">{row.upstream_id}</Truncate>
  ) : (
    <Truncate className="text-secondary">{text}</Truncate>
  )
}

function rowColumns(kind: JobKind, currency: string): readonly ListColumn<JobRow>[] {
  const effect = effectColumn(kind, currency)
  return [
    {
      id: "row",
      header: "Row",
      size: 80,
      cell: ({ row }) => formatCount(rowNumber(row.original)),
      meta: { className: "text-muted l-num" },
    },
    {
      id: "member",
      header: capital(jobKindDescriptors[kind].subject),
      size: 184,
      cell: RowLink,
      meta: { minLayout: "phone" },
    },
    ...(effect === undefined ? [] : [effect]),
    {
      id: "state",
      header: "State",
      size: 168,
      cell: ({ row: { original } }) => (
        <StatusLabel status={rowStatusText(original)} asks={needsPerson(original)} />
      ),
      meta: { minLayout: "phone" },
    },
    { id: "outcome", header: "Outcome", cell: Outcome },
    {
      id: "time",
      header: "Time",
      size: 128,
      cell: ({ row }) => <Time row={row.original} />,
      meta: { align: "end", minLayout: "tablet" },
    },
  ]
}

function effectColumn(kind: JobKind, currency: string): ListColumn<JobRow> | undefined {
  const amount = { size: 88, meta: { align: "end", minLayout: "phone" } } as const
  const { subject, limit, canUndo } = jobKindDescriptors[kind]
  if (subject === "order" || canUndo) {
    return {
      id: "requested",
      header: "Requested",
      size: 200,
      cell: ({ row }) => changeText(kind, row.original),
      meta: { className: "text-secondary" },
    }
  }
  if (limit === "cents") {
    return {
      ...amount,
      id: "amount",
      header: "Amount",
      cell: ({ row }) => {
        const dollars = rowDollars(row.original)
        return dollars !== undefined && formatMoney(centsOf(dollars), currency)
      },
    }
  }
  if (!hasPoints(kind)) return undefined
  return {
    ...amount,
    id: "points",
    header: "Points",
    cell: ({ row }) => {
      const points = rowPoints(kind, row.original)
      return points === undefined ? null : formatSigned(points)
    },
  }
}

function RowLink({ row: { original: row }, table }: ListCell<JobRow>) {
  const label = rowLabel(row)
  const outcome = row.state === "confirmed" ? "" : outcomeLabel(row)
  return (
    <>
      <Truncate full={label}>
        <CellLink
          from="/jobs/$jobId"
          to="."
          search={(now) => ({ ...now, row: row.row, open: undefined })}
          resetScroll={false}
          data-row-link
          className={links.link}
        >
          {label}
        </CellLink>
      </Truncate>
      {layoutOf(table) !== "wide" && (
        <div className="caption truncate">
          {rowName(row)}
          {outcome !== "" && `, ${outcome}`}
        </div>
      )}
    </>
  )
}

function Time({ row }: { row: JobRow }) {
  const now = useServerNow("half-minute")
  const at = row.ended_at ?? row.sent_at
  if (at !== null && isSameDay(millis(at), now)) return <span className="text-muted">{timeToSecond(at)}</span>
  return <RelativeTime at={at} calendar className="text-muted" />
}
