import { describe, expect, it, onTestFinished } from "vitest"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { madeUpMember } from "../../tests/support/made-up-members.ts"
import { createMemoryCopy } from "../../tests/support/memory-copy.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { noProgress } from "../copy/copy-store.ts"

const members = [
  madeUpMember("mem_1", { company: "Acme", points_balance: 100 }),
  madeUpMember("mem_2", { company: "ACME", points_balance: 50, status: "inactive" }),
  madeUpMember("mem_3", { company: "Acme Pty Ltd", points_balance: 7 }),
  madeUpMember("mem_4", { company: "Łódź Air", points_balance: null }),
  madeUpMember("mem_5", { company: "" }),
]

async function kit({ complete = true } = {}) {
  const clock = createFakeClock()
  const copy = await createMemoryCopy(clock)
  await copy.members.put(members.map((record) => ({ record, asOf: clock.now() - 60_000 })))
  await copy.members.setProgress({
    ...noProgress,
    complete,
    syncedAt: complete ? clock.now() - 60_000 : null,
    total: 10_000,
  })
  const app = createTestKit({ clock, copy })
  onTestFinished(() => app.app.stop())
  const names = async (query = "") => {
    const { body } = await app.ask(`GET /companies${query}`)
    return (body as { data: { name: string; members: number }[] }).data.map(({ name, members }) => [
      name,
      members,
    ])
  }
  const merge = (name: string, into: string) =>
    app.ask(`PUT /companies/${encodeURIComponent(name)}/merge`, { body: { into } })
  return { ...app, copy, names, merge }
}

describe("companies", () => {
  it("are added up from members without a request, whatever the case", async () => {
    const { ask, upstream } = await kit()
    expect((await ask("GET /companies")).body).toMatchObject({
      data: [
        { name: "Acme", members: 2, active: 1, inactive: 1, points: 150, without_points: 0 },
        { name: "Acme Pty Ltd", members: 1, points: 7 },
        { name: "Łódź Air", members: 1, points: 0, without_points: 1 },
      ],
      meta: { total: 3, complete: true },
    })
    expect(upstream.calls).toEqual([])
  })

  it("are searched, sorted and paged", async () => {
    const { names } = await kit()
    expect(await names("?search=lodz")).toEqual([["Łódź Air", 1]])
    expect(await names("?sort=-name&per_page=1&page=2")).toEqual([["Acme Pty Ltd", 1]])
    expect((await names("?sort=points")).map(([name]) => name)).toEqual(["Łódź Air", "Acme Pty Ltd", "Acme"])
  })

  it("are none until every member is synced", async () => {
    const { ask } = await kit({ complete: false })
    expect((await ask("GET /companies")).body).toMatchObject({
      data: [],
      meta: { complete: false, total: 0 },
    })
    expect((await ask("GET /companies/Acme")).status).toBe(409)
  })

  it("become one by hand, in the list, its page and every filter, which is audited", async () => {
    const { ask, names, merge } = await kit()
    expect((await merge("Acme Pty Ltd", "Acme")).status).toBe(200)
    expect(await names()).toEqual([
      ["Acme", 3],
      ["Łódź Air", 1],
    ])
    expect(await names("?search=pty")).toEqual([["Acme", 3]])
    for (const name of ["acme", "Acme%20Pty%20Ltd"]) {
      expect((await ask(`GET /companies/${name}`)).body).toMatchObject({
        data: {
          name: "Acme",
          members: 3,
          points: 157,
          names: [
            { name: "Acme", members: 2, merged: false },
            { name: "Acme Pty Ltd", members: 1, merged: true },
          ],
        },
      })
    }
    expect((await ask("GET /members?company=acme")).body).toMatchObject({ meta: { total: 3 } })
    expect((await ask("GET /members/recipients?company=Acme+Pty+Ltd")).body).toMatchObject({
      data: { members: [{ id: "mem_1" }, { id: "mem_2" }, { id: "mem_3" }] },
    })
    expect((await ask("GET /audit?action=settings.save")).body).toMatchObject({
      data: [{ on: { id: "companies" }, changes: [{ field: "Acme Pty Ltd", from: null, to: "Acme" }] }],
    })
  })

  it("say what their members’ ledgers add up to, and how many are read", async () => {
    const { ask, copy } = await kit()
    const entry = { created_at: "2026-03-01T12:00:00Z", balance_after: 0 }
    const booked = [
      { ...entry, transaction_id: "t1", type: "award", points: 90 },
      { ...entry, transaction_id: "t2", type: "redeem", points: -40 },
    ] as const
    await copy.ledgers.put(
      "mem_1",
      booked.map((record) => ({ record, asOf: 1 })),
    )
    const state = { readFrom: 2, balance: 50, memberBalance: 50, misses: 0, dueAt: 0 }
    await copy.ledgers.setState("mem_1", 1, state)
    for (const role of ["manager", "viewer"] as const)
      expect((await ask("GET /companies/Acme", { role })).body).toMatchObject({
        data: {
          members: 2,
          ledgers: { read: 1, awarded: 90, redeemed: 40, last_entry_at: "2026-03-01T12:00:00.000Z" },
        },
      })
  })

  it("are apart again once the merge is taken back", async () => {
    const { ask, names, merge } = await kit()
    await merge("Acme Pty Ltd", "Acme")
    expect((await ask("DELETE /companies/acme%20pty%20ltd/merge")).status).toBe(200)
    expect((await names()).map(([name]) => name)).toEqual(["Acme", "Acme Pty Ltd", "Łódź Air"])
    expect((await ask("DELETE /companies/Acme%20Pty%20Ltd/merge")).status).toBe(404)
  })

  it("follow the company that they were merged into, and are never merged in a circle", async () => {
    const { names, merge } = await kit()
    await merge("Acme Pty Ltd", "Acme")
    await merge("Acme", "Acme Group")
    expect(await names()).toEqual([
      ["Acme Group", 3],
      ["Łódź Air", 1],
    ])
    expect((await merge("Acme Group", "acme pty ltd")).status).toBe(400)
    await merge("Łódź Air", "Acme")
    expect(await names()).toEqual([["Acme Group", 4]])
  })

  it.each([
    ["viewer", 200, 403],
    ["fulfilment", 403, 403],
    ["manager", 200, 200],
  ] as const)("are read by roles that may, and merged by managers: %s", async (role, read, merged) => {
    const { ask } = await kit()
    expect((await ask("GET /companies", { role })).status).toBe(read)
    const body = { into: "Acme" }
    expect((await ask("PUT /companies/Acme%20Pty%20Ltd/merge", { role, body })).status).toBe(merged)
  })
})
