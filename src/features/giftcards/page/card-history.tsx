import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { RegisteredCard } from "../../../../contract/cards.ts"
import { auditQuery } from "../../../api/audit.ts"
import { jobRowsQuery } from "../../../api/jobs.ts"
import { useCan } from "../../../api/session.ts"
import { exact } from "../../../lib/time.ts"
import { RelativeTime } from "../../../ui/values.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import classes from "./card-history.module.css"
import { happenings } from "./happenings.ts"

const auditParts = 1
const noJob = ""

/**
 * What happened to a card, newest first: the issue, how often its request was repeated, the last look-up, and, for who
 * reads the audit log, who revealed its link and why.
 */
export function CardHistory({ card }: { card: RegisteredCard }) {
  const mayAudit = useCan("audit.read")
  const mayJobs = useCan("jobs.read")
  const audit = useQuery({
    ...auditQuery({ kind: "card", id: card.id }, auditParts),
    enabled: mayAudit,
  })
  const { job } = card
  const row = useQuery({
    ...jobRowsQuery(job?.id ?? noJob, { search: String(job?.row ?? 0), per_page: 100 }),
    enabled: mayJobs && job !== null,
  }).data?.rows.find((each) => each.row === job?.row)
  const all = happenings(card, row, audit.data?.entries ?? [])
  return (
    <section className={classes.history} aria-label="History">
      <h2>History</h2>
      {audit.error !== null && (
        <ErrorNotice
          error={audit.error}
          what="Couldn’t load the audit log, so reveals are missing here."
          onRetry={() => void audit.refetch()}
        />
      )}
      {all.length === 0 ? (
        <p className="text-muted">No history.</p>
      ) : (
        <ol className={classes.list}>
          {all.map(({ key, at, title, help, tone }) => (
            <li key={key} className={classes.item} data-tone={tone}>
              <span className={classes.head}>
                <span className="l-medium">{title}</span>
                <span className="text-muted">
                  <RelativeTime at={at} calendar />
                </span>
              </span>
              {help !== "" && <span className="text-secondary">{help}</span>}
              <span className="l-meta text-muted">{exact(at)}</span>
            </li>
          ))}
        </ol>
      )}
      {mayAudit ? (
        <p className="l-meta">
          <Link to="/audit" search={{ id: card.id }} className="l-link">
            All audit entries for this card
          </Link>
        </p>
      ) : (
        <p className="l-meta text-muted">Your role can’t view the audit log, so reveals aren’t shown here.</p>
      )}
    </section>
  )
}
