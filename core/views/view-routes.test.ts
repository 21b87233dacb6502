import { expect, it } from "vitest"
import type { Role } from "../../contract/roles.ts"
import type { ViewBody } from "../../contract/views.ts"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { createMemoryStore } from "../../tests/support/memory-store.ts"
import { createTestKit, type TestKit } from "../../tests/support/test-kit.ts"

const view = (fields: Partial<ViewBody> = {}): ViewBody => ({
  list: "orders",
  name: "To send",
  shared: false,
  search: { status: "to-ship", sort: "-created" },
  columns: { shown: { type: false }, order: ["status", "order"], widths: { reward: 240 } },
  ...fields,
})

async function seen({ app }: TestKit, role: Role, name: string = role) {
  const { views } = await app.session({ id: `usr_${name}`, name, email: `${name}@laurel.test`, role })
  return views
}

const names = async (kit: TestKit, role: Role, name?: string) =>
  (await seen(kit, role, name))?.all.map((each) => each.name)

it("keeps a view for its maker, and a shared one for everybody who can use it", async () => {
  const kit = createTestKit()
  const saved = await kit.ask("PUT /views/v1", { role: "manager", name: "pip", body: view() })
  expect(saved.body).toMatchObject({
    data: { all: [{ ...view(), id: "v1", by: { id: "usr_pip", name: "pip" } }] },
  })
  expect(await names(kit, "manager", "ana")).toEqual([])
  await kit.ask("PUT /views/v1", { role: "manager", name: "pip", body: view({ shared: true }) })
  await kit.ask("PUT /views/v2", {
    role: "manager",
    name: "pip",
    body: view({ list: "members", name: "Gold", search: { tier: "Gold" }, shared: true }),
  })
  expect(await names(kit, "viewer")).toEqual(["To send", "Gold"])
  // A packer cannot filter members.
  expect(await names(kit, "fulfilment")).toEqual(["To send"])
  expect((await kit.ask("GET /audit?action=settings.save")).body).toMatchObject({
    data: [{ changes: [{ field: "members", from: null, to: "Gold" }] }, { changes: [{ to: "To send" }] }],
  })
})

it("keeps both of two shared views saved in parallel on two instances", async () => {
  const clock = createFakeClock()
  const store = createMemoryStore(clock)
  const [one, other] = [createTestKit({ clock, store }), createTestKit({ clock, store })]
  const saved = await Promise.all([
    one.ask("PUT /views/v1", { body: view({ name: "One", shared: true }) }),
    other.ask("PUT /views/v2", { body: view({ name: "Two", shared: true }) }),
  ])
  expect(saved.map(({ status }) => status)).toEqual([200, 200])
  expect((await names(one, "viewer"))?.toSorted()).toEqual(["One", "Two"])
})

it("lets the maker of a shared view and managers change it, and no other role", async () => {
  const kit = createTestKit()
  const shared = view({ shared: true })
  const by = (role: Role, name: string, body?: unknown) => ({ role, name, body })
  await kit.ask("PUT /views/v1", by("viewer", "vi", shared))
  expect((await kit.ask("PUT /views/v1", by("viewer", "val", view()))).status).toBe(403)
  expect((await kit.ask("DELETE /views/v1", by("fulfilment", "tom"))).status).toBe(403)
  expect((await kit.ask("PUT /views/v1", by("viewer", "vi", { ...shared, name: "Parcels" }))).status).toBe(
    200,
  )
  await kit.ask("PUT /views/v1", by("manager", "pip", { ...shared, name: "Today" }))
  expect((await seen(kit, "viewer", "val"))?.all).toMatchObject([{ name: "Today", by: { name: "vi" } }])
  expect((await kit.ask("DELETE /views/v1", by("manager", "pip"))).status).toBe(200)
  expect(await names(kit, "viewer", "vi")).toEqual([])
  expect((await kit.ask("DELETE /views/v1", by("manager", "pip"))).status).toBe(404)
})

it("opens each person's list with the view that they chose", async () => {
  const kit = createTestKit()
  await kit.ask("PUT /views/v1", { role: "manager", name: "pip", body: view({ shared: true }) })
  await kit.ask("PUT /default-views/orders", { role: "viewer", name: "vi", body: { view: "v1" } })
  expect((await seen(kit, "viewer", "vi"))?.defaults).toEqual({ orders: "v1" })
  expect((await seen(kit, "manager", "pip"))?.defaults).toEqual({})
  await kit.ask("PUT /default-views/orders", { role: "viewer", name: "vi", body: { view: null } })
  expect((await seen(kit, "viewer", "vi"))?.defaults).toEqual({})
  expect((await kit.ask("PUT /default-views/users", { body: { view: "v1" } })).status).toBe(404)
})

it("refuses what is no view: another list, a name of nothing, more than a view has room for", async () => {
  const { ask } = createTestKit()
  const refused = [{ list: "users" }, { name: " " }, { search: { search: "x".repeat(5000) } }]
  for (const wrong of refused)
    expect((await ask("PUT /views/v1", { body: { ...view(), ...wrong } })).status).toBe(422)
})

it("refuses to share a view under the id of a view that another person has shared", async () => {
  const kit = createTestKit()
  const put = (name: string, body: ViewBody) => kit.ask("PUT /views/v1", { role: "manager", name, body })
  await put("ana", view({ name: "Mine" }))
  await put("pip", view({ name: "Everybody’s", shared: true }))
  expect((await put("ana", view({ name: "Mine", shared: true }))).status).toBe(403)
  expect(await names(kit, "viewer")).toEqual(["Everybody’s"])
  expect(await names(kit, "manager", "ana")).toEqual(["Mine", "Everybody’s"])
})
