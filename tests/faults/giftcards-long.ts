import { runGiftcards } from "./giftcards-run.ts"
import type { RunOptions } from "./run-scenarios.ts"

const minute = 60_000

/**
 * The long gift-card run: a tenth of the rows of the other runs, 30 % faults, half of the kills (1,000 cards and 10
 * kills by default), two apps on one database, 100 links revealed afterwards.
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
