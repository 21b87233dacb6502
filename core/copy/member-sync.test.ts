import { describe, expect, it, onTestFinished } from "vitest"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { createMemoryCopy } from "../../tests/support/memory-copy.ts"
import { page } from "../../tests/support/made-up-members.ts"
import { listOrders, ModelProgram } from "../../tests/support/model-program.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { createRandom } from "../../tests/faults/random.ts"
import type { CopyStore } from "./copy-store.ts"

const minute = 60_000
const ever = Number.MAX_SAFE_INTEGER

interface Options {
  readonly order?: string
  readonly members?: number
  readonly environment?: "staging" | "sandbox"
  readonly copy?: CopyStore
  readonly keyHash?: string
}

/** Laurel with a copy of a program whose members change. */
async function kit({ order = "oldest first", members = 300, copy, keyHash = "key 1" }: Options = {}) {
  const clock = createFakeClock()
  const base = copy ?? (await createMemoryCopy(clock))
  const program = new ModelProgram(listOrders[order] ?? (() => 0), random(members))
  program.add(members)
  const wronglyDropped: string[] = []
  const watched: CopyStore = {
    ...base,
    members: {
      ...base.members,
      async drop(ids, asOf) {
        wronglyDropped.push(...ids.filter((id) => program.members.has(id)))
        return base.members.drop(ids, asOf)
      },
    },
  }
  const test = createTestKit({
    clock,
    copy: watched,
    config: {
      apis: {
        program: { baseUrl: "http://program.test/v1", keyEnd: "1234", rateLimit: 60, keyHash },
        giftcard: null,
      },
    },
  })
  test.upstream.serve(program.serve)
  onTestFinished(() => test.app.stop())
  const progress = () => base.members.progress()
  const until = async (isReached: () => Promise<boolean> | boolean, minutes = 60) => {
    const end = clock.monotonic() + minutes * minute
    while (!(await isReached())) {
      if (clock.monotonic() > end) throw new Error(`Not reached: ${JSON.stringify(await progress())}`)
      await clock.advance(2000)
    }
  }
  const passes = async (count: number) => {
    for (let passed = 0; passed < count; passed += 1) {
      const { syncedAt } = await progress()
      await until(async () => (await progress()).syncedAt !== syncedAt)
    }
  }
  /** Members that the copy lacks, has in another state, or has although they are gone. */
  const differences = async () => {
    const held = new Map(
      (await base.members.get(await base.members.idsBefore(ever))).map((one) => [one.id, one]),
    )
    const wrong = [...program.members].filter(
      ([id, one]) => JSON.stringify(held.get(id)) !== JSON.stringify(one),
    )
    return wrong.length + [...held.keys()].filter((id) => !program.members.has(id)).length
  }
  return { ...test, clock, copy: base, program, progress, until, passes, differences, wronglyDropped }
}

function random(seed: number): () => number {
  const source = createRandom(seed)
  return () => source.next()
}

type Kit = Awaited<ReturnType<typeof kit>>

async function filled(options: Options = {}): Promise<Kit> {
  const made = await kit(options)
  made.app.start()
  await made.until(async () => (await made.progress()).complete)
  return made
}

describe("a pass", () => {
  it.each(Object.keys(listOrders))(
    "leaves no difference after 1,000 changes while pages shift, %s, and drops nobody who is there",
    async (order) => {
      const { app, program, passes, differences, until, wronglyDropped } = await kit({ order, members: 2000 })
      let changes = 0
      program.beforePage = () => {
        if (changes < 1000) program.change(25)
        changes += 25
      }
      app.start()
      await until(() => changes >= 1000)
      await passes(3)
      expect(await differences()).toBe(0)
      expect(wronglyDropped).toEqual([])
    },
  )

  it("fills 2,000 members in 20 requests, and is complete when nothing moved", async () => {
    const { upstream, progress, copy } = await filled({ members: 2000 })
    expect(upstream.lines().filter((line) => line.startsWith("GET /members?"))).toHaveLength(20)
    expect(await copy.members.count()).toBe(2000)
    expect(await progress()).toMatchObject({ complete: true, total: 2000, held: null })
  })

  it("continues past a short page to the one after the last", async () => {
    const { app, upstream, program, copy, passes } = await kit({ members: 250 })
    upstream.serve((call) => {
      const listed = [...program.members.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))
      const from = 100 * (Number(call.query.get("page")) - 1)
      const rows = listed.slice(from, from + 100)
      // The service leaves a row out of its second page.
      return page(from === 100 ? rows.slice(1) : rows, 250, from / 100 + 1, 100)
    })
    app.start()
    await passes(1)
    expect(upstream.lines()).toContain("GET /members?page=4&per_page=100")
    expect(await copy.members.count()).toBe(249)
  })

  it("is repeated after ten minutes, with page 1 each minute in between", async () => {
    const { clock, upstream } = await filled({ members: 150 })
    const before = upstream.lines().length
    await clock.advance(9 * minute)
    const between = upstream
      .lines()
      .slice(before)
      .filter((line) => line.startsWith("GET /members?"))
    expect(new Set(between)).toEqual(new Set(["GET /members?page=1&per_page=100"]))
    expect(between.length).toBeGreaterThanOrEqual(8)
    await clock.advance(2 * minute)
    expect(upstream.lines().slice(before)).toContain("GET /members?page=2&per_page=100")
  })

  it("starts immediately when page 1 has another total", async () => {
    const { clock, program, differences } = await filled({ order: "by points", members: 150 })
    program.add(1)
    await clock.advance(2 * minute)
    expect(await differences()).toBe(0)
  })

  it("drops a deleted member only after reading it alone", async () => {
    const { clock, program, differences, upstream } = await filled({ members: 150 })
    const [id = ""] = program.members.keys()
    program.members.delete(id)
    await clock.advance(3 * minute)
    expect(await differences()).toBe(0)
    expect(upstream.lines()).toContain(`GET /members/${id}`)
  })

  it("keeps a member whose read fails, and puts it off to the next pass", async () => {
    const { clock, program, upstream, copy, progress } = await filled({ members: 150 })
    const [id = ""] = program.members.keys()
    program.members.delete(id)
    upstream.serve((call) =>
      call.path === `/members/${id}`
        ? { kind: "unreadable", status: 200, what: "a page" }
        : program.serve(call),
    )
    await clock.advance(5 * minute)
    expect(await copy.members.get([id])).toHaveLength(1)
    expect(await progress()).toMatchObject({ deferred: true, complete: true })
  })
})

describe("a hold", () => {
  it("keeps every member when the list is empty, and ends when they are listed again", async () => {
    const { clock, program, upstream, copy, progress, ask } = await filled()
    upstream.serve((call) => (call.path === "/members" ? page([]) : program.serve(call)))
    await clock.advance(15 * minute)
    expect(await progress()).toMatchObject({ held: { reason: "missing", missing: 300, live: 300 } })
    expect(await copy.members.count()).toBe(300)
    const calls = upstream.calls.length
    await clock.advance(30 * minute)
    expect(upstream.calls).toHaveLength(calls)
    upstream.serve(program.serve)
    expect(await ask("POST /status/copy/held", { body: { decision: "wait" } })).toMatchObject({ status: 200 })
    await clock.advance(2 * minute)
    expect(await progress()).toMatchObject({ held: null, complete: true })
  })

  it("drops what is missing after an administrator accepted it, with an audit entry", async () => {
    const { clock, program, copy, progress, ask, store, differences } = await filled()
    for (const id of [...program.members.keys()].slice(0, 100)) program.members.delete(id)
    await clock.advance(15 * minute)
    expect(await progress()).toMatchObject({ held: { reason: "missing", missing: 100, live: 300 } })
    const decision = { body: { decision: "accept" } }
    expect(await ask("POST /status/copy/held", { ...decision, role: "manager" })).toMatchObject({
      status: 403,
    })
    expect(await copy.members.count()).toBe(300)
    expect(await ask("POST /status/copy/held", decision)).toMatchObject({ status: 200 })
    await clock.advance(2 * minute)
    expect(await differences()).toBe(0)
    expect(await ask("POST /status/copy/held", decision)).toMatchObject({ status: 409 })
    expect(await store.audit.list({ per_page: 5 }, {})).toMatchObject([
      { action: "copy.accept", note: "100 of 300 members were missing" },
    ])
  })

  it("asks a person when another key knows no member, and puts none of theirs", async () => {
    const { app, copy } = await filled()
    await app.stop()
    const other = await kit({ copy, keyHash: "key 2", members: 77 })
    // Numbered alike, but other people.
    other.app.start()
    await other.clock.advance(5 * minute)
    expect(await copy.members.progress()).toMatchObject({ held: { reason: "key", missing: 5, live: 300 } })
    expect(await copy.members.count()).toBe(300)
    await other.ask("GET /program/members")
    expect(await copy.members.count()).toBe(300)
    await other.ask("POST /status/copy/held", { body: { decision: "accept" } })
    await other.clock.advance(2 * minute)
    expect(await other.differences()).toBe(0)
  })

  it("asks a person when a list of strangers comes for the same key", async () => {
    const { clock, upstream, copy, progress } = await filled()
    const strangers = new ModelProgram(() => 0, random(1))
    strangers.add(100)
    upstream.serve(strangers.serve)
    await clock.advance(15 * minute)
    expect(await progress()).toMatchObject({ held: { reason: "key" } })
    expect(await copy.members.count()).toBe(300)
  })

  it("continues without a person when another key knows the members", async () => {
    const { app, copy, program } = await filled()
    await app.stop()
    const other = await kit({ copy, keyHash: "key 2", members: 0 })
    other.upstream.serve(program.serve)
    other.app.start()
    await other.clock.advance(2 * minute)
    expect(await copy.stamp()).toMatchObject({ keyHash: "key 2" })
    expect(await copy.members.progress()).toMatchObject({ held: null, complete: true })
  })
})

describe("the stamp", () => {
  it("empties a copy of another address or of a store that was restored", async () => {
    const { app, copy } = await filled()
    await app.stop()
    const stamp = await copy.stamp()
    if (stamp !== undefined) await copy.setStamp({ ...stamp, epoch: "before the restore" })
    const again = await kit({ copy, members: 20 })
    again.app.start()
    await again.until(async () => (await copy.members.count()) === 20)
    expect((await copy.stamp())?.epoch).not.toBe("before the restore")
  })
})

describe("what requests bring along", () => {
  it("a read and a write of ours reach the copy without another request", async () => {
    const { ask, program, copy, upstream, clock } = await filled({ members: 10 })
    const [id = ""] = program.members.keys()
    const before = program.members.get(id)
    if (before === undefined) throw new Error("no member")
    program.members.set(id, { ...before, company: "Read Solar" })
    await ask(`GET /program/members/${id}`, { headers: { "cache-control": "no-cache" } })
    await clock.settle()
    expect(await copy.members.get([id])).toMatchObject([{ company: "Read Solar" }])
    upstream.serve((call) => {
      if (call.method !== "PATCH") return program.serve(call)
      program.members.set(id, { ...before, company: "Written Solar" })
      return program.serve({ ...call, method: "GET" })
    })
    const calls = upstream.calls.length
    await ask(`PATCH /program/members/${id}`, { body: { company: "Written Solar" } })
    await clock.settle()
    expect(await copy.members.get([id])).toMatchObject([{ company: "Written Solar" }])
    await clock.advance(5000)
    expect(
      upstream
        .lines()
        .slice(calls)
        .filter((line) => line === `GET /members/${id}`).length,
    ).toBeLessThanOrEqual(1)
  })

  it("the response to a job's change reaches the copy without another request", async () => {
    const { ask, program, copy, upstream, clock } = await filled({ members: 10 })
    const [id = ""] = program.members.keys()
    const before = program.members.get(id)
    if (before === undefined) throw new Error("no member")
    upstream.serve((call) => {
      if (call.method !== "PATCH") return program.serve(call)
      program.members.set(id, { ...before, company: "Job Solar" })
      return program.serve({ ...call, method: "GET" })
    })
    const calls = upstream.calls.length
    const rows = [{ member_id: id, company: "Job Solar" }]
    const headers = { "idempotency-key": "change-a-member-1" }
    expect((await ask("POST /jobs", { body: { kind: "member-update", rows }, headers })).status).toBe(201)
    await clock.advance(5000)
    expect(await copy.members.get([id])).toMatchObject([{ company: "Job Solar" }])
    // The one read is the comparison before the change.
    const sent = upstream.lines().slice(calls)
    expect(sent.filter((line) => line.endsWith(` /members/${id}`))).toEqual([
      `GET /members/${id}`,
      `PATCH /members/${id}`,
    ])
  })

  it("a member whose write has no known outcome is read alone", async () => {
    const { publish, program, copy, clock } = await filled({ members: 10 })
    const [id = ""] = program.members.keys()
    const before = program.members.get(id)
    if (before === undefined) throw new Error("no member")
    program.members.set(id, { ...before, points_balance: 77 })
    publish({ topic: "member", id })
    await clock.advance(5000)
    expect(await copy.members.get([id])).toMatchObject([{ points_balance: 77 }])
  })

  it("awards to many members start a pass", async () => {
    const { publish, program, differences, clock } = await filled({ members: 250 })
    for (const [id, one] of program.members) program.members.set(id, { ...one, points_balance: 1 })
    publish({ topic: "members", id: "all" })
    await clock.advance(minute)
    expect(await differences()).toBe(0)
  })
})

it("a status without a copy reports that it is off", async () => {
  const { ask } = createTestKit()
  expect((await ask("GET /status")).body).toMatchObject({ data: { copy: { mode: "off", members: null } } })
})

it("reports its progress while it fills", async () => {
  const { app, ask, clock } = await kit({ members: 1000 })
  app.start()
  await clock.advance(5000)
  const { body } = await ask("GET /status")
  expect(body).toMatchObject({
    data: { copy: { mode: "memory", members: { total: 1000, complete: false } } },
  })
})
