import { describe, expect, it } from "vitest"
import { memberNames } from "../../contract/program/member.ts"
import { dataOf } from "../../tests/faults/orders/data-of.ts"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { createMemoryCopy } from "../../tests/support/memory-copy.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { madeUpMember } from "../../tests/support/made-up-members.ts"
import { createMemberService } from "../../tests/support/member-service.ts"

const minuteMs = 61_000

/** A program of `count` members. */
function program(count: number) {
  const kit = createTestKit()
  const ids = Array.from({ length: count }, (_, at) => `mem_${at}`)
  const people = ids.map((id, at) =>
    madeUpMember(id, { metadata: {}, first_name: "Ana", last_name: `No ${at}` }),
  )
  kit.upstream.serve(createMemberService(people).serve)
  const ask = async (some: readonly string[], role: "admin" | "fulfilment" = "admin") =>
    dataOf(await kit.ask("POST /members/names", { role, body: { ids: some } }), 200, memberNames)
  return { kit, ids, ask }
}

/** Members of 25 orders, scattered over the program. */
const scattered = (ids: readonly string[]) =>
  Array.from({ length: 25 }, (_, at) => ids[(at * 37) % ids.length] ?? "")

describe("names of members", () => {
  it("come from the local copy without a request", async () => {
    const clock = createFakeClock()
    const copy = await createMemoryCopy(clock)
    const kit = createTestKit({ clock, copy })
    const record = madeUpMember("mem_1", { first_name: "Ana", last_name: "Silva" })
    await copy.members.put([{ record, asOf: clock.now() }])
    const { names, coming } = dataOf(
      await kit.ask("POST /members/names", { body: { ids: ["mem_1", "mem_2"] } }),
      200,
      memberNames,
    )
    expect([names, coming]).toEqual([[{ id: "mem_1", name: "Ana Silva" }], ["mem_2"]])
    await kit.clock.advance(1000)
    expect(kit.upstream.lines()).toEqual(["GET /members/mem_2"])
    await kit.app.stop()
  })

  it("that are missing are read once for everybody who shows them", async () => {
    const { kit, ids, ask } = program(1200)
    const some = scattered(ids).slice(0, 12)
    expect((await ask(some)).coming).toHaveLength(12)
    await Promise.all([ask(some), ask(some, "fulfilment"), ask(some.slice(0, 9))])
    await kit.clock.advance(1000)
    expect(kit.events).toContainEqual({ topic: "names", id: "all" })
    expect((await ask(some)).names).toContainEqual({ id: "mem_37", name: "Ana No 37" })
    await kit.clock.advance(minuteMs)
    expect(kit.upstream.calls).toHaveLength(12)
  })

  it("take a third of a minute at most however many are missing, and come in the end", async () => {
    const { kit, ids, ask } = program(5000)
    const some = Array.from({ length: 100 }, (_, at) => ids[at * 37] ?? "")
    const left: number[] = []
    for (let minute = 1; minute <= 5; minute += 1) {
      const { coming } = await ask(some)
      left.push(coming.length)
      await kit.clock.advance(minuteMs)
    }
    expect(left[1]).toBeLessThan(left[0] ?? 0)
    expect((await ask(some)).coming).toEqual([])
    const times = kit.upstream.calls.map(({ at }) => at)
    const inMinuteAfter = (from: number) => times.filter((at) => at >= from && at < from + 60_000).length
    expect(Math.max(...times.map(inMinuteAfter))).toBe(20)
  })

  it("never delay a person's permit: a person who comes meanwhile is served immediately", async () => {
    const { kit, ids, ask } = program(2000)
    await ask(scattered(ids))
    await kit.clock.advance(300)
    const started = kit.clock.monotonic()
    for (let page = 1; page <= 12; page += 1)
      await kit.ask(`GET /program/orders?page=${page}`, { name: "Dana" })
    expect(kit.clock.monotonic()).toBe(started)
  })

  it("ask a service that fails once, not for all of them", async () => {
    const { kit, ids, ask } = program(150)
    await ask(ids.slice(100, 102))
    await kit.clock.advance(1000)
    kit.upstream.serve(() => ({ status: 500 }))
    const before = kit.upstream.calls.length
    await ask(["mem_new_1", "mem_new_2", "mem_new_3"])
    await kit.clock.advance(10_000)
    const rounds = [...Map.groupBy(kit.upstream.calls.slice(before), ({ at }) => at).values()]
    // Each read is sent twice before it counts as failed.
    expect(rounds.map(({ length }) => length)).toEqual([6, 2, 2])
  })

  it("tell when there are more, without making lists of members old", async () => {
    const { kit, ids, ask } = program(50)
    await ask(ids.slice(0, 3))
    await kit.clock.advance(5000)
    const topics = kit.events.map(({ topic }) => topic)
    expect(topics).toContain("names")
    expect(topics).not.toContain("members")
  })

  it("come from copies that are there, whatever they were read for", async () => {
    const { kit, ids, ask } = program(50)
    await kit.ask("GET /program/members?per_page=100")
    const { names, coming } = await ask(ids.slice(0, 25))
    expect([names.length, coming.length, kit.upstream.calls.length]).toEqual([25, 0, 1])
  })

  it.each([
    { used: 3, read: 14 },
    { used: 7, read: 6 },
    { used: 11, read: 1 },
    { used: 35, read: 0 },
  ])(
    "after $used requests of people take $read in that minute: people come first",
    async ({ used, read }) => {
      const { kit, ids, ask } = program(5000)
      for (let page = 1; page <= used; page += 1) {
        await kit.ask(`GET /program/orders?page=${page}`, { name: `reader ${page % 7}` })
      }
      await ask(scattered(ids))
      await kit.clock.advance(50_000)
      expect(kit.upstream.calls.length - used).toBe(read)
      await kit.clock.advance(minuteMs)
      await ask(scattered(ids))
      await kit.clock.advance(minuteMs)
      expect((await ask(scattered(ids))).coming).toEqual([])
    },
  )

  it("are available right after a start, and read again after a week", async () => {
    const { kit, ids, ask } = program(50)
    kit.app.start()
    await ask(ids.slice(0, 3))
    await kit.clock.advance(20_000)
    await kit.app.stop()
    const again = createTestKit({ store: kit.store, clock: kit.clock })
    const people = [madeUpMember("mem_0", { metadata: {}, first_name: "Ana", last_name: "Silva" })]
    again.upstream.serve(createMemberService(people).serve)
    again.app.start()
    await again.clock.advance(1000)
    const askAgain = async (id: string) =>
      dataOf(await again.ask("POST /members/names", { body: { ids: [id] } }), 200, memberNames)
    expect((await askAgain("mem_0")).names).toEqual([{ id: "mem_0", name: "Ana No 0" }])
    await again.clock.advance(minuteMs)
    expect(again.upstream.calls).toHaveLength(0)
    again.clock.shiftWall(8 * 24 * 3_600_000)
    expect((await askAgain("mem_0")).names).toEqual([{ id: "mem_0", name: "Ana No 0" }])
    await again.clock.advance(minuteMs)
    expect((await askAgain("mem_0")).names).toEqual([{ id: "mem_0", name: "Ana Silva" }])
    await again.app.stop()
  })

  it("leave the store with their member", async () => {
    const { kit, ids, ask } = program(3)
    kit.app.start()
    await ask(ids)
    await kit.clock.advance(20_000)
    expect(await kit.store.names.all()).toHaveLength(3)
    const body = { email: madeUpMember("mem_1", { metadata: {} }).email }
    expect((await kit.ask("DELETE /program/members/mem_1", { body })).status).toBe(204)
    expect((await kit.store.names.all()).map(({ id }) => id).toSorted()).toEqual(["mem_0", "mem_2"])
    await kit.app.stop()
  })

  it("report missing members, also for ids that no member can have", async () => {
    const { kit, ask } = program(3)
    await ask(["mem_gone", ".."])
    await kit.clock.advance(10_000)
    expect(await ask(["mem_gone", ".."])).toMatchObject({
      names: [],
      missing: ["mem_gone", ".."],
      coming: [],
    })
  })

  it("fall back to the e-mail only for who may see it", async () => {
    const kit = createTestKit()
    const nobody = madeUpMember("mem_1", { metadata: {}, first_name: "", last_name: "" })
    kit.upstream.serve(createMemberService([nobody]).serve)
    await kit.ask("GET /program/members/mem_1")
    const nameFor = async (role: "viewer" | "fulfilment") =>
      dataOf(await kit.ask("POST /members/names", { role, body: { ids: ["mem_1"] } }), 200, memberNames)
        .names[0]?.name
    expect([await nameFor("viewer"), await nameFor("fulfilment")]).toEqual([nobody.email, "mem_1"])
  })
})
