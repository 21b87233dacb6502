import fc from "fast-check"
import { beforeEach, expect, it } from "vitest"
import { countsLine } from "./five-counts.ts"
import { digestAtOnce } from "./in-process.ts"
import { playSequence } from "./sequence.ts"
import { sequences } from "./sequences.ts"

/** The same sequences in every run; `npm run faults -- sequences` plays 10,000 others for each of five seeds. */
const played = { numRuns: 40, seed: 40 }

beforeEach(digestAtOnce)

it(
  "random sequences of faults, kills and user actions lose, double and deny nothing",
  { timeout: 900_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        const { counts } = await playSequence(sequence)
        expect([countsLine({ ...counts, U: 0 }), counts.notes]).toEqual([
          "L=0 D=0 P=0 W=0 U=0",
          expect.anything(),
        ])
      }),
      played,
    )
  },
)
