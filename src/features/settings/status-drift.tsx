import { driftHandling, type DriftRow } from "../../../contract/status.ts"
import { counted, formatCount } from "../../lib/format.ts"
import { shortDay } from "../../lib/time.ts"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { useServerNow } from "../../ui/hooks.ts"
import { Section } from "../../ui/page-header.tsx"
import { StatusLabel } from "../../ui/status.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import classes from "./settings.module.css"

/** Differences between the services' responses and their documents, and how Laurel handles them. */
export function DriftSection({ rows }: { rows: readonly DriftRow[] }) {
  const now = useServerNow("half-minute")
  const since = rows.map(({ first_at }) => first_at).toSorted()[0]
  return (
    <Section
      title="Responses that differ from the documentation"
      end={since !== undefined && `${counted(rows.length, "kind")} since ${shortDay(since, now)}`}
    >
      {rows.length === 0 ? (
        <p className="text-secondary">None so far. Every response is compared with the documentation.</p>
      ) : (
        <div className={classes.drift}>
          <DataTable
            label="Differences"
            columns={columns}
            rows={rows}
            keyOf={(row) => JSON.stringify([row.api, row.operation, row.field, row.said, row.came])}
          />
        </div>
      )}
    </Section>
  )
}

const columns: readonly DataColumn<DriftRow>[] = [
  { label: "Where", cell: ({ operation }) => <span className="l-mono">{operation}</span> },
  { label: "Documented", width: 200, hideBelow: "tablet", cell: documented },
  {
    label: "Received",
    cell: (row) => (
      <>
        <span className="l-mono">{row.came}</span>
        <div className={classes.narrow}>
          {documented(row)}
          {handling(row)}
        </div>
      </>
    ),
  },
  { label: "Seen", width: 64, end: true, cell: ({ seen }) => formatCount(seen) },
  {
    label: "Last",
    width: 112,
    end: true,
    cell: ({ last_at }) => <RelativeTime at={last_at} className="text-muted" />,
  },
  { label: "Laurel", width: 180, hideBelow: "tablet", cell: handling },
]

function documented({ field, said }: DriftRow) {
  return <span className="text-secondary">{`${field}: ${said}`}</span>
}

function handling(row: DriftRow) {
  const { tone, words: word } = driftHandling(row)
  return <StatusLabel status={{ icon: tone === "warning" ? "alert-triangle" : "circle-check", tone, word }} />
}
