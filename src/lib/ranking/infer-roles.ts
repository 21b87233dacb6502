import type { RankingRoles } from "../../../contract/settings.ts"
import { columnsOf, type Column } from "./column.ts"
import { inferName } from "./infer-name.ts"
import { memberWeight, noteWeight, rankWeight, scoreWeight } from "./role-weights.ts"
import type { RowFields } from "./row-fields.ts"

/**
 * Works out which fields of a ranking are what. The document shows none (docs/api/program.md, Leaderboards), so names
 * are read in the languages services use, and where they say nothing the values do: a field that counts 1, 2, 3 is a
 * rank. A field has one role at most; what cannot be told stays null. Never throws.
 */
export function inferRoles(rows: readonly RowFields[]): RankingRoles {
  const columns = columnsOf(rows)
  const rank = heaviest(columns, rankWeight)
  const member = heaviest(without(columns, rank), memberWeight)
  const score = heaviest(without(columns, rank, member), scoreWeight)
  const name = inferName(without(columns, rank, member, score))
  const note = heaviest(without(columns, rank, member, score, ...name), noteWeight)
  return { rank, member, name: [...name], note, score }
}

function without(columns: readonly Column[], ...fields: readonly (string | null)[]): readonly Column[] {
  return columns.filter(({ field }) => !fields.includes(field))
}

/** The field that weighs most, of equals the first; none weighs nothing. */
function heaviest(columns: readonly Column[], weigh: (column: Column) => number): string | null {
  let best: { readonly field: string; readonly weight: number } | null = null
  for (const column of columns) {
    const weight = column.coverage === 0 ? 0 : weigh(column)
    if (weight > (best?.weight ?? 0)) best = { field: column.field, weight }
  }
  return best?.field ?? null
}
