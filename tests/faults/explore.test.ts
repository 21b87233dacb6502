import fc from "fast-check"
import { beforeEach, it } from "vitest"
import { countsLine } from "./five-counts.ts"
import { digestAtOnce } from "./in-process.ts"
import { playSequence } from "./sequence.ts"
import { sequences } from "./sequences.ts"
import { writeFileSync } from "node:fs"

beforeEach(digestAtOnce)
const skip = new RegExp(process.env["SKIP"] ?? "^$")
it("explores", { timeout: 280_000 }, async () => {
  const found: string[] = []
  const out = await fc.check(
    fc.asyncProperty(sequences, async (sequence) => {
      const { counts } = await playSequence(sequence).catch((error: Error) => {
        if (skip.test(error.message)) return { counts: { L: 0, D: 0, P: 0, W: 0, U: 0, notes: [] } }
        throw error
      })
      const notes = counts.notes.filter((one) => !one.startsWith("U") && !skip.test(one))
      if (notes.length > 0) throw new Error(countsLine(counts) + "\n" + notes.join("\n"))
    }),
    { numRuns: Number(process.env["FAULT_RUNS"] ?? 3000), ...(process.env["SEED"] && { seed: Number(process.env["SEED"]) }) },
  )
  found.push(out.failed ? fc.defaultReportMessage(out) ?? "" : `ok ${out.numRuns}`)
  found.push(String((out.errorInstance as Error | undefined)?.message ?? ""))
  writeFileSync("/tmp/proof/explore.txt", found.join("\n"))
})
