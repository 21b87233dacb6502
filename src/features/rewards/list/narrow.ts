import type { Reward } from "../../../../contract/program/reward.ts"
import type { RewardsSearch } from "./rewards-search.ts"

/**
 * Those of a page within the points range. The range stands in the narrative reference only, so a service may leave it
 * aside: it is applied again here. A reward without a cost stays.
 */
export function withinPoints(
  rewards: readonly Reward[],
  search: Pick<RewardsSearch, "min_points" | "max_points">,
): readonly Reward[] {
  const { min_points = 0, max_points = Infinity } = search
  if (min_points === 0 && max_points === Infinity) return rewards
  return rewards.filter(
    ({ points_cost }) =>
      typeof points_cost !== "number" || (points_cost >= min_points && points_cost <= max_points),
  )
}

/** Those of a page whose name, description or category holds every word. */
export function matching(rewards: readonly Reward[], text: string | undefined): readonly Reward[] {
  const words = (text ?? "").toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return rewards
  return rewards.filter(({ id, name, description, category }) => {
    const told = [id, name, description, category].join(" ").toLocaleLowerCase()
    return words.every((word) => told.includes(word))
  })
}
