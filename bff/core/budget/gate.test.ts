import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createFakeClock } from "../../../tests/support/fake-clock.ts"
import type { BudgetStore } from "../ports.ts"
import { createMemoryBudgetStore } from "../memory/budget-store.ts"
import { BudgetSpent, createGate, keptFree, type Gate, type Lane } from "./gate.ts"

const longWait = 3_600_000

function gateOf(limit: number, peopleUntil: () => number = () => -Infinity) {
  const clock = createFakeClock()
  const store = createMemoryBudgetStore(clock)
  const gate = createGate({ api: "program", limit, store, clock, peopleUntil, changed: () => undefined })
  return { clock, store, gate }
}

/** Asks for a place and notes when it came. */
function take(
  gate: Gate,
  clock: { monotonic(): number },
  lane: Lane,
  who: string,
  log: { at: number; who: string }[],
  deadline = longWait,
): Promise<unknown> {
  return gate.acquire({ lane, who, deadline }).then(
    (waited) => {
      log.push({ at: clock.monotonic(), who })
      return waited
    },
    (error: unknown) => error,
  )
}

/** The most grants within any `windowMs`. */
function densest(times: readonly number[], windowMs: number): number {
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + windowMs).length))
}

describe("the gate", () => {
  it("never lets more than the limit through in any sliding minute, and answers everybody", async () => {
    const arrival = fc.record({
      afterMs: fc.integer({ min: 0, max: 8000 }),
      lane: fc.constantFrom<Lane>("people", "jobs"),
      who: fc.constantFrom("ana", "ben", "cy"),
      patienceMs: fc.integer({ min: 0, max: 90_000 }),
    })
    const arrivals = fc.array(arrival, { minLength: 1, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), arrivals, async (limit, list) => {
        let until = 0
        const { clock, gate } = gateOf(limit, () => until)
        const log: { at: number; who: string }[] = []
        const answers: Promise<unknown>[] = []
        for (const { afterMs, lane, who, patienceMs } of list) {
          await clock.advance(afterMs)
          if (lane === "people") until = clock.monotonic() + 60_000
          answers.push(take(gate, clock, lane, who, log, clock.monotonic() + patienceMs))
        }
        await clock.advance(100_000)
        const ends = await Promise.all(answers)
        expect(
          densest(
            log.map(({ at }) => at),
            60_000,
          ),
        ).toBeLessThanOrEqual(limit)
        expect(ends.every((end) => typeof end === "number" || end instanceof BudgetSpent)).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  it("gives background work at least 98 % of the rate when nobody is there", async () => {
    const { clock, gate } = gateOf(60)
    const log: { at: number; who: string }[] = []
    const minutes = 20
    const answers = Array.from({ length: 60 * (minutes + 1) }, () => take(gate, clock, "jobs", "job", log))
    await clock.advance(minutes * 60_000)
    expect(log.length).toBeGreaterThanOrEqual(0.98 * 60 * minutes)
    gate.stop()
    await Promise.all(answers)
  })

  it("keeps room for people while they are about, so that they hardly wait behind background work", async () => {
    const { clock, gate } = gateOf(60, () => Infinity)
    const jobs: { at: number; who: string }[] = []
    const people: { at: number; who: string }[] = []
    const background = Array.from({ length: 600 }, () => take(gate, clock, "jobs", "job", jobs))
    const waits: Promise<unknown>[] = []
    // A person asks every 7 s: less than the ten places a minute that are kept for people.
    for (let asked = 0; asked < 60; asked += 1) {
      await clock.advance(7000)
      waits.push(take(gate, clock, "people", "ana", people))
      await clock.settle()
    }
    expect(Math.max(...(await Promise.all(waits)).map(Number))).toBe(0)
    expect(jobs.length).toBeGreaterThan(300)
    gate.stop()
    await Promise.all(background)
  })

  it("leaves a sixth of any limit free", () => {
    expect([60, 300, 10, 1].map(keptFree)).toEqual([10, 50, 2, 1])
  })

  it("lets people in before background work that waited longer", async () => {
    const { clock, gate } = gateOf(1)
    const log: { at: number; who: string }[] = []
    const all = [
      take(gate, clock, "people", "first", log),
      take(gate, clock, "jobs", "job", log),
      take(gate, clock, "people", "ana", log),
    ]
    await clock.advance(200_000)
    await Promise.all(all)
    expect(log.map(({ who }) => who)).toEqual(["first", "ana", "job"])
  })

  it("takes turns between people, and each one's requests in order", async () => {
    const { clock, gate } = gateOf(1)
    const log: { at: number; who: string }[] = []
    const all = ["ana", "ana", "ana", "ana", "ben", "cy"].map((who) => take(gate, clock, "people", who, log))
    await clock.advance(400_000)
    await Promise.all(all)
    expect(log.map(({ who }) => who)).toEqual(["ana", "ana", "ben", "cy", "ana", "ana"])
  })

  it("does not hold a person up for the time background work has to wait", async () => {
    const { clock, gate } = gateOf(6, () => Infinity)
    const log: { at: number; who: string }[] = []
    const background = Array.from({ length: 8 }, () => take(gate, clock, "jobs", "job", log))
    await clock.advance(1000)
    expect(log).toHaveLength(5)
    await take(gate, clock, "people", "ana", log)
    expect(log.at(-1)).toEqual({ at: 1000, who: "ana" })
    gate.stop()
    await Promise.all(background)
  })

  it("leaves nobody waiting who gave up, and their place goes to the next", async () => {
    const { clock, gate } = gateOf(1)
    const log: { at: number; who: string }[] = []
    await take(gate, clock, "people", "first", log)
    const leaving = new AbortController()
    const left = gate.acquire({ lane: "people", who: "ana", deadline: longWait, signal: leaving.signal })
    const staying = take(gate, clock, "people", "ben", log)
    await clock.advance(1000)
    leaving.abort(new Error("left"))
    await expect(left).rejects.toThrow("left")
    await clock.advance(61_000)
    await staying
    expect(log.map(({ who }) => who)).toEqual(["first", "ben"])
    expect(gate.waiting()).toBe(0)
  })

  it("hands on what the store threw and goes on with the next", async () => {
    const clock = createFakeClock()
    const working = createMemoryBudgetStore(clock)
    let broken = false
    const store: BudgetStore = {
      ...working,
      async take(...place) {
        if (!broken) return working.take(...place)
        broken = false
        throw new Error("disk full")
      },
    }
    const gate = createGate({
      api: "program",
      limit: 1,
      store,
      clock,
      peopleUntil: () => 0,
      changed: () => undefined,
    })
    const ask = (who: string) =>
      gate.acquire({ lane: "people", who, deadline: longWait }).catch((error: unknown) => error)
    await ask("first")
    const [ana, ben] = [ask("ana"), ask("ben")]
    await clock.settle()
    broken = true
    await clock.advance(61_000)
    expect(await ana).toEqual(new Error("disk full"))
    expect(await ben).toBe(61_000)
  })
})
