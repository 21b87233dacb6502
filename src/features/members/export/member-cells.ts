import type { Member } from "../../../../contract/program/member.ts"
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
  "metadata",
] as const

/** A member as cells, in the order of the columns; free-form data stands in one cell as JSON. */
export function memberCells(member: Member): CsvCell[] {
  return memberColumns.map((column) => (column === "metadata" ? jsonOf(member.metadata) : member[column]))
}

/** Data as JSON; nothing for none. */
export function jsonOf(data: Readonly<Record<string, unknown>> | null | undefined): CsvCell {
  return data === null || data === undefined || Object.keys(data).length === 0
    ? undefined
    : JSON.stringify(data)
}
