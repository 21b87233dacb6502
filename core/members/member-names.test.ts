import { describe, expect, it } from "vitest"
import { memberNames } from "../../contract/program/member.ts"
import { dataOf } from "../../tests/faults/orders/data-of.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { madeUpMember } from "../../tests/support/made-up-members.ts"
import { createMemberService } from "../../tests/support/member-service.ts"

const minuteMs = 61_000

/** A program of so many members. */
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
  it("answer at once, cost at most 7 requests in a minute for 25 rows, and nothing once they are known", async () => {
    const { kit, ids, ask } = program(500)
    const some = scattered(ids)
    const first = await ask(some)
    expect([first.names.length, first.coming.length]).toEqual([0, 25])
    await kit.clock.advance(minuteMs - 1000)
    expect(kit.upstream.calls.length).toBeLessThanOrEqual(7)
    const second = await ask(some)
    expect(second.coming).toEqual([])
    expect(second.names).toContainEqual({ id: "mem_37", name: "Ana No 37" })
    const before = kit.upstream.calls.length
    await ask(some)
    await kit.clock.advance(minuteMs)
    expect(kit.upstream.calls.length).toBe(before)
  })

  it("are read one by one where the list of members is longer than that", async () => {
    const { kit, ids, ask } = program(5000)
    await ask(scattered(ids).slice(0, 5))
    await kit.clock.advance(minuteMs)
    const lines = kit.upstream.lines()
    expect(lines.filter((line) => line.startsWith("GET /members?"))).toHaveLength(1)
    expect(lines.length).toBeLessThanOrEqual(6)
  })

  it("keep to 7 requests a minute however many are missing, and come in the end", async () => {
    const { kit, ids, ask } = program(5000)
    const some = scattered(ids)
    for (let minute = 1; minute <= 4; minute += 1) {
      await ask(some)
      await kit.clock.advance(minuteMs)
    }
    expect((await ask(some)).coming).toEqual([])
    const times = kit.upstream.calls.map(({ at }) => at)
    const inMinuteAfter = (from: number) => times.filter((at) => at >= from && at < from + 60_000).length
    expect(Math.max(...times.map(inMinuteAfter))).toBe(7)
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

  it("wait while a third of the budget is used: people come first", async () => {
    const { kit, ids, ask } = program(50)
    for (let at = 0; at < 35; at += 1) {
      await kit.ask(`GET /program/members?per_page=1&page=${at + 1}`, { name: `reader ${at % 7}` })
    }
    const before = kit.upstream.calls.length
    await ask([ids[40] ?? "", ids[45] ?? ""])
    await kit.clock.advance(20_000)
    expect(kit.upstream.calls.length).toBe(before)
    await kit.clock.advance(minuteMs)
    expect((await ask([ids[40] ?? "", ids[45] ?? ""])).coming).toEqual([])
  })

  it("are there at once after a start, and read anew once they are a week old", async () => {
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
    await again.clock.advance(8 * 24 * 3_600_000)
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

  it("say who is not there, also for ids that can be nobody's", async () => {
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
