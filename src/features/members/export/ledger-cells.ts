import { balanceAfter, type Transaction } from "../../../../contract/program/points.ts"
import type { CsvCell } from "../../../lib/csv.ts"
import { jsonOf } from "./member-cells.ts"

/** The columns of an export of a ledger, under the service's own field names. */
export const ledgerColumns = [
  "transaction_id",
  "created_at",
  "type",
  "points",
  "balance_after",
  "reason",
  "reference",
  "member_id",
  "metadata",
] as const

/** A ledger row as cells, in the order of the columns; the balance after it comes under either of its names. */
export function ledgerCells(row: Transaction): CsvCell[] {
  return [
    row.transaction_id,
    row.created_at,
    row.type,
    row.points,
    balanceAfter(row).points,
    row.reason,
    row.reference,
    row.member_id,
    jsonOf(row.metadata),
  ]
}
