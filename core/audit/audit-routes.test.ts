import { describe, expect, it } from "vitest"
import type { AuditEntry } from "../../contract/audit.ts"
import { quietLog } from "../../tests/support/quiet-log.ts"
import { appUser } from "../../tests/support/people.ts"
import { createFakeAccounts, createTestKit, type TestKit } from "../../tests/support/test-kit.ts"
import { createAuditLog } from "./audit-log.ts"
import { createEventBus } from "../runtime.ts"

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
    const { store, ask, events } = createTestKit({
      accounts: createFakeAccounts([
        appUser({ id: "usr_admin", name: "usr_admin", role: "admin" }),
        appUser({ id: "usr_bo", name: "usr_bo", role: "viewer" }),
      ]),
    })
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
