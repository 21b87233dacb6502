import { describe, expect, it, onTestFinished } from "vitest"
import { createRandom } from "../../tests/faults/random.ts"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { page } from "../../tests/support/made-up-members.ts"
import { createMemoryCopy } from "../../tests/support/memory-copy.ts"
import { listOrders, ModelProgram } from "../../tests/support/model-program.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import type { CopyStore } from "./copy-store.ts"

const minute = 60_000
const day = 24 * 60 * minute

interface Options {
  readonly members?: number
  readonly rateLimit?: number
  readonly copy?: CopyStore
  readonly clock?: ReturnType<typeof createFakeClock>
  readonly program?: ModelProgram
}

/** Laurel with a copy of a program that has ledgers, and neither orders nor rewards. */
async function kit({ members = 20, clock = createFakeClock(), copy, program, ...limits }: Options = {}) {
  const random = createRandom(members)
  const model = program ?? new ModelProgram(listOrders["by points"] ?? (() => 0), () => random.next())
  if (program === undefined) model.add(members)
  const store = copy ?? (await createMemoryCopy(clock))
  const test = createTestKit({ clock, copy: store, ...limits })
  test.upstream.serve(model.serve)
  onTestFinished(() => test.app.stop())
  const until = async (isReached: () => Promise<boolean>, minutes = 120) => {
    const end = clock.monotonic() + minutes * minute
    while (!(await isReached())) {
      if (clock.monotonic() > end) throw new Error("Not reached.")
      await clock.advance(2000)
    }
  }
  const isSettled = async () => {
    const { complete } = await store.members.progress()
    return complete && (await store.ledgers.due(await store.now(), 1)).length === 0
  }
  const ledgerOf = async (memberId: string) => {
    const sort = { field: "created_at", descending: false } as const
    return (await store.ledgers.list({ memberId, sort, page: 1, perPage: 10_000 })).rows
  }
  /** Members whose ledger in the copy is another one than at the service, or in another order. */
  const differences = async () => {
    const wrong: string[] = []
    for (const [id, entries] of model.ledgers)
      if (JSON.stringify(await ledgerOf(id)) !== JSON.stringify(entries)) wrong.push(id)
    return wrong
  }
  const ledgerReads = (from = 0) =>
    test.upstream
      .lines()
      .slice(from)
      .filter((line) => line.includes("/transactions"))
  return { ...test, clock, copy: store, program: model, until, isSettled, ledgerOf, differences, ledgerReads }
}

async function filled(options: Options = {}) {
  const made = await kit(options)
  made.app.start()
  await made.until(made.isSettled)
  return made
}

describe("ledgers", () => {
  it("have no difference after 1,000 changes made at the service while they were read", async () => {
    const { app, clock, copy, program, differences, until, isSettled, upstream, logged } = await kit({
      members: 300,
    })
    let changes = 0
    const change = () => {
      if (changes >= 1000) return
      program.change(5)
      changes += 5
    }
    upstream.serve((call) => {
      change()
      return program.serve(call)
    })
    app.start()
    await until(async () => changes >= 1000)
    const { syncedAt } = await copy.members.progress()
    // Two passes of the members show whose balance changed.
    await until(async () => ((await copy.members.progress()).syncedAt ?? 0) > (syncedAt ?? 0) + 10 * minute)
    await until(isSettled)
    expect(await differences()).toEqual([])
    const live = await copy.members.count()
    expect(await copy.ledgers.progress()).toMatchObject({ read: live })
    expect(live).toBe(program.members.size)
    const ids = [...program.ledgers.keys()]
    expect((await Promise.all(ids.map((id) => copy.ledgers.owner(id)))).every(Boolean)).toBe(true)
    expect(logged.filter(({ level }) => level === "error")).toEqual([])
    // Never over the limit of 60 in any minute.
    const sent = upstream.calls.length
    expect(sent).toBeLessThanOrEqual((clock.monotonic() / minute + 1) * 60)
  })

  it("are read once each in one request, and again only when a balance changes", async () => {
    const { clock, program, ledgerReads, differences, upstream } = await filled()
    expect(ledgerReads()).toHaveLength(20)
    expect(await differences()).toEqual([])
    const before = upstream.lines().length
    await clock.advance(15 * minute)
    expect(ledgerReads(before)).toEqual([])
    const [id = ""] = program.members.keys()
    program.book(id, 25)
    await clock.advance(15 * minute)
    expect(ledgerReads(before)).toEqual([`GET /members/${id}/transactions?page=1&per_page=100`])
    expect(await differences()).toEqual([])
  })

  it("are read as fast as the local copy's lane allows", async () => {
    const { clock, ledgerReads } = await filled({ members: 100, rateLimit: 6000 })
    expect(ledgerReads()).toHaveLength(100)
    expect(clock.monotonic()).toBeLessThanOrEqual(30_000)
  })

  it("are read again after 1, 10 and 60 minutes while they do not end with the member's balance", async () => {
    const { clock, program, ledgerReads, upstream } = await filled()
    const [id = ""] = program.members.keys()
    const member = program.members.get(id)
    if (member === undefined) throw new Error("no member")
    const before = upstream.lines().length
    // Points that are in no entry.
    program.members.set(id, { ...member, points_balance: member.points_balance + 1 })
    await clock.advance(11 * minute)
    await clock.advance(120 * minute)
    expect(ledgerReads(before)).toHaveLength(4)
  })

  it("include changes that add up to nothing within seven nights", async () => {
    const { app, clock, copy, program, differences } = await filled()
    for (const id of program.members.keys()) {
      program.book(id, 10)
      program.book(id, -10)
    }
    await clock.advance(20 * minute)
    expect(await differences()).toHaveLength(20)
    await app.stop()
    const left: number[] = []
    while (left.length < 7) {
      // Nothing runs in the daytime, so that the test is short.
      await clock.advance(day)
      const again = await kit({ clock, copy, program })
      again.app.start()
      await again.until(again.isSettled)
      await again.app.stop()
      left.push((await differences()).length)
    }
    expect(left[6]).toBe(0)
    expect(left[5]).toBeGreaterThan(0)
  })

  it("of 100 entries and more are read from the newest entry on", async () => {
    const { app, program, clock, ledgerReads, differences, until, isSettled, upstream } = await kit({
      members: 1,
    })
    const [id = ""] = program.members.keys()
    for (let booked = 0; booked < 249; booked += 1) program.book(id, 3)
    app.start()
    await until(isSettled)
    expect(ledgerReads()).toHaveLength(3)
    const before = upstream.lines().length
    for (let booked = 0; booked < 130; booked += 1) program.book(id, 2)
    await clock.advance(12 * minute)
    const path = `GET /members/${id}/transactions`
    const since = "from=2025-12-31T23%3A46%3A23.000Z"
    expect(ledgerReads(before)).toEqual([
      `${path}?page=1&per_page=100`,
      `${path}?${since}&page=1&per_page=100`,
      `${path}?${since}&page=2&per_page=100`,
      `${path}?${since}&page=3&per_page=100`,
      `${path}?${since}&page=4&per_page=100`,
    ])
    expect(await differences()).toEqual([])
  })

  it("keep their entries when the service lists none although the balance is the same", async () => {
    const { clock, copy, program, upstream, ledgerOf, isSettled, until } = await filled()
    const [id = ""] = program.members.keys()
    upstream.serve((call) => (call.path.endsWith("/transactions") ? page([]) : program.serve(call)))
    await copy.ledgers.outdate([id], await copy.now())
    await until(async () => ((await copy.ledgers.owner(id))?.state?.misses ?? 0) > 0)
    expect(await ledgerOf(id)).toHaveLength(1)
    upstream.serve(program.serve)
    await clock.advance(2 * minute)
    await until(isSettled)
    expect((await copy.ledgers.owner(id))?.state).toMatchObject({ misses: 0, readFrom: expect.any(Number) })
  })

  it("of a deleted member leave the copy with the member", async () => {
    const { clock, copy, program, ledgerOf } = await filled({ members: 150 })
    const [id = ""] = program.members.keys()
    const entries = program.ledgers.get(id) ?? []
    program.members.delete(id)
    program.ledgers.delete(id)
    await clock.advance(12 * minute)
    expect(await ledgerOf(id)).toEqual([])
    // A late response does not bring them back.
    await copy.ledgers.put(
      id,
      entries.map((record) => ({ record, asOf: 1 })),
    )
    expect(await ledgerOf(id)).toEqual([])
  })

  it("wait while members are read, unless a balance changed", async () => {
    const { app, upstream, until, copy } = await kit({ members: 1000 })
    app.start()
    await until(async () => (await copy.ledgers.progress()).read > 0)
    const first = upstream.lines().findIndex((line) => line.includes("/transactions"))
    expect(
      upstream
        .lines()
        .slice(0, first)
        .filter((line) => line.startsWith("GET /members?")),
    ).toHaveLength(10)
  })
})
