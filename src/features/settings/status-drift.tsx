import { IconAlertTriangle, IconCircleCheck, IconCircleDotted, IconCircleX } from "@tabler/icons-react"
import { Fragment } from "react"
import type { Connection, DriftRow } from "../../../contract/status.ts"
import { Marked, SectionHead } from "./settings-parts.tsx"
import { formatCount } from "../../lib/format.ts"
import { shortDay } from "../../lib/time.ts"
import { useNow } from "../../ui/hooks.ts"
import { RelativeTime } from "../../ui/values.tsx"
import classes from "./settings.module.css"
import heads from "../../ui/table-head.module.css"

/** What the services answered otherwise than their documents say, and what the desk makes of it. */
export function DriftSection({ rows }: { rows: readonly DriftRow[] }) {
  const now = useNow("half-minute")
  const since = rows.map(({ first_at }) => first_at).toSorted()[0]
  const kinds = `${formatCount(rows.length)} ${rows.length === 1 ? "kind" : "kinds"}`
  return (
    <section>
      <SectionHead
        title="Responses that differ from the documentation"
        end={since !== undefined && `${kinds} since ${shortDay(since, now)}`}
      />
      {rows.length === 0 ? (
        <p className="text-secondary">None so far. Every response is compared with the documentation.</p>
      ) : (
        <DriftTable rows={rows} />
      )}
    </section>
  )
}

/** One row for each kind of difference, the latest first, as the server orders them. */
function DriftTable({ rows }: { rows: readonly DriftRow[] }) {
  return (
    <table className={`${classes.table} ${classes.drift}`} aria-label="Differences">
      <thead className={heads.head}>
        <tr>
          <th scope="col" className={classes.where}>
            Where
          </th>
          <th scope="col" className={classes.said}>
            Documented
          </th>
          <th scope="col">Received</th>
          <th scope="col" className={`${classes.tableEnd} ${classes.seen}`}>
            Seen
          </th>
          <th scope="col" className={`${classes.tableEnd} ${classes.last}`}>
            Last
          </th>
          <th scope="col" className={`${classes.after} ${classes.handling}`}>
            Laurel
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Drift key={JSON.stringify([row.api, row.operation, row.field, row.said, row.came])} row={row} />
        ))}
      </tbody>
    </table>
  )
}

/** A method and a path that may break after a slash and nowhere else. */
function Operation({ name }: { name: string }) {
  const steps = name.split("/")
  return steps.map((step, index) => (
    <Fragment key={steps.slice(0, index + 1).join("/")}>
      {step}
      {index < steps.length - 1 && "/"}
      <wbr />
    </Fragment>
  ))
}

function Drift({ row }: { row: DriftRow }) {
  const { operation, field, said, came, seen, last_at } = row
  const handling = driftHandling(row)
  const handled = (
    <Marked icon={handling.tone === "warning" ? IconAlertTriangle : IconCircleCheck} tone={handling.tone}>
      {handling.words}
    </Marked>
  )
  return (
    <tr>
      <td className={`l-mono ${classes.where}`}>
        <Operation name={operation} />
      </td>
      <td className={`text-secondary ${classes.said}`}>
        {field}: {said}
      </td>
      <td>
        <span className="l-mono">{came}</span>
        <div className={classes.below}>
          <span className="text-secondary">
            {field}: {said}
          </span>
          {handled}
        </div>
      </td>
      <td className={`${classes.tableEnd} ${classes.seen}`}>{formatCount(seen)}</td>
      <td className={`text-muted ${classes.tableEnd} ${classes.last}`}>
        <RelativeTime at={last_at} />
      </td>
      <td className={`${classes.after} ${classes.handling}`}>{handled}</td>
    </tr>
  )
}

/** What the desk makes of a difference: `success` nothing is lost by it, `warning` somebody should look. */
interface DriftHandling {
  readonly tone: "success" | "warning"
  readonly words: string
}

/** What the desk makes of one kind of difference (contract/drift.ts names the kinds). */
export function driftHandling({ said, came }: Pick<DriftRow, "said" | "came">): DriftHandling {
  if (came === "null" || came === "missing") return { tone: "success", words: "Shown as empty" }
  if (came === "an extra field" || said === "not documented") {
    return { tone: "success", words: "Passed on as sent" }
  }
  return { tone: "warning", words: "View sent" }
}

const looks = {
  working: { icon: IconCircleCheck, tone: "success", words: "working" },
  refused: { icon: IconCircleX, tone: "danger", words: "refused" },
  unseen: { icon: IconCircleDotted, tone: "grey", words: "not seen yet" },
} as const

/** What a key was seen to be allowed. A key cannot be asked, and nothing is ever probed by a write. */
export function SeenKey({ seen }: { seen: Connection["seen"] }) {
  return (
    <span className={classes.seenKey}>
      <One what="Read" seen={seen.read} />
      <One what="Write" seen={seen.write} />
    </span>
  )
}

function One({ what, seen }: { what: string; seen: keyof typeof looks }) {
  const { icon, tone, words } = looks[seen]
  return (
    <Marked icon={icon} tone={tone}>
      {what} {words}
    </Marked>
  )
}
