import { Link } from "@tanstack/react-router"
import type { Job } from "../../../../contract/desk/job.ts"
import type { JobRow } from "../../../../contract/desk/job-rows.ts"
import { formatCount, formatPoints, formatSigned } from "../../../lib/format.ts"
import { CopyText } from "../../../ui/copy-text.tsx"
import { useNow } from "../../../ui/use-now.ts"
import { clockTime } from "../jobs/job-time.ts"
import { inputText, outcomeWords, rowLabel, rowPoints } from "../jobs/row-words.ts"
import { Facts, type Fact } from "./facts.tsx"

/** What is known of a row that needs nobody. */
export function RowFacts({ job, row }: { job: Job; row: JobRow }) {
  const now = useNow("half-minute")
  const points = rowPoints(job.kind, row)
  const memberId = row.member?.id ?? null
  const outcome = outcomeWords(row)
  const at = (time: string | null) => (time === null ? undefined : clockTime(time, now))
  const facts: Fact[] = [
    { label: "Row", value: formatCount(row.row) },
    {
      label: "Member",
      value:
        memberId === null ? (
          rowLabel(row)
        ) : (
          <Link to="/members/$memberId" params={{ memberId }} className="l-link">
            {rowLabel(row)}
          </Link>
        ),
    },
    { label: "E-mail", value: inputText(row, "email") },
    { label: "Points", value: points === undefined ? undefined : <b>{formatSigned(points)}</b> },
    { label: "Reason", value: inputText(row, "reason") },
    { label: "Reference", value: inputText(row, "reference") },
    { label: "Company", value: inputText(row, "company") },
    { label: "Outcome", value: outcome === "" ? undefined : outcome },
    { label: "Sent", value: at(row.sent_at) },
    {
      label: row.state === "failed" || row.known_by === "answer" ? "Answered" : "The call ended",
      value: at(row.ended_at),
    },
    { label: "Looked up next", value: at(row.next_look_at) },
    { label: "Times sent", value: row.attempts > 1 ? formatCount(row.attempts) : undefined },
    {
      label: job.kind === "member-create" ? "Member id" : "Ledger entry",
      value: row.upstream_id === null ? undefined : <CopyText text={row.upstream_id} mono cut />,
    },
    {
      label: "Balance after",
      value: row.balance_after === null ? undefined : formatPoints(row.balance_after),
    },
  ]
  return <Facts facts={facts} />
}
