import { Link } from "@tanstack/react-router"
import type { Job } from "../../../../contract/job.ts"
import type { RowEvidence } from "../../../../contract/job-rows.ts"
import { formatCount, formatPoints, formatSigned } from "../../../lib/format.ts"
import { OrderConflictTable } from "../../../forms/order-conflict-table.tsx"
import { useNow } from "../../../ui/hooks.ts"
import { clockTime } from "../jobs/job-time.ts"
import { inputText, rowLabel, rowNumber, rowPoints } from "../jobs/row-words.ts"
import { nounOf } from "./choice-words.ts"
import { Facts, type Fact } from "./facts.tsx"
import { OrderLink } from "./order-link.tsx"

const controls: Readonly<Record<RowEvidence["control"], string>> = {
  found: "it shows later changes of ours",
  "not-yet": "it doesn’t show all of our later changes yet",
  none: "there are no later changes of ours to compare with",
}

/** What was sent, how the call ended, when the ledger was read and what it is worth, and the balance now. */
export function EvidenceFacts({ job, evidence }: { job: Job; evidence: RowEvidence }) {
  const now = useNow("half-minute")
  const { row, balance } = evidence
  const points = rowPoints(job.kind, row)
  const memberId = row.member?.id ?? null
  const reads = evidence.looked_at.map((at) => clockTime(at, now))
  const inLedger = nounOf(job.kind) === "entry"
  const ledger = inLedger ? "Ledger checked" : "Looked up"
  const orderId = job.kind === "order-update" ? inputText(row, "order_id") : undefined
  const saidAlready = row.outcome?.code === "no_control" || row.outcome?.code === "history_lagging"
  const facts: Fact[] = [
    {
      label: "Sent",
      value: (
        <>
          {row.sent_at === null ? "" : `${clockTime(row.sent_at, now)}, `}row {formatCount(rowNumber(row))}
          {points !== undefined && (
            <>
              , <b>{formatSigned(points)}</b>
            </>
          )}
        </>
      ),
    },
    { label: "Reason", value: inputText(row, "reason") },
    { label: "Attempts", value: row.attempts > 1 ? formatCount(row.attempts) : undefined },
    { label: "Response", value: evidence.call_ended ?? undefined },
    { label: ledger, value: reads.length === 0 ? "Not yet" : listed(reads) },
    {
      label: "The ledger",
      // Where the row's outcome says it already, once is enough.
      value: !inLedger || saidAlready ? undefined : controls[evidence.control],
    },
    {
      label: "Balance now",
      value:
        !inLedger && job.kind !== "redeem"
          ? undefined
          : balance === null
            ? "Couldn’t be loaded"
            : `${formatPoints(balance.balance)}, ${pendingWords(balance.pending)}`,
    },
    { label: "Order", value: orderId === undefined ? undefined : <OrderLink id={orderId} /> },
    {
      label: "Member",
      value:
        memberId === null ? undefined : (
          <Link to="/members/$memberId" params={{ memberId }} className="l-link">
            {rowLabel(row)}
          </Link>
        ),
    },
  ]
  return (
    <>
      {row.conflict !== undefined && <OrderConflictTable conflict={row.conflict} />}
      <Facts facts={facts} />
    </>
  )
}

function pendingWords(pending: number | null): string {
  if (pending === null) return "pending not known"
  return pending === 0 ? "nothing pending" : `${formatPoints(pending)} pending`
}

/** "10:44:08 and 10:45:10"; of many only the last three. */
function listed(times: readonly string[]): string {
  const last = times.slice(-3)
  const words =
    last.length === 1 ? (last[0] ?? "") : `${last.slice(0, -1).join(", ")} and ${last.at(-1) ?? ""}`
  const more = times.length - last.length
  return more > 0 ? `${formatCount(more)} times, then ${words}` : words
}
