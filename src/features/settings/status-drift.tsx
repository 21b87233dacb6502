import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react"
import { Fragment } from "react"
import type { DriftRow } from "../../../contract/status.ts"
import { counted, formatCount } from "../../lib/format.ts"
import { shortDay } from "../../lib/time.ts"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { useNow } from "../../ui/hooks.ts"
import { Section } from "../../ui/page-header.tsx"
import { StatusLabel } from "../../ui/status.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import classes from "./settings.module.css"

/** Where the services' responses differ from their documents, and how Laurel handles it. */
export function DriftSection({ rows }: { rows: readonly DriftRow[] }) {
  const now = useNow("half-minute")
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
  {
    label: "Where",
    cell: ({ operation }) => (
      <span className="l-mono">
        {/* It may break after a slash and nowhere else. */}
        {operation.split(/(?<=\/)/).map((step, at, steps) => (
          <Fragment key={steps.slice(0, at + 1).join("")}>
            {step}
            <wbr />
          </Fragment>
        ))}
      </span>
    ),
  },
  { label: "Documented", width: 200, hideBelow: "tablet", cell: (row) => <Documented row={row} /> },
  {
    label: "Received",
    cell: (row) => (
      <>
        <span className="l-mono">{row.came}</span>
        <div className={classes.narrow}>
          <Documented row={row} />
          <Handling row={row} />
        </div>
      </>
    ),
  },
  { label: "Seen", width: 64, end: true, cell: ({ seen }) => formatCount(seen) },
  {
    label: "Last",
    width: 112,
    end: true,
    cell: ({ last_at }) => (
      <span className="text-muted">
        <RelativeTime at={last_at} />
      </span>
    ),
  },
  { label: "Laurel", width: 180, hideBelow: "tablet", cell: (row) => <Handling row={row} /> },
]

function Documented({ row: { field, said } }: { row: DriftRow }) {
  return (
    <span className="text-secondary">
      {field}: {said}
    </span>
  )
}

function Handling({ row }: { row: DriftRow }) {
  const { tone, words } = driftHandling(row)
  return (
    <StatusLabel
      status={{ icon: tone === "warning" ? IconAlertTriangle : IconCircleCheck, tone, word: words }}
    />
  )
}

/**
 * How one kind of difference is handled (contract/reading.ts names the kinds): `success` nothing is lost by it,
 * `warning` somebody should look.
 */
export function driftHandling({ said, came }: Pick<DriftRow, "said" | "came">): {
  readonly tone: "success" | "warning"
  readonly words: string
} {
  if (came === "null" || came === "missing") return { tone: "success", words: "Shown as empty" }
  if (came === "an extra field" || said === "not documented") {
    return { tone: "success", words: "Passed on as sent" }
  }
  return { tone: "warning", words: "View sent" }
}
