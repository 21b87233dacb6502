import { runGiftcards } from "./giftcards-run.ts"
import type { RunOptions } from "./run-scenarios.ts"

const minute = 60_000

/**
 * The long run of cards: a tenth of the rows that the others have, three requests in ten with a fault, half of the kills
 * (1,000 cards and 10 kills unless told otherwise), two servers on one database, a hundred links revealed afterwards.
 */
export async function longGiftcards(
  seed: number,
  { rows, kills }: RunOptions,
  databaseUrl: string | undefined,
): Promise<{ readonly lines: readonly string[]; readonly missed: readonly string[] }> {
  const wanted = Math.ceil(kills / 2)
  const end = await runGiftcards({
    seed,
    rows: Math.ceil(rows / 10),
    share: 0.3,
    kills: wanted,
    instances: 2,
    ...(databaseUrl !== undefined && { databaseUrl }),
    reveals: 100,
    withinMs: 10 * minute,
  })
  return {
    lines: end.lines,
    missed: [...end.missed, ...(end.kills < wanted ? [`${end.kills} kills, not ${wanted}`] : [])],
  }
}
