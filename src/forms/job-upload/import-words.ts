import type { SheetState } from "../../import/session/sheet-state.ts"
import { formatCount } from "../../lib/format.ts"

/** "5 problems, 3 duplicates"; empty when nothing is left out. */
export function leftOutWords({ leftOut }: Pick<SheetState, "leftOut">): string {
  return listed([
    [leftOut.problems, "problem", "problems"],
    [leftOut.repeats, "sent before", "sent before"],
    [leftOut.duplicates, "duplicate", "duplicates"],
    [leftOut.outliers, "outlier", "outliers"],
    [leftOut.others, "to check", "to check"],
    [leftOut.byHand, "by hand", "by hand"],
  ])
}

/** "1 outlier"; empty when nothing was kept after a check. */
export function keptWords({ kept }: Pick<SheetState, "kept">): string {
  return listed([
    [kept.repeats, "sent before", "sent before"],
    [kept.duplicates, "duplicate", "duplicates"],
    [kept.outliers, "outlier", "outliers"],
    [kept.others, "other", "others"],
  ])
}

function listed(parts: readonly (readonly [number, string, string])[]): string {
  return parts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${formatCount(count)} ${count === 1 ? one : many}`)
    .join(", ")
}
