import type { RankingRoles } from "../../../contract/settings.ts"

/** The fields that have a role. */
export function roleFields({ rank, member, name, note, score }: RankingRoles): ReadonlySet<string> {
  return new Set([rank, member, ...name, note, score].filter((field) => field !== null))
}
