import { JobLink } from "../../../forms/outcome/job-link.tsx"
import { OutcomeFacts } from "../../../forms/outcome/outcome-facts.tsx"
import type { OneRow } from "../../../forms/outcome/use-one-row.ts"
import { duration, exact, millis, timeToSecond } from "../../../lib/time.ts"
import { CopyText } from "../../../ui/values.tsx"
import { Tooltip } from "../../../ui/tooltip.tsx"
import type { SentPoints } from "./one-outcome.tsx"

/** What was sent and what came of it. */
export function RowFacts({ one, sent }: { one: OneRow; sent: SentPoints }) {
  const { job, row } = one
  return (
    <OutcomeFacts
      facts={[
        { label: "Reason", value: sent.reason },
        {
          label: "Reference",
          value: sent.reference ? <span className="l-mono">{sent.reference}</span> : null,
        },
        {
          label: "Metadata",
          value: sent.metadata === undefined ? null : Object.keys(sent.metadata).join(", "),
        },
        {
          label: "Transaction",
          value: row.upstream_id === null ? null : <CopyText text={row.upstream_id} mono />,
        },
        {
          label: "Known from",
          value: row.known_by === "look" ? "the ledger (there was no usable response)" : null,
        },
        {
          label: "Job",
          value: (
            <JobLink id={job.id}>
              {job.id}, {job.total === 1 ? "1 row" : `${job.total} rows`}
            </JobLink>
          ),
        },
      ]}
      details={[
        {
          label: "Response received",
          value:
            row.state === "confirmed" && row.ended_at !== null && row.known_by !== "look" ? (
              <Received from={row.sent_at} to={row.ended_at} />
            ) : null,
        },
      ]}
    />
  )
}

/** "10:46:12, in 0.4 s". */
function Received({ from, to }: { from: string | null; to: string }) {
  const at = millis(to)
  const took = from === null ? Number.NaN : at - millis(from)
  if (Number.isNaN(at)) return to
  return (
    <Tooltip label={exact(at)}>
      <span className="l-num">
        {timeToSecond(at)}
        {took >= 0 && `, in ${duration(took)}`}
      </span>
    </Tooltip>
  )
}
