import type { RankingRoles } from "../../../contract/settings.ts"
import { resolveRoles, type ResolvedRoles } from "./resolve-roles.ts"
import { fieldNames, rowFields, type RowFields } from "./row-fields.ts"
import { isRecord, sentRows } from "./sent-rows.ts"
import { standingsOf, type Standings } from "./standings.ts"

/** A ranking as far as it could be read. */
export interface RankingReading extends ResolvedRoles {
  /**
   * `standings`: it says who stands where. `table`: rows with fields, of which that is not known. `json`: no rows, or
   * rows without fields. `empty`: a list without rows.
   */
  readonly view: "standings" | "table" | "json" | "empty"
  readonly rows: readonly RowFields[]
  /** Every field that came. */
  readonly fields: readonly string[]
  readonly standings: Standings
  /** The whole answer, as it was sent. */
  readonly sent: unknown
}

/**
 * Reads what a board's rankings answer holds: never nothing, whatever came.
 * @param saved what somebody said the fields are; undefined: nobody did
 */
export function readRanking(sent: unknown, saved: RankingRoles | undefined): RankingReading {
  const list = sentRows(sent)
  const rows = (list ?? []).map(rowFields)
  const fields = fieldNames(rows)
  const resolved = resolveRoles(rows, saved)
  const standings = standingsOf(rows, resolved.roles)
  return { ...resolved, rows, fields, standings, sent, view: viewOf() }

  function viewOf(): RankingReading["view"] {
    if (list?.length === 0) return isRecord(sent) && Object.keys(sent).length > 1 ? "json" : "empty"
    if (fields.length === 0) return "json"
    const { rank, score } = resolved.roles
    const who = standings.rows.some(({ name, memberId }) => name !== null || memberId !== null)
    return who && (rank !== null || score !== null) ? "standings" : "table"
  }
}
