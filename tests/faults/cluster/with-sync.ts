import { quantile } from "../../bench/report.ts"
import { digestAtOnce } from "../in-process.ts"
import { simulate } from "./capacity.ts"
import { seconds } from "./waits.ts"

interface WithSync {
  readonly minutes: number
  readonly limit: number
}

const people = 30
/** Few answers wait at all, so it takes many to tell how many. */
const runs = 10
/** Of 95 % of the answers; below it two waits are the same, ms. */
const tolerance = 100

/** What the people do, and in which state the copy is. A first fill is once, and lists need the service until its end. */
const comparisons = [
  { name: "all pages, with a complete copy", copy: "complete" },
  { name: "records alone, while one fills", copy: "filling", recordsOnly: true },
] as const

/** Thirty people at work with a local copy that is kept current, against the same people without one. */
export async function measureWithSync({ minutes, limit }: WithSync) {
  digestAtOnce()
  const lines: string[] = []
  const missed: string[] = []
  for (const { name, copy, ...pages } of comparisons) {
    const waits: Record<"off" | "on", number[]> = { off: [], on: [] }
    for (let seed = 1; seed <= runs; seed += 1)
      for (const sync of ["off", "on"] as const) {
        const end = await simulate(
          { instances: 1, people, limit, ...(sync === "on" && { copy }) },
          { seed, rows: 1, warmMs: 0, measuredMs: minutes * 60_000, ...pages },
        )
        waits[sync].push(...end.waits)
        if (end.most > limit) missed.push(`${end.most} requests in a minute, seed ${seed}, sync ${sync}`)
      }
    const p95 = { off: quantile(waits.off, 0.95), on: quantile(waits.on, 0.95) }
    lines.push(
      `${people} people for ${minutes} minutes, ${limit} a minute, ${runs} runs, ${name}: p95 ${seconds(p95.on)} of ${waits.on.length} answers of the service, ${seconds(p95.off)} of ${waits.off.length} without`,
    )
    if (p95.on > p95.off + tolerance) missed.push(`${name}: sync makes people wait`)
  }
  return { lines, missed }
}
