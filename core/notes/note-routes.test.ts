import { describe, expect, it } from "vitest"
import { createTestKit } from "../../tests/support/test-kit.ts"

describe("notes", () => {
  const path = "/notes/member/mem%2F1"

  it("are empty before the first save, then carry who saved them", async () => {
    const { ask, events } = createTestKit()
    expect((await ask(`GET ${path}`)).body).toMatchObject({ data: { id: "mem/1", text: "", version: 0 } })
    const saved = await ask(`PUT ${path}`, { name: "ana", body: { text: "Call first.", version: 0 } })
    expect(saved.body).toMatchObject({ data: { text: "Call first.", version: 1, saved_by: "ana" } })
    expect(events).toContainEqual({ topic: "note", id: "member/mem/1" })
    expect((await ask("GET /audit")).body).toMatchObject({
      data: [{ action: "note.save", area: "program", on: { kind: "member", id: "mem/1" } }],
    })
  })

  it("are never overwritten unseen", async () => {
    const { ask } = createTestKit()
    await ask(`PUT ${path}`, { name: "ana", body: { text: "Ana's", version: 0 } })
    expect(await ask(`PUT ${path}`, { name: "ben", body: { text: "Ben's", version: 0 } })).toMatchObject({
      status: 409,
      body: { error: { code: "conflict", details: { current: { text: "Ana's", version: 1 } } } },
    })
  })

  it("keep what they were, with who wrote it, for those who may read them", async () => {
    const { ask } = createTestKit()
    await ask(`PUT ${path}`, { name: "ana", body: { text: "Call first.", version: 0 } })
    await ask(`PUT ${path}`, { name: "ben", body: { text: "", version: 1 } })
    expect((await ask(`GET ${path}/versions`, { role: "viewer" })).body).toMatchObject({
      data: [{ text: "Call first.", version: 1, saved_by: "ana", saved_at: expect.any(String) }],
    })
    expect((await ask(`GET ${path}/versions`, { role: "fulfilment" })).status).toBe(403)
  })

  it("follow the roles table and the known kinds", async () => {
    const { ask } = createTestKit()
    const body = { text: "x", version: 0 }
    expect((await ask(`PUT ${path}`, { role: "viewer", body })).status).toBe(403)
    expect((await ask(`GET ${path}`, { role: "fulfilment" })).status).toBe(403)
    expect((await ask("GET /notes/reward/r1")).status).toBe(404)
  })
})
