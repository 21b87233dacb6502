import { Link } from "@tanstack/react-router"
import type { Job, JobKind } from "../../../../contract/job.ts"
import type { JobRow } from "../../../../contract/job-rows.ts"
import { useSession } from "../../../api/session.ts"
import { centsOf, formatCount, formatMoney, formatPoints, formatSigned } from "../../../lib/format.ts"
import { ReferenceHolderLink } from "../../../forms/job-link.tsx"
import { CopyText } from "../../../ui/values.tsx"
import { useNow } from "../../../ui/hooks.ts"
import { clockTime } from "../jobs/job-time.ts"
import {
  inputText,
  orderChangeText,
  outcomeWords,
  recipientText,
  rowDollars,
  rowLabel,
  rowNumber,
  rowPoints,
} from "../jobs/row-words.ts"
import { Facts, type Fact } from "./facts.tsx"
import { OrderLink } from "./order-link.tsx"

/** What a confirmed row made. */
const madeWords: Readonly<Record<JobKind, string>> = {
  award: "Ledger entry",
  deduct: "Ledger entry",
  "member-create": "Member id",
  redeem: "Order",
  "order-update": "Order",
  giftcard: "Card id",
}

/** Its id; a card has a page of its own. */
function Made({ kind, id }: { kind: JobKind; id: string }) {
  if (kind === "giftcard") {
    return (
      <Link to="/cards/$cardId" params={{ cardId: id }} className="l-link l-mono">
        {id}
      </Link>
    )
  }
  if (kind === "redeem" || kind === "order-update") return <OrderLink id={id} />
  return <CopyText text={id} mono cut />
}

/** What is known of a row that needs nobody. */
export function RowFacts({ job, row }: { job: Job; row: JobRow }) {
  const now = useNow("half-minute")
  const points = rowPoints(job.kind, row)
  const { currency } = useSession().program
  const dollars = rowDollars(row)
  const days = inputText(row, "expiryDays")
  const memberId = row.member?.id ?? null
  const outcome = outcomeWords(row)
  const at = (time: string | null) => (time === null ? undefined : clockTime(time, now))
  const facts: Fact[] = [
    { label: "Row", value: formatCount(rowNumber(row)) },
    { label: "Requested", value: job.kind === "order-update" ? orderChangeText(row) : undefined },
    {
      label: job.kind === "order-update" ? "Order" : "Member",
      value:
        job.kind === "order-update" ? (
          <OrderLink id={rowLabel(row)} />
        ) : memberId === null ? (
          rowLabel(row)
        ) : (
          <Link to="/members/$memberId" params={{ memberId }} className="l-link">
            {rowLabel(row)}
          </Link>
        ),
    },
    { label: "E-mail", value: inputText(row, "email") ?? recipientText(row, "email") },
    { label: "Account key", value: recipientText(row, "accountKey") },
    {
      label: "Amount",
      value: dollars === undefined ? undefined : <b>{formatMoney(centsOf(dollars), currency)}</b>,
    },
    { label: "Card", value: inputText(row, "cardId") },
    { label: "Valid for", value: days === undefined ? undefined : `${days} days` },
    { label: "Points", value: points === undefined ? undefined : <b>{formatSigned(points)}</b> },
    { label: "Reason", value: inputText(row, "reason") },
    { label: "Reference", value: inputText(row, "reference") ?? inputText(row, "externalRef") },
    { label: "Company", value: inputText(row, "company") },
    { label: "Outcome", value: outcome === "" ? undefined : outcome },
    { label: "Used by", value: row.taken_by && <ReferenceHolderLink by={row.taken_by} /> },
    { label: "Sent", value: at(row.sent_at) },
    {
      label: row.state === "failed" || row.known_by === "answer" ? "Response received" : "Request ended",
      value: at(row.ended_at),
    },
    { label: "Looked up next", value: at(row.next_look_at) },
    { label: "Attempts", value: row.attempts > 1 ? formatCount(row.attempts) : undefined },
    {
      label: madeWords[job.kind],
      value:
        row.upstream_id === null || job.kind === "order-update" ? undefined : (
          <Made kind={job.kind} id={row.upstream_id} />
        ),
    },
    {
      label: "Balance after",
      value: row.balance_after === null ? undefined : formatPoints(row.balance_after),
    },
  ]
  return <Facts facts={facts} />
}
