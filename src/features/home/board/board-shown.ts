import type { LeaderboardMappings, RankingRoles } from "../../../../contract/settings.ts"
import { boardsOf } from "../../../lib/ranking/boards.ts"

/** The leaderboard of the home page. */
export interface ShownBoard {
  readonly id: string
  readonly name: string
  /** What somebody said its fields are. */
  readonly roles: RankingRoles | undefined
}

/**
 * The board that is shown: the first one whose fields somebody named, for it matters to them; else the first one. None
 * when there is no board that could be asked for.
 * @param sent the list of boards as it was sent
 */
export function boardShown(sent: unknown, mappings: LeaderboardMappings | undefined): ShownBoard | undefined {
  const boards = (boardsOf(sent) ?? []).flatMap(({ id, name }) => {
    const roles = mappings?.boards.find((board) => board.id === id)?.roles
    return id === null ? [] : [{ id, name: name ?? id, roles }]
  })
  return boards.find(({ roles }) => roles !== undefined) ?? boards[0]
}
