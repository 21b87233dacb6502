import fc from "fast-check"
import { countsLine, type FiveCounts } from "./five-counts.ts"
import { digestAtOnce } from "./in-process.ts"
import type { RunOptions } from "./scenarios.ts"
import { playSequence } from "./sequence.ts"
import { sequences } from "./sequences.ts"

const letters = ["L", "D", "P", "W", "U"] as const

/** Runs `rows` sequences of the state machine: 10,000 per seed by default. */
export async function longSequences(
  seed: number,
  { rows }: RunOptions,
): Promise<{ readonly lines: readonly string[]; readonly missed: readonly string[] }> {
  digestAtOnce()
  const from = performance.now()
  const sums: Record<(typeof letters)[number], number> = { L: 0, D: 0, P: 0, W: 0, U: 0 }
  let decisions = 0
  let worst: FiveCounts | undefined
  const property = fc.asyncProperty(sequences, async (sequence) => {
    const end = await playSequence(sequence)
    const { L, D, P, W } = end.counts
    for (const letter of letters) sums[letter] += end.counts[letter]
    decisions += end.decisions
    if (L + D + P + W === 0) return true
    worst = end.counts
    return false
  })
  const details = await fc.check(property, { numRuns: rows, seed })
  const seconds = ((performance.now() - from) / 1000).toFixed(1)
  const notes = worst === undefined ? [] : [countsLine(worst), ...worst.notes]
  return {
    lines: [
      `${details.numRuns} sequences of the state machine, seed ${seed}: ${countsLine({ ...sums, notes: [] })}`,
      `  in ${seconds} s; ${decisions} rows were decided by a person`,
    ],
    missed: details.failed
      ? [...notes, String(details.errorInstance), (await fc.asyncDefaultReportMessage(details)) ?? ""]
      : [],
  }
}
