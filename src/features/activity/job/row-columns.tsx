import { Link } from "@tanstack/react-router"
import type { JobKind } from "../../../../contract/job.ts"
import type { JobRow } from "../../../../contract/job-rows.ts"
import { useSession } from "../../../api/session.ts"
import { centsOf, formatCount, formatMoney, formatSigned } from "../../../lib/format.ts"
import type { ListColumn, ListLayout } from "../../../lists/list-columns.ts"
import links from "../../../lists/list-table.module.css"
import { Truncate } from "../../../ui/values.tsx"
import { useNow } from "../../../ui/hooks.ts"
import { clockTime } from "../jobs/job-time.ts"
import {
  needsPerson,
  orderChangeText,
  outcomeWords,
  rowDollars,
  rowLabel,
  rowNumber,
  rowPoints,
  rowWords,
} from "../jobs/row-words.ts"
import { StateMark } from "../jobs/state-mark.tsx"
import classes from "./job.module.css"

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
export function rowColumns(kind: JobKind): readonly ListColumn<JobRow>[] {
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
