import { formatCount } from "../../../lib/format.ts"
import type { PointsAct } from "../points-search.ts"
import { pointsText } from "./points-model.ts"

/** The drawer's title. */
export const pointsTitles: Readonly<Record<PointsAct, string>> = {
  award: "Award points",
  deduct: "Deduct points",
}

/** "Ana Silva", "3 members". */
function whomText(names: readonly string[]): string {
  return names.length === 1 ? (names[0] ?? "") : `${formatCount(names.length)} members`
}

/** The effect, as on the button and while it runs: "Award 500 points to Ana Silva", "Awarding 500 points to …". */
export function effectWords(act: PointsAct, points: number, names: readonly string[]) {
  const what = Number.isSafeInteger(points) && points > 0 ? pointsText(points) : "points"
  const each = names.length > 1 ? " each" : ""
  const whom = names.length === 0 ? "" : ` ${act === "award" ? "to" : "from"} ${whomText(names)}`
  return act === "award"
    ? { action: `Award ${what}${each}${whom}`, running: `Awarding ${what}${each}${whom}` }
    : { action: `Deduct ${what}${each}${whom}`, running: `Deducting ${what}${each}${whom}` }
}

/** What did not happen. */
export const notDoneWords: Readonly<Record<PointsAct, string>> = {
  award: "Couldn’t award the points.",
  deduct: "Couldn’t deduct the points.",
}
