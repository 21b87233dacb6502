import { timeOf } from "../../contract/program/common.ts"
import { balanceAfter, type Transaction } from "../../contract/program/points.ts"
import { tagKey } from "../jobs/job-record.ts"
import { fold } from "./member-columns.ts"

/** What lists search, filter and sort by. */
export function entryColumns(memberId: string, entry: Transaction) {
  const { transaction_id, type, reason, reference, points, metadata } = entry
  const tagged = metadata?.[tagKey]
  return {
    member_id: memberId,
    id_key: fold(transaction_id),
    type: fold(type ?? ""),
    reason: fold(reason ?? ""),
    reference: fold(reference ?? ""),
    tag: typeof tagged === "string" ? fold(tagged) : "",
    points: typeof points === "number" ? points : null,
    balance_after: balanceAfter(entry).points ?? null,
    created_at: timeOf(entry.created_at) ?? null,
    s_entry: fold([transaction_id, reason, reference].filter(Boolean).join(" ")),
  }
}
