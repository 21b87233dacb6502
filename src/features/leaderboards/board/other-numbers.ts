import type { RankingRoles } from "../../../../contract/settings.ts"
import { columnNumbers, columnsOf } from "../../../lib/ranking/column.ts"
import type { RowFields } from "../../../lib/ranking/row-fields.ts"

/** How many are named before it grows tiring. */
const most = 4

/** Further fields that hold numbers, any of which may be the score that was meant. */
export function otherNumbers(rows: readonly RowFields[], roles: RankingRoles): readonly string[] {
  return columnsOf(rows)
    .filter(
      ({ field, values }) => values.length > 0 && ![roles.rank, roles.score, roles.member].includes(field),
    )
    .filter((column) => columnNumbers(column, false) !== null)
    .map(({ field }) => field)
    .slice(0, most)
}
