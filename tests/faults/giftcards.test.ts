import { expect, it } from "vitest"
import { runGiftcards } from "./giftcards-run.ts"

const withinMs = 150_000

it(
  "a gift-card job under faults and kills issues every card once and leaks no secret",
  { timeout: 180_000 },
  async () => {
    const end = await runGiftcards({
      seed: 41,
      rows: 60,
      share: 0.3,
      kills: 2,
      instances: 1,
      reveals: 5,
      withinMs,
    })
    process.stdout.write(`${end.lines.join("\n")}\n`)
    expect(end.missed).toEqual([])
    const { confirmed, failed } = end.job.counts
    expect([confirmed + failed, end.kills]).toEqual([60, 2])
  },
)
