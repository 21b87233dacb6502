import { describe, expect, it } from "vitest"
import type { AuditEntry } from "../../contract/audit.ts"
import type { AppUser } from "../../contract/users.ts"
import { quietLog } from "../../tests/support/quiet-log.ts"
import { createTestKit, createFakeAccounts, type TestKit } from "../../tests/support/test-kit.ts"
import { createAuditLog } from "../audit-log.ts"
import { createEventBus } from "../runtime.ts"

const user = (id: string, role: AppUser["role"]): AppUser => ({
  id,
  name: id,
  email: `${id}@laurel.test`,
  role,
  disabled: false,
  has_password: true,
  created_at: "2026-01-01T00:00:00.000Z",
  last_seen_at: null,
})

const entry = (actor: string, area: AuditEntry["area"]): Omit<AuditEntry, "id" | "at"> => ({
  actor: { id: `usr_${actor}`, name: actor, role: "manager" },
  action: "session.sign_in",
  area,
  on: { kind: "user", id: actor, label: null },
  outcome: "done",
  note: null,
  changes: [],
  request_id: "r",
  source: null,
})

function auditLog({ clock, store }: TestKit) {
  return createAuditLog(
    store.audit,
    createEventBus(() => undefined),
    clock,
    quietLog,
  )
}

async function filled() {
  const kit = createTestKit()
  const audit = auditLog(kit)
  await audit.record(entry("manager", "app"))
  await audit.record(entry("fulfilment", "program"))
  await audit.record(entry("admin", "app"))
  return kit
}

describe("the audit log", () => {
  it.each([
    ["admin", ["admin", "fulfilment", "manager"]],
    ["manager", ["fulfilment", "manager"]],
    ["fulfilment", ["fulfilment"]],
  ] as const)("shows %s as far as the role reaches, newest first", async (role, actors) => {
    const { ask } = await filled()
    const { body } = await ask("GET /audit", { role })
    expect(body).toMatchObject({ data: actors.map((name) => ({ actor: { name } })) })
  })

  it("adds the known member name to an entry that has only an id, without a request", async () => {
    const kit = createTestKit()
    const audit = auditLog(kit)
    const { ask, upstream } = kit
    await audit.record({ ...entry("ana", "program"), on: { kind: "member", id: "mem_1", label: null } })
    expect((await ask("GET /audit")).body).toMatchObject({ data: [{ on: { id: "mem_1", label: null } }] })
    const ana = { id: "mem_1", first_name: "Ana", last_name: "Silva" }
    upstream.serve(() => ({ status: 200, body: { success: true, data: ana } }))
    await ask("GET /program/members/mem_1")
    expect((await ask("GET /audit")).body).toMatchObject({ data: [{ on: { label: "Ana Silva" } }] })
    await audit.record({
      ...entry("fulfilment", "program"),
      on: { kind: "job", id: "J-1", label: "Row 1, mem_1" },
      changes: ["mem_1", "250"].map((to, at) => ({
        field: ["member_id", "points"][at] ?? "",
        from: null,
        to,
      })),
    })
    const row = { on: { label: "Row 1, Ana Silva" }, changes: [{ field: "member_id" }, { field: "points" }] }
    expect((await ask("GET /audit")).body).toMatchObject({ data: [row, {}] })
    const [first] = row.changes
    expect((await ask("GET /audit", { role: "fulfilment" })).body).toMatchObject({
      data: [{ ...row, changes: [first] }],
    })
    expect(upstream.calls).toHaveLength(1)
  })

  it("shows a former editor of members only the fields they may see now", async () => {
    const kit = createTestKit()
    const audit = auditLog(kit)
    const { ask } = kit
    await audit.record({
      ...entry("fulfilment", "program"),
      action: "member.update",
      on: { kind: "member", id: "mem_1", label: "ana@silva.example" },
      note: "ana@silva.example was refused",
      changes: [
        { field: "first_name", from: "Ana", to: "Anna" },
        { field: "email", from: null, to: "ana@silva.example" },
        { field: "phone", from: "+61 1", to: "+61 2" },
        { field: "metadata.licence", from: null, to: "AU1" },
        { field: "note", from: null, to: "Call first." },
      ],
    })
    expect((await ask("GET /audit", { role: "fulfilment" })).body).toMatchObject({
      data: [
        {
          on: { id: "mem_1", label: null },
          note: null,
          changes: [{ field: "first_name", from: "Ana", to: "Anna" }],
        },
      ],
    })
    const full = await ask("GET /audit", { role: "manager" })
    expect(JSON.stringify(full.body)).toMatch(/AU1.*Call first/)
  })

  it("shows the member's name of a job's row instead of the e-mail to roles without access to it", async () => {
    const kit = createTestKit()
    const audit = auditLog(kit)
    const { ask } = kit
    const decided = { ...entry("fulfilment", "program"), action: "job.decide" }
    await audit.record({ ...decided, on: { kind: "job", id: "J-1", label: "Row 1, ana@silva.example" } })
    await audit.record({ ...decided, on: { kind: "job", id: "J-1", label: "Row 2, Ana Silva" } })
    expect((await ask("GET /audit", { role: "fulfilment" })).body).toMatchObject({
      data: [{ on: { label: "Row 2, Ana Silva" } }, { on: { id: "J-1", label: null } }],
    })
  })

  it("that cannot be written does not make what was done look undone", async () => {
    const { store, ask, events } = kit()
    store.audit.append = () => Promise.reject(new Error("database or disk is full"))
    const disabled = await ask("PATCH /users/usr_bo", { body: { disabled: true } })
    expect(disabled).toMatchObject({ status: 503, body: { error: { code: "store_unavailable" } } })
    const message = JSON.stringify(disabled.body)
    expect(message).toContain("The change was made")
    expect(message).not.toContain("Nothing was saved")
    expect(events).toContainEqual({ topic: "session", id: "usr_bo" })
    const program = { name: "Sunrise", time_zone: "Australia/Perth", currency: "AUD" }
    for (const [line, body] of [
      ["PUT /notes/member/mem_1", { text: "x", version: 0 }],
      ["PUT /settings/program", program],
    ] as const)
      expect(JSON.stringify((await ask(line, { body })).body)).toContain("The change was made")
  })

  it("is closed to viewers", async () => {
    const { ask } = await filled()
    expect((await ask("GET /audit", { role: "viewer" })).status).toBe(403)
  })

  it("is paged by the last entry seen", async () => {
    const { ask } = await filled()
    const first = await ask("GET /audit?per_page=2")
    const { data, meta } = first.body as { data: AuditEntry[]; meta: { next: string | null } }
    expect(meta.next).toBe(data[1]?.id)
    const last = await ask(`GET /audit?per_page=2&before=${meta.next}`)
    expect(last.body).toMatchObject({ data: [{ actor: { name: "manager" } }], meta: { next: null } })
  })

  it("is filtered, and refuses what it does not know", async () => {
    const { ask } = await filled()
    expect((await ask("GET /audit?actor=usr_admin")).body).toMatchObject({ data: [{}], meta: { next: null } })
    expect((await ask("GET /audit?outcome=maybe")).status).toBe(400)
  })
})

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

describe("settings", () => {
  it("have initial values until others are saved, readable by everyone", async () => {
    const { ask } = createTestKit()
    expect((await ask("GET /settings/program", { role: "viewer" })).body).toMatchObject({
      data: { currency: "AUD" },
    })
    const body = { name: "Sunrise Rewards", time_zone: "Australia/Perth", currency: "AUD" }
    expect(await ask("PUT /settings/program", { role: "fulfilment", body })).toMatchObject({
      status: 403,
      body: { error: { message: "This requires the Manager role. Nothing was saved." } },
    })
    expect((await ask("PUT /settings/program", { role: "manager", body })).body).toMatchObject({ data: body })
    expect((await ask("GET /settings/program", { role: "viewer" })).body).toMatchObject({ data: body })
    expect((await ask("GET /audit")).body).toMatchObject({
      data: [
        {
          action: "settings.save",
          on: { id: "program", label: "Program" },
          changes: [
            { field: "name", from: "Incentive program", to: "Sunrise Rewards" },
            { field: "time_zone", from: "Australia/Brisbane", to: "Australia/Perth" },
          ],
        },
      ],
    })
  })

  it("that decide how awards are matched are saved by administrators only", async () => {
    const { ask } = createTestKit()
    const body = { batch_code: false }
    expect((await ask("PUT /settings/points", { role: "manager", body })).status).toBe(403)
    expect((await ask("PUT /settings/points", { body })).body).toMatchObject({ data: body })
    expect((await ask("GET /settings/points", { role: "manager" })).body).toMatchObject({ data: body })
  })

  it("refuse what is not acceptable, by field", async () => {
    const { ask } = createTestKit()
    const body = { name: "x", time_zone: "Mars/Base", currency: "AUD" }
    expect(await ask("PUT /settings/program", { body })).toMatchObject({
      status: 422,
      body: { error: { details: { fields: [{ field: "time_zone" }] } } },
    })
    expect((await ask("GET /settings/secrets")).status).toBe(404)
  })
})

const kit = () =>
  createTestKit({ accounts: createFakeAccounts([user("usr_admin", "admin"), user("usr_bo", "viewer")]) })

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
