import { expect, it, onTestFinished } from "vitest"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { madeUpMember } from "../../tests/support/made-up-members.ts"
import { createMemberService } from "../../tests/support/member-service.ts"
import { createMemoryCopy } from "../../tests/support/memory-copy.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { noProgress } from "../copy/copy-store.ts"

async function kit() {
  const clock = createFakeClock()
  const copy = await createMemoryCopy(clock)
  const people = [madeUpMember("mem_1"), madeUpMember("mem_2")]
  const asOf = clock.now() - 60_000
  await copy.members.put(people.map((record) => ({ record, asOf })))
  const record = {
    transaction_id: "t1",
    type: "award",
    points: 5,
    balance_after: 5,
    reason: "Bonus",
  } as const
  for (const { id } of people) await copy.ledgers.put(id, [{ record, asOf }])
  await copy.members.setProgress({ ...noProgress, complete: true, syncedAt: asOf, total: 2 })
  const app = createTestKit({ clock, copy })
  app.upstream.serve(createMemberService(people).serve)
  onTestFinished(() => app.app.stop())
  const erase = (role: "admin" | "manager" = "admin") => app.ask("POST /members/mem_1/erase", { role })
  const entriesOf = async (memberId: string) => {
    const sort = { field: "created_at", descending: true } as const
    return (await copy.ledgers.list({ memberId, sort, page: 1, perPage: 9 })).total
  }
  return { ...app, copy, entriesOf, erase }
}

it("empties the copied record and ledger of one member, without a request, and is audited", async () => {
  const { ask, copy, entriesOf, erase, store, upstream } = await kit()
  expect(await erase()).toMatchObject({ status: 200, body: { data: { record: true, entries: 1 } } })
  expect(await copy.members.get(["mem_1", "mem_2"])).toMatchObject([{ id: "mem_2" }])
  expect([await entriesOf("mem_1"), await entriesOf("mem_2")]).toEqual([0, 1])
  expect((await ask("GET /members")).body).toMatchObject({ data: [{ id: "mem_2" }] })
  expect(upstream.calls).toEqual([])
  expect(await store.audit.list({ per_page: 10 }, {})).toMatchObject([
    { action: "member.erase", on: { kind: "member", id: "mem_1", label: null }, outcome: "done" },
  ])
})

it("forgets the name, and may be repeated", async () => {
  const { ask, erase, store } = await kit()
  await ask("POST /members/names", { body: { ids: ["mem_1"] } })
  await erase()
  expect((await store.names.all()).map(({ id }) => id)).not.toContain("mem_1")
  expect((await erase()).body).toMatchObject({ data: { record: false, entries: 0 } })
})

it("lets a member who still exists come back when the service is read later", async () => {
  const { ask, clock, copy, erase } = await kit()
  await erase()
  await clock.advance(10)
  await ask("GET /program/members/mem_1")
  await clock.advance(10)
  expect(await copy.members.get(["mem_1"])).toMatchObject([{ id: "mem_1" }])
})

it("is for administrators only", async () => {
  const { copy, erase } = await kit()
  expect((await erase("manager")).status).toBe(403)
  expect(await copy.members.get(["mem_1"])).toHaveLength(1)
})
