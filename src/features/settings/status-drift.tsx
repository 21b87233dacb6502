import { Box } from "@mantine/core"
import { driftHandling, type DriftRow } from "../../../contract/status.ts"
import { counted, formatCount } from "../../lib/format.ts"
import { shortDay } from "../../lib/time.ts"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { useServerNow } from "../../ui/hooks.ts"
import { Section } from "../../ui/page-header.tsx"
import { StatusLabel } from "../../ui/status.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import classes from "./settings.module.css"

/** Fields of the services' responses that differ from their documents, and how Laurel handles them. */
export function DriftSection({ rows }: { rows: readonly DriftRow[] }) {
  const now = useServerNow("half-minute")
  const since = rows.map(({ first_at }) => first_at).toSorted()[0]
  return (
    <Section
      title="Responses that differ from the documentation"
      end={since !== undefined && `${counted(rows.length, "field")} since ${shortDay(since, now)}`}
    >
      {rows.length === 0 ? (
        <p className="text-secondary">None so far. Every response is compared with the documentation.</p>
      ) : (
        <div className={classes.drift}>
          <DataTable
            label="Differences"
            columns={columns}
            rows={rows}
            keyOf={({ api, operation, field, kind }) => JSON.stringify([api, operation, field, kind])}
          />
        </div>
      )}
    </Section>
  )
}

const columns: readonly DataColumn<DriftRow>[] = [
  {
    label: "Where",
    hideBelow: "tablet",
    cell: ({ operation }) => <span className="l-mono">{operation}</span>,
  },
  {
    label: "Field",
    cell: ({ operation, field }) => (
      <>
        <span className="l-mono">{field}</span>
        <Box hiddenFrom="md" className="l-meta text-secondary">
          {operation}
        </Box>
      </>
    ),
  },
  { label: "Laurel", cell: ({ kind }) => handlingLabel(kind) },
  { label: "Seen", width: 64, end: true, cell: ({ seen }) => formatCount(seen) },
  {
    label: "Last",
    width: 112,
    end: true,
    hideBelow: "tablet",
    cell: ({ last_at }) => <RelativeTime at={last_at} className="text-muted" />,
  },
]

function handlingLabel(kind: DriftRow["kind"]) {
  const { tone, label } = driftHandling[kind]
  const icon = tone === "warning" ? "alert-triangle" : "circle-check"
  return <StatusLabel status={{ icon, tone, word: label }} />
}
