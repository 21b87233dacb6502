import { IconChecks } from "@tabler/icons-react"
import { formatCount, formatSigned } from "../../lib/format.ts"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { EmptyState } from "../../ui/query-state.tsx"
import { MemberLink } from "../../ui/record-link.tsx"
import { RelativeTime, Truncate } from "../../ui/values.tsx"
import { type Compared, type ComparedRow, type MatchResult, resultTexts } from "./match-model.ts"

/** A longer table is downloaded. */
const mostShown = 500

/** The rows of the file with one result, and what the ledgers have. */
export function MatchRows({ compared, result }: { compared: Compared; result: MatchResult }) {
  const rows = compared.rows.filter((row) => row.result === result)
  const { label, means } = resultTexts[result]
  if (rows.length === 0) return <EmptyState icon={IconChecks} title={`${label}: no rows`} />
  return (
    <div className="grow scroll">
      <p className="text-secondary" style={{ padding: "12px var(--l-gutter)" }}>
        {means}
        {rows.length > mostShown &&
          ` The first ${formatCount(mostShown)} of ${formatCount(rows.length)} are shown; the download has all.`}
      </p>
      <DataTable
        label={label}
        columns={result === "not-in-ledgers" ? fileColumns : [...fileColumns, ...ledgerColumns]}
        rows={rows.slice(0, mostShown)}
        keyOf={({ number }) => number}
        wide
      />
    </div>
  )
}

const fileColumns: readonly DataColumn<ComparedRow>[] = [
  { label: "Row", width: 56, cell: ({ number }) => <span className="l-num text-muted">{number}</span> },
  {
    label: "In the file",
    rowHeader: true,
    cell: ({ row: { reference, member } }) => <Truncate>{reference ?? member ?? ""}</Truncate>,
  },
  {
    label: "Points",
    end: true,
    width: 96,
    cell: ({ row: { points } }) => <span className="l-medium">{formatSigned(points)}</span>,
  },
  {
    label: "Date",
    width: 104,
    hideBelow: "phone",
    cell: ({ row: { day } }) => <span className="l-num nowrap">{day}</span>,
  },
]

const ledgerColumns: readonly DataColumn<ComparedRow>[] = [
  {
    label: "In the ledgers",
    hideBelow: "tablet",
    cell: ({ entry }) =>
      entry !== null &&
      (entry.member_id === null ? (
        <Truncate>{entry.reference ?? entry.reason ?? entry.transaction_id}</Truncate>
      ) : (
        <MemberLink id={entry.member_id} text={entry.reference ?? entry.reason ?? entry.member_id} />
      )),
  },
  {
    id: "ledger-points",
    label: "Points there",
    end: true,
    width: 96,
    cell: ({ entry, row }) =>
      entry !== null && (
        <span
          className={entry.points === row.points ? "text-secondary" : "l-medium tone-text"}
          data-tone="warning"
        >
          {formatSigned(entry.points)}
        </span>
      ),
  },
  {
    id: "ledger-at",
    label: "When",
    width: 112,
    hideBelow: "tablet",
    cell: ({ entry }) => <RelativeTime at={entry?.at} calendar className="text-secondary" />,
  },
]

/** Downloads the rows of the file that did not match, each with its result and the closest entry. */
export async function saveUnmatched({ rows }: Compared, month: string): Promise<void> {
  const { saveTable } = await import("../../lib/table-file.ts")
  await saveTable({
    name: `Not matched ${month}`,
    columns: [
      "Row",
      "Result",
      "Reference",
      "Member",
      "Points",
      "Date",
      "Entry",
      "Points there",
      "When",
      "Reason",
    ],
    rows: rows
      .filter(({ result }) => result !== "matched")
      .map(({ number, result, row, entry }) => [
        number,
        resultTexts[result].label,
        row.reference,
        row.member,
        row.points,
        row.day,
        entry?.transaction_id,
        entry?.points,
        entry?.at,
        entry?.reason,
      ]),
  })
}
