import { expect, it } from "vitest"
import { createTestKit } from "../../tests/support/test-kit.ts"
import type { FakeEnd } from "../../tests/support/fake-upstream.ts"
import { madeUpMember } from "../../tests/support/made-up-members.ts"
import { createMemberService } from "../../tests/support/member-service.ts"

const hung: FakeEnd = { kind: "no_answer", what: "no response in time" }

function kit() {
  const service = createMemberService([madeUpMember("mem_1")])
  const app = createTestKit()
  app.upstream.serve(service.serve)
  const remove = (email: string) => app.ask("DELETE /program/members/mem_1", { body: { email } })
  const log = () => app.store.audit.list({ per_page: 10 }, {})
  return { ...app, service, remove, log }
}

it("deletes when the typed e-mail is the member's, and keeps no data of them", async () => {
  const { ask, remove, log, service } = kit()
  await ask("GET /program/members")
  expect(await remove("MEM_1@dealer.test")).toMatchObject({ status: 204, body: undefined })
  expect(service.members.size).toBe(0)
  expect((await ask("GET /program/members")).body).toMatchObject({ data: [] })
  expect((await ask("GET /program/members/mem_1")).status).toBe(404)
  expect(await log()).toMatchObject([
    { action: "member.delete", outcome: "done", on: { id: "mem_1", label: "Ana Silva mem_1" } },
  ])
})

it.each([
  "r&d@dealer.test",
  "sales/nsw@dealer.test",
  "a..b@dealer.test",
  "jo@m\u00FCller.test",
  "no address",
])("compares with the record, whatever the form of its e-mail: %s", async (email) => {
  const { remove, service } = kit()
  service.members.set("mem_1", madeUpMember("mem_1", { email }))
  expect((await remove("mem_1@dealer.test")).status).toBe(422)
  expect((await remove(email.toUpperCase())).status).toBe(204)
  expect(service.members.size).toBe(0)
})

it("is refused for a member without an e-mail, whatever is typed", async () => {
  const { remove, service } = kit()
  service.members.set("mem_1", madeUpMember("mem_1", { email: "" }))
  for (const typed of ["", " ", "mem_1"]) expect((await remove(typed)).status).toBe(422)
  expect(service.members.size).toBe(1)
})

it("compares the typed e-mail with the member as it is now, and deletes nothing when it differs", async () => {
  const { ask, remove, service } = kit()
  await ask("GET /program/members/mem_1")
  service.members.set("mem_1", madeUpMember("mem_1", { email: "new@dealer.test" }))
  expect(await remove("mem_1@dealer.test")).toMatchObject({
    status: 422,
    body: { error: { code: "validation", details: { fields: [{ field: "email" }] } } },
  })
  expect(service.members.size).toBe(1)
})

it("is for administrators only", async () => {
  const { ask, upstream } = kit()
  const body = { email: "mem_1@dealer.test" }
  expect((await ask("DELETE /program/members/mem_1", { role: "manager", body })).status).toBe(403)
  expect(upstream.calls).toEqual([])
})

it("is done when no answer came and the member is gone", async () => {
  const { remove, service, log } = kit()
  service.trouble = { end: hung, carriedOut: true }
  expect((await remove("mem_1@dealer.test")).status).toBe(204)
  expect(await log()).toMatchObject([{ outcome: "done", note: expect.stringContaining("A check shows") }])
})

it("is not done when the service answers with an error under a success status", async () => {
  const { remove, service, log } = kit()
  const body = { success: false, error: { code: "open_orders", message: "Has open orders" } }
  service.trouble = { end: { status: 200, body }, carriedOut: false }
  expect(await remove("mem_1@dealer.test")).toMatchObject({
    status: 502,
    body: { error: { message: expect.stringContaining("Has open orders") } },
  })
  expect(await log()).toMatchObject([{ outcome: "failed" }])
})

it("reports that the member still exists when there was no response and the member is still there", async () => {
  const { remove, service, log } = kit()
  service.trouble = { end: hung, carriedOut: false }
  expect(await remove("mem_1@dealer.test")).toMatchObject({
    status: 502,
    body: { error: { message: expect.stringContaining("wasn’t deleted as of") } },
  })
  expect(await log()).toMatchObject([{ outcome: "failed" }])
})
