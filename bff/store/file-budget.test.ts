import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { Choice, WindowUse } from "../../core/ports.ts"
import { openFileBudget } from "./file-budget.ts"

const windowMs = 6000
const limit = 5
/** Places that become free are counted together by so many ms. */
const grain = 50

type Budget = ReturnType<typeof openFileBudget>

let folder: string
let open: Budget[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "laurel-budget-"))
  open = []
  vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"], now: 1_700_000_000_000 })
})
afterEach(() => {
  for (const budget of open) budget.close()
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

function opened(name = "one"): Budget {
  const budget = openFileBudget(join(folder, `${name}.db`))
  open.push(budget)
  return budget
}

const choosing =
  (keepFree: number) =>
  ({ free }: WindowUse): Choice =>
    free > keepFree ? { taker: { lane: "people", who: "ana" } } : { inMs: Infinity }
const anybody = choosing(0)

/** Somebody who takes a place as the gate does: the one in hand, or else one that is written down first. */
async function ask(budget: Budget, keepFree = 0): Promise<boolean> {
  if (keepFree === 0 && budget.takeInHand?.("program", limit, windowMs, anybody) === true) return true
  return (await budget.take("program", limit, windowMs, choosing(keepFree))).granted
}

describe("a place in hand", () => {
  it("is there once a request has gone out, and is used once", async () => {
    const budget = opened()
    expect(budget.takeInHand?.("program", limit, windowMs, anybody)).toBe(false)
    expect(await ask(budget)).toBe(true)
    vi.advanceTimersByTime(5)
    expect(budget.takeInHand?.("program", limit, windowMs, anybody)).toBe(true)
    expect(budget.takeInHand?.("program", limit, windowMs, anybody)).toBe(false)
    expect(await budget.state("program", limit, windowMs)).toMatchObject({ left: 3 })
  })

  it("is free for whoever looks, and lapses", async () => {
    const budget = opened()
    await ask(budget)
    vi.advanceTimersByTime(5)
    expect(await budget.state("program", limit, windowMs)).toEqual({ left: 4, nextInMs: 0 })
    vi.advanceTimersByTime(windowMs / 6 + 1)
    expect(budget.takeInHand?.("program", limit, windowMs, anybody)).toBe(false)
    vi.advanceTimersByTime(windowMs + grain)
    expect(await budget.state("program", limit, windowMs)).toEqual({ left: 5, nextInMs: 0 })
  })

  it("is not used while the service wants nothing", async () => {
    const budget = opened()
    await ask(budget)
    vi.advanceTimersByTime(5)
    await budget.block("program", limit, windowMs, 1000)
    expect(await ask(budget)).toBe(false)
    vi.advanceTimersByTime(1001)
    expect(await ask(budget)).toBe(true)
  })

  it("is given back by a desk that stops, and counts for a while when it was killed", async () => {
    const [stopping, killed] = [opened(), opened("two")]
    for (const budget of [stopping, killed]) await ask(budget)
    vi.advanceTimersByTime(5)
    stopping.close()
    open = [killed]
    expect(await opened().state("program", limit, windowMs)).toMatchObject({ left: 4 })
    expect(await opened("two").state("program", limit, windowMs)).toMatchObject({ left: 3 })
  })
})

type Step = {
  readonly who: 0 | 1
  readonly keepFree: 0 | 2
  readonly thenMs: number
  readonly killed: boolean
}
const step: fc.Arbitrary<Step> = fc.record({
  who: fc.constantFrom(0, 1),
  keepFree: fc.constantFrom(0, 0, 2),
  thenMs: fc.oneof(fc.constantFrom(0, 1, 3), fc.integer({ min: 3, max: 2500 })),
  killed: fc.boolean(),
})

/** Who was let through, when. Killed desks leave without a word; others take their place. */
async function carriedOut(steps: readonly Step[], file: string): Promise<{ at: number; granted: boolean }[]> {
  const desks = [opened(file), opened(file)]
  const asked: { at: number; granted: boolean }[] = []
  for (const { who, keepFree, thenMs, killed } of steps) {
    if (killed) desks[who] = opened(file)
    const desk = desks[who]
    if (desk !== undefined) asked.push({ at: Date.now(), granted: await ask(desk, keepFree) })
    vi.advanceTimersByTime(thenMs)
  }
  return asked
}

it("a clock that is put forward frees nothing", async () => {
  const budget = opened()
  for (let taken = 0; taken < limit; taken += 1) expect(await ask(budget)).toBe(true)
  vi.setSystemTime(Date.now() + 3_600_000)
  expect(await budget.state("program", limit, windowMs)).toMatchObject({ left: 0 })
  expect(await ask(budget)).toBe(false)
  vi.advanceTimersByTime(windowMs + grain)
  expect(await ask(budget)).toBe(true)
})

let files = 0

it("never lets more through in any window than the limit, whoever asks, is killed or comes again", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const asked = await carriedOut(steps, `all-${(files += 1)}`)
      const times = asked.filter(({ granted }) => granted).map(({ at }) => at)
      for (const at of times) {
        expect(times.filter((other) => other > at - windowMs && other <= at).length).toBeLessThanOrEqual(
          limit,
        )
      }
    }),
    { numRuns: 100 },
  )
})

it("keeps no place from a desk that is alone", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const alone = steps.map((one) => ({
        ...one,
        who: 0 as const,
        keepFree: 0 as const,
        killed: false,
        thenMs: Math.max(3, one.thenMs),
      }))
      const asked = await carriedOut(alone, `alone-${(files += 1)}`)
      const refusedInVain = asked.filter(({ at, granted }, index) => {
        const taken = asked
          .slice(0, index)
          .filter((other) => other.granted && other.at + windowMs + grain > at).length
        return !granted && taken < limit
      })
      expect(refusedInVain).toEqual([])
    }),
    { numRuns: 100 },
  )
})
