import { describe, expect, it } from "vitest"
import { appUser } from "../../tests/support/people.ts"
import { createFakeAccounts, createTestKit } from "../../tests/support/test-kit.ts"

const kit = () =>
  createTestKit({
    accounts: createFakeAccounts([
      appUser({ id: "usr_admin", name: "usr_admin", role: "admin" }),
      appUser({ id: "usr_bo", name: "usr_bo", role: "viewer" }),
    ]),
  })

describe("users", () => {
  it("are for administrators only", async () => {
    const { ask } = kit()
    for (const line of [
      "GET /users",
      "POST /users",
      "GET /users/usr_bo",
      "PATCH /users/usr_bo",
      "POST /users/usr_bo/link",
    ]) {
      expect((await ask(line, { role: "manager", body: {} })).status).toBe(403)
    }
  })

  it("are created with a link that the log never sees", async () => {
    const { ask, store } = kit()
    const body = { name: "Cy", email: "cy@laurel.test", role: "manager" }
    const made = await ask("POST /users", { body })
    expect(made).toMatchObject({
      status: 201,
      headers: { "Cache-Control": "no-store" },
      body: { data: { user: { email: "cy@laurel.test" }, link: { path: expect.any(String) } } },
    })
    const log = await store.audit.list({ per_page: 10 }, {})
    expect(log).toMatchObject([{ action: "user.create", area: "app", outcome: "done" }])
    expect(JSON.stringify(log)).not.toContain("#made-up")
    expect((await ask("POST /users", { body })).body).toMatchObject({
      error: { code: "validation", details: { fields: [{ field: "email" }] } },
    })
  })

  it("are disabled and enabled by name in the log, and their pages are notified", async () => {
    const { ask, store, events } = kit()
    expect((await ask("PATCH /users/usr_bo", { body: { disabled: true } })).status).toBe(200)
    await ask("PATCH /users/usr_bo", { body: { disabled: false } })
    await ask("PATCH /users/usr_bo", { body: { role: "manager" } })
    const log = await store.audit.list({ per_page: 10 }, {})
    expect(log.map(({ action }) => action)).toEqual(["user.update", "user.enable", "user.disable"])
    expect(events).toContainEqual({ topic: "session", id: "usr_bo" })
  })

  it("keep an administrator, and the refusal is in the log", async () => {
    const { ask, store } = kit()
    expect(await ask("PATCH /users/usr_admin", { name: "other", body: { role: "viewer" } })).toMatchObject({
      status: 422,
      body: { error: { code: "validation", details: { fields: [{ field: "role" }] } } },
    })
    expect(await store.audit.list({ per_page: 10 }, {})).toMatchObject([{ outcome: "refused" }])
    expect((await ask("PATCH /users/usr_nobody", { body: { role: "viewer" } })).status).toBe(404)
  })
})
