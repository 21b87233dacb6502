import type { Member } from "../../../../contract/program/member.ts"
import { balanceAfter, type Transaction } from "../../../../contract/program/points.ts"
import type { CsvCell } from "../../../lib/csv.ts"

/** The columns of an export of members, under the service's own field names. */
export const memberColumns = [
  "id",
  "email",
  "first_name",
  "last_name",
  "company",
  "phone",
  "points_balance",
  "tier",
  "status",
  "created_at",
  "updated_at",
] as const

const prefix = "metadata."

/** The columns of a member's metadata, one for each key, named as an import of members reads them. */
export function metadataColumns({ metadata }: Member): string[] {
  return Object.keys(metadata ?? {}).map((key) => prefix + key)
}

/** A member as cells, in the order of the columns and of those of metadata (`metadataColumns`). */
export function memberCells(member: Member, further: readonly string[]): CsvCell[] {
  const held = new Map(Object.entries(member.metadata ?? {}))
  return [
    ...memberColumns.map((column) => member[column]),
    ...further.map((column) => cellOf(held.get(column.slice(prefix.length)))),
  ]
}

/** Text, numbers and yes or no as they are, anything nested as JSON. */
function cellOf(value: unknown): CsvCell {
  if (value === null || value === undefined) return undefined
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value
  return JSON.stringify(value)
}

/** Data as JSON; nothing for none. */
function jsonOf(data: Readonly<Record<string, unknown>> | null | undefined): CsvCell {
  return data === null || data === undefined || Object.keys(data).length === 0
    ? undefined
    : JSON.stringify(data)
}

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
