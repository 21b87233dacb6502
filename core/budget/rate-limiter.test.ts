import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { densest } from "../../tests/support/densest.ts"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import type { BudgetStore, Lane } from "../ports.ts"
import { createMemoryBudgetStore } from "../../tests/support/memory-budget-store.ts"
import { BudgetSpent, RateLimiter, windowMs } from "./rate-limiter.ts"

const longWait = 3_600_000

function limiterOf(limit: number, peopleUntil: () => number = () => -Infinity) {
  const clock = createFakeClock()
  const store = createMemoryBudgetStore(clock)
  const limiter = new RateLimiter({
    api: "program",
    limit,
    store,
    clock,
    peopleUntil,
    onChange: () => undefined,
  })
  return { clock, store, limiter }
}

/** Asks for a permit and notes when it came. */
function take(
  limiter: RateLimiter,
  clock: { monotonic(): number },
  lane: Lane,
  who: string,
  log: { at: number; who: string }[],
  deadline = longWait,
  isUpdate = () => false,
): Promise<unknown> {
  return limiter.acquire({ lane, who, deadline, isUpdate }).then(
    (waited) => {
      log.push({ at: clock.monotonic(), who })
      return waited
    },
    (error: unknown) => error,
  )
}

describe("the rate limiter", () => {
  it("never lets more than the limit through in any sliding minute, and answers everybody", async () => {
    const arrival = fc.record({
      afterMs: fc.integer({ min: 0, max: 8000 }),
      lane: fc.constantFrom<Lane>("people", "jobs", "sync"),
      who: fc.constantFrom("ana", "ben", "cy"),
      patienceMs: fc.integer({ min: 0, max: 90_000 }),
      older: fc.boolean(),
    })
    const arrivals = fc.array(arrival, { minLength: 1, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), arrivals, async (limit, list) => {
        let until = 0
        const { clock, limiter } = limiterOf(limit, () => until)
        const log: { at: number; who: string }[] = []
        const answers: Promise<unknown>[] = []
        for (const { afterMs, lane, who, patienceMs, older } of list) {
          await clock.advance(afterMs)
          if (lane === "people") until = clock.monotonic() + 60_000
          const deadline = clock.monotonic() + patienceMs
          answers.push(take(limiter, clock, lane, who, log, deadline, () => older))
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

  it("gives background work at least 98 % of the rate when no person is active", async () => {
    const { clock, limiter } = limiterOf(60)
    const log: { at: number; who: string }[] = []
    const minutes = 20
    const answers = Array.from({ length: 60 * (minutes + 1) }, () => take(limiter, clock, "jobs", "job", log))
    await clock.advance(minutes * 60_000)
    expect(log.length).toBeGreaterThanOrEqual(0.98 * 60 * minutes)
    limiter.stop()
    await Promise.all(answers)
  })

  it("keeps room for people while they are about, so that they hardly wait behind background work", async () => {
    const { clock, limiter } = limiterOf(60, () => Infinity)
    const jobs: { at: number; who: string }[] = []
    const people: { at: number; who: string }[] = []
    const background = Array.from({ length: 600 }, () => take(limiter, clock, "jobs", "job", jobs))
    const waits: Promise<unknown>[] = []
    // A person asks every 7 s: less than the ten permits a minute that are kept for people.
    for (let requests = 0; requests < 60; requests += 1) {
      await clock.advance(7000)
      waits.push(take(limiter, clock, "people", "ana", people))
      await clock.settle()
    }
    expect(Math.max(...(await Promise.all(waits)).map(Number))).toBe(0)
    // Seven windows of 50, less what Ana took.
    expect(jobs.length).toBeGreaterThanOrEqual(285)
    limiter.stop()
    await Promise.all(background)
  })

  it("lets people in before background work that waited longer", async () => {
    const { clock, limiter } = limiterOf(1)
    const log: { at: number; who: string }[] = []
    const all = [
      take(limiter, clock, "people", "first", log),
      take(limiter, clock, "jobs", "job", log),
      take(limiter, clock, "people", "ana", log),
    ]
    await clock.advance(200_000)
    await Promise.all(all)
    expect(log.map(({ who }) => who)).toEqual(["first", "ana", "job"])
  })

  it("lets people in who see nothing yet before those who see an older response and waited longer", async () => {
    const { clock, limiter } = limiterOf(12)
    const log: { at: number; who: string }[] = []
    const fill = Array.from({ length: 12 }, (_, at) => take(limiter, clock, "people", `first ${at}`, log))
    await clock.advance(1)
    log.length = 0
    let sees = false
    const updates = ["ana", "ben", "cy"].map((who) =>
      take(limiter, clock, "people", who, log, longWait, () => sees),
    )
    await clock.advance(250)
    sees = true
    const others = ["dee", "eli"].map((who) => take(limiter, clock, "people", who, log))
    await clock.advance(windowMs)
    await Promise.all([...fill, ...updates, ...others])
    expect(log.map(({ who }) => who)).toEqual(["dee", "eli", "ana", "ben", "cy"])
  })

  it("leaves a sixth of the limit free behind updates, for people at another instance", async () => {
    const { clock, store, limiter } = limiterOf(12)
    const other = new RateLimiter({
      api: "program",
      limit: 12,
      store,
      clock,
      peopleUntil: () => -Infinity,
      onChange: () => undefined,
    })
    const log: { at: number; who: string }[] = []
    const fill = Array.from({ length: 12 }, (_, at) => take(limiter, clock, "people", `first ${at}`, log))
    await Promise.all(fill)
    const updates = Array.from({ length: 30 }, (_, at) =>
      limiter.acquire({ lane: "people", who: `reader ${at}`, deadline: longWait, isUpdate: () => true }),
    )
    await clock.advance(2 * windowMs)
    for (let at = 0; at < 2; at += 1)
      expect(await other.acquire({ lane: "people", who: `new ${at}`, deadline: longWait })).toBe(0)
    await clock.advance(10 * windowMs)
    await Promise.all(updates)
  })

  it("takes turns between people, and each one's requests in order", async () => {
    const { clock, limiter } = limiterOf(1)
    const log: { at: number; who: string }[] = []
    const all = ["ana", "ana", "ana", "ana", "ben", "cy"].map((who) =>
      take(limiter, clock, "people", who, log),
    )
    await clock.advance(400_000)
    await Promise.all(all)
    expect(log.map(({ who }) => who)).toEqual(["ana", "ana", "ben", "cy", "ana", "ana"])
  })

  it("does not hold a person up for the time background work has to wait", async () => {
    const { clock, limiter } = limiterOf(6, () => Infinity)
    const log: { at: number; who: string }[] = []
    const background = Array.from({ length: 8 }, () => take(limiter, clock, "jobs", "job", log))
    await clock.advance(1000)
    expect(log).toHaveLength(1)
    await take(limiter, clock, "people", "ana", log)
    expect(log.at(-1)).toEqual({ at: 1000, who: "ana" })
    limiter.stop()
    await Promise.all(background)
  })

  it("is not filled again by a clock that is put forward", async () => {
    const { clock, limiter } = limiterOf(1)
    const log: { at: number; who: string }[] = []
    const both = [take(limiter, clock, "people", "ana", log), take(limiter, clock, "people", "ben", log)]
    await clock.advance(1000)
    clock.shiftWall(3_600_000)
    await clock.advance(windowMs - 1001)
    expect(log).toHaveLength(1)
    await clock.advance(1)
    await Promise.all(both)
    expect(log).toHaveLength(2)
  })

  it("drops waiters that gave up, and gives their permit to the next one", async () => {
    const { clock, limiter } = limiterOf(1)
    const log: { at: number; who: string }[] = []
    await take(limiter, clock, "people", "first", log)
    const leaving = new AbortController()
    const left = limiter.acquire({ lane: "people", who: "ana", deadline: longWait, signal: leaving.signal })
    const staying = take(limiter, clock, "people", "ben", log)
    await clock.advance(1000)
    leaving.abort(new Error("left"))
    await expect(left).rejects.toThrow("left")
    await clock.advance(61_000)
    await staying
    expect(log.map(({ who }) => who)).toEqual(["first", "ben"])
    expect(limiter.waiting()).toBe(0)
  })

  it("rethrows the store's error and continues with the next waiter", async () => {
    const clock = createFakeClock()
    const working = createMemoryBudgetStore(clock)
    let broken = false
    const store: BudgetStore = {
      ...working,
      async take(...permit) {
        if (!broken) return working.take(...permit)
        broken = false
        throw new Error("disk full")
      },
    }
    const limiter = new RateLimiter({
      api: "program",
      limit: 1,
      store,
      clock,
      peopleUntil: () => 0,
      onChange: () => undefined,
    })
    const ask = (who: string) =>
      limiter.acquire({ lane: "people", who, deadline: longWait }).catch((error: unknown) => error)
    await ask("first")
    const [ana, ben] = [ask("ana"), ask("ben")]
    await clock.settle()
    broken = true
    await clock.advance(61_000)
    expect(await ana).toEqual(new Error("disk full"))
    expect(await ben).toBe(61_000)
  })
})

/** What came of some minutes at Laurel. */
interface Observed {
  readonly waits: ReadonlyMap<string, readonly number[]>
  readonly grants: readonly { readonly at: number; readonly lane: Lane; readonly who: string }[]
}

/** A requester: `atOnce` requests every `everyMs`, from `fromMs` on, `times` over. */
interface Actor {
  readonly who: string
  readonly lane?: Lane
  readonly atOnce: number
  readonly everyMs: number
  readonly fromMs?: number
  readonly times?: number
}

/** Lets people and jobs ask for `ms` at instances that share one store, each at whichever comes next. */
async function observe(
  actors: readonly Actor[],
  ms: number,
  instances: number,
  limit = 60,
): Promise<Observed> {
  const clock = createFakeClock()
  const store = createMemoryBudgetStore(clock)
  let until = -Infinity
  const limiters = Array.from(
    { length: instances },
    () =>
      new RateLimiter({
        api: "program",
        limit,
        store,
        clock,
        peopleUntil: () => until,
        onChange: () => undefined,
      }),
  )
  const waits = new Map<string, number[]>()
  const grants: { at: number; lane: Lane; who: string }[] = []
  let requests = 0
  const ask = async (who: string, lane: Lane) => {
    const from = clock.monotonic()
    if (lane === "people") until = from + 60_000
    await limiters[(requests += 1) % instances]?.acquire({ lane, who, deadline: Infinity })
    grants.push({ at: clock.monotonic(), lane, who })
    waits.set(who, [...(waits.get(who) ?? []), clock.monotonic() - from])
  }
  const act = async ({ who, lane = "people", atOnce, everyMs, fromMs = 0, times = Infinity }: Actor) => {
    await clock.sleep(fromMs)
    for (let round = 0; round < times; round += 1) {
      const from = clock.monotonic()
      await Promise.all(Array.from({ length: atOnce }, () => ask(who, lane)))
      await clock.sleep(Math.max(1, from + everyMs - clock.monotonic()))
    }
  }
  const ended = Promise.allSettled(actors.map(act))
  await clock.advance(ms)
  // Requests still waiting waited at least this long.
  for (const limiter of limiters) limiter.stop()
  void ended
  return { waits, grants }
}

/** People who read every `everyMs`, one after the other. */
function readers(count: number, everyMs: number): Actor[] {
  return Array.from({ length: count }, (_, at) => ({
    who: `reader ${at}`,
    atOnce: 1,
    everyMs,
    fromMs: Math.round((at * everyMs) / count),
  }))
}

const job: Actor = { who: "job", lane: "jobs", atOnce: 2, everyMs: 0 }

function longestWait({ waits }: Observed, of: readonly Actor[]): number {
  return Math.max(...of.flatMap(({ who }) => waits.get(who) ?? [Infinity]))
}

/** The fewest grants to one requester in any minute. */
function fewestIn({ grants }: Observed, who: string, ms: number): number {
  const own = grants.filter((one) => one.who === who).map(({ at }) => at)
  const starts = Array.from({ length: Math.floor((ms - 60_000) / 500) }, (_, at) => at * 500)
  return Math.min(...starts.map((from) => own.filter((at) => at >= from && at < from + 60_000).length))
}

describe("shares", () => {
  const ms = 180_000

  it.each([
    [1, 3000, false, 1],
    [1, 5000, true, 1],
    [3, 6000, false, 2],
    [3, 6000, true, 1],
    [4, 8000, true, 2],
    [10, 20_000, true, 1],
    [30, 60_000, true, 2],
    [30, 60_000, false, 1],
  ])(
    "one person's 60 parallel reads make %d others, who read every %d ms, wait no more than 2 s (job: %s, instances: %d)",
    async (count, everyMs, withJob, instances) => {
      const others = readers(count, everyMs)
      const burst = { who: "burst", atOnce: 60, everyMs: 0, times: 1 }
      const seen = await observe([burst, ...others, ...(withJob ? [job] : [])], ms, instances)
      expect(longestWait(seen, others)).toBeLessThanOrEqual(2000)
      expect(seen.waits.get("burst")?.length).toBeGreaterThanOrEqual(withJob ? 40 : 60)
      expect(
        densest(
          seen.grants.map(({ at }) => at),
          windowMs,
        ),
      ).toBeLessThanOrEqual(60)
      expect(withJob ? fewestIn(seen, "job", ms) : 10).toBeGreaterThanOrEqual(10)
    },
  )

  it("two people's 60 parallel reads make 5 others wait no more than 2 s", async () => {
    const others = readers(5, 20_000)
    const bursts = ["burst 1", "burst 2"].map((who) => ({ who, atOnce: 60, everyMs: 0, times: 1 }))
    const seen = await observe([...bursts, ...others], ms, 1)
    expect(longestWait(seen, others)).toBeLessThanOrEqual(2000)
  })

  it("a burst that never ends makes others, whenever they come, wait no more than 2 s", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 90_000 }),
        fc.boolean(),
        fc.constantFrom(1, 2),
        async (count, fromMs, withJob, instances) => {
          const others = readers(count, Math.max(5000, 2000 * count)).map((one) => ({
            ...one,
            fromMs: fromMs + (one.fromMs ?? 0),
          }))
          const burst = Array.from({ length: 60 }, () => ({ who: "burst", atOnce: 1, everyMs: 0 }))
          const seen = await observe([...burst, ...others, ...(withJob ? [job] : [])], ms, instances)
          expect(longestWait(seen, others)).toBeLessThanOrEqual(2000)
          expect(withJob ? fewestIn(seen, "job", ms) : 10).toBeGreaterThanOrEqual(10)
        },
      ),
      { numRuns: 10, examples: [[3, 6745, true, 1]] },
    )
  })

  it.each([1, 2])(
    "thirty steady readers leave a job a sixth, and are served alike (instances: %d)",
    async (instances) => {
      const many = readers(30, 4000)
      const seen = await observe([...many, job], ms, instances)
      expect(fewestIn(seen, "job", ms)).toBeGreaterThanOrEqual(10)
      const served = many.map(({ who }) => seen.waits.get(who)?.length ?? 0)
      expect(Math.min(...served)).toBeGreaterThanOrEqual(3)
      expect(Math.max(...served) - Math.min(...served)).toBeLessThanOrEqual(3)
      expect(seen.grants.length).toBeGreaterThanOrEqual(0.9 * 60 * (ms / windowMs))
    },
  )

  it("two who ask for more than there is get the same", async () => {
    const both = ["ana", "ben"].flatMap((who) =>
      Array.from({ length: 30 }, () => ({ who, atOnce: 1, everyMs: 0 })),
    )
    const seen = await observe(both, 300_000, 1)
    const [ana = 0, ben = 0] = ["ana", "ben"].map((who) => seen.waits.get(who)?.length)
    expect(Math.abs(ana - ben)).toBeLessThanOrEqual(5)
    expect(ana + ben).toBeGreaterThanOrEqual(200)
  })

  it("a single person gets a page immediately and almost the full rate", async () => {
    const seen = await observe([{ who: "ana", atOnce: 60, everyMs: 0 }], 300_000, 1)
    expect(seen.grants.filter(({ at }) => at === 0).length).toBeGreaterThanOrEqual(12)
    expect(seen.grants.length).toBeGreaterThanOrEqual(5 * 50)
  })
})

/** The wait that 95 of 100 requests of these did not exceed, ms. */
function p95({ waits }: Observed, of: readonly Actor[]): number {
  const all = of.flatMap(({ who }) => waits.get(who) ?? []).toSorted((one, other) => one - other)
  return all[Math.ceil(all.length * 0.95) - 1] ?? Infinity
}

describe("the local copy’s lane", () => {
  const sync: Actor = { who: "copy", lane: "sync", atOnce: 1, everyMs: 0 }
  const minutes = 60_000
  const timesOf = ({ grants }: Observed, who: string) =>
    grants.filter((one) => one.who === who).map(({ at }) => at)

  it("reads 100 pages within 4 minutes when idle, never two within a second", async () => {
    const times = timesOf(await observe([sync], 5 * minutes, 1), "copy")
    expect(times[99]).toBeLessThanOrEqual(4 * minutes)
    expect(Math.min(...times.slice(1).map((at, before) => at - (times[before] ?? 0)))).toBeGreaterThanOrEqual(
      900,
    )
    // Half of the limit, and the two that it gets in any case.
    expect(densest(times, windowMs)).toBeLessThanOrEqual(32)
  })

  it("takes a tenth of a limit above 600", async () => {
    const times = timesOf(await observe([sync], minutes, 1, 6000), "copy")
    expect(densest(times, 1000)).toBe(10)
    expect(times[99]).toBeLessThanOrEqual(10_000)
  })

  it("reads 100 pages within 9 minutes while people send 8 requests a minute, which never wait", async () => {
    const people = readers(4, 30_000)
    const seen = await observe([sync, ...people], 10 * minutes, 1)
    expect(timesOf(seen, "copy")[99]).toBeLessThanOrEqual(9 * minutes)
    expect(longestWait(seen, people)).toBe(0)
  })

  it.each([
    ["thirty people who read every 40 s", readers(30, 40_000), []],
    [
      "ten people and a burst",
      readers(10, 20_000),
      [{ who: "burst", atOnce: 30, everyMs: 120_000, fromMs: 90_000 }],
    ],
    ["ten people and a job", readers(10, 20_000), [job]],
  ] satisfies [string, Actor[], Actor[]][])(
    "makes no request of %s wait longer at p95",
    async (_, people, others) => {
      const [without, withSync] = [
        await observe([...people, ...others], 10 * minutes, 2),
        await observe([...people, ...others, sync], 10 * minutes, 2),
      ]
      expect(p95(withSync, people)).toBeLessThanOrEqual(p95(without, people))
      const times = withSync.grants.map(({ at }) => at)
      expect(densest(times, windowMs)).toBeLessThanOrEqual(60)
      expect(timesOf(withSync, "copy").length).toBeGreaterThan(0)
    },
  )

  it("gets one request in 30 s when jobs hold the minute", async () => {
    const seen = await observe([job, job, sync], 10 * minutes, 1)
    // At first the minute is free.
    const times = timesOf(seen, "copy").filter((at) => at >= 2 * minutes)
    expect(times.length).toBeGreaterThanOrEqual(14)
    expect(times.length).toBeLessThanOrEqual(17)
  })
})
