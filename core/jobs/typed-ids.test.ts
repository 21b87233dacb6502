import { beforeEach, describe, expect, it } from "vitest"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import { createPointsApp } from "../../tests/support/points-app.ts"

beforeEach(digestAtOnce)

const award = { member_id: "mem_1", points: 100, reason: "Bonus" }

describe("ids and references in rows", () => {
  it("lose their format characters before lookups and sending", async () => {
    const app = createPointsApp()
    const typed = { ...award, member_id: "\u200Bmem_1\u200E", reference: "INV\u00AD-1\u202C" }
    const { id } = await app.make({ kind: "award", rows: [typed] })
    await app.until(id, "done")
    expect(await app.rows(id)).toMatchObject([
      { state: "confirmed", input: { member_id: "mem_1", reference: "INV-1" } },
    ])
    expect(app.bodies("/points/award")).toMatchObject([{ member_id: "mem_1", reference: "INV-1" }])
  })

  it("stay unchanged if the service issued the id", async () => {
    const given = "mem_\u200D7"
    const app = createPointsApp()
    const path = `/members/${encodeURIComponent(given)}`
    app.instead((call) =>
      call.path === path
        ? { status: 200, body: { success: true, data: { id: given, email: "a@b.example", first_name: "A" } } }
        : undefined,
    )
    expect((await app.meanwhile(app.ask(`GET /program${path}`))).status).toBe(200)
    const { id } = await app.make({ kind: "award", rows: [{ ...award, member_id: given }] })
    expect((await app.rows(id))[0]).toMatchObject({ input: { member_id: given } })
    const other = await app.make({ kind: "award", rows: [{ ...award, member_id: "mem_\u200D8" }] })
    expect((await app.rows(other.id))[0]).toMatchObject({ input: { member_id: "mem_8" } })
  })

  it("are recognised in a repeated file with other invisible characters", async () => {
    const app = createPointsApp()
    const paid = { ...award, reason: "Jose\u0301’s bonus", reference: "INV-1" }
    const { id } = await app.make({ kind: "award", rows: [paid] })
    await app.until(id, "done")
    const rows = [
      { ...award, reason: "José’s bonus", reference: "\u200BINV\u00AD-1" },
      { ...award, reason: "\u2060José’s  BONUS" },
      { ...award, reason: "Josef’s bonus" },
    ]
    const { body } = await app.post("/jobs/repeats", { kind: "award", rows })
    expect(body).toMatchObject({
      data: [
        { at: 0, job: id },
        { at: 1, job: id },
      ],
    })
    expect((body as { data: unknown[] }).data).toHaveLength(2)
  })

  it("are refused if nothing is left of them", async () => {
    const app = createPointsApp()
    const answer = await app.post("/jobs", { kind: "award", rows: [{ ...award, member_id: "\u200B" }] })
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { details: { fields: [{ field: "rows.0.member_id" }] } } },
    })
  })

  it.each(["#N/A", "#BEZUG!", "#WERT!", "#VALUE!", "#NOM?", "#SPILL!", "Err:502", "#######"])(
    "are refused for a spreadsheet error in any field: %s",
    async (error) => {
      const app = createPointsApp()
      for (const [kind, row, field] of [
        ["award", { ...award, reason: error }, "reason"],
        ["award", { ...award, member_id: error }, "member_id"],
        ["award", { ...award, reference: error }, "reference"],
        ["award", { ...award, metadata: { region: error } }, "metadata.region"],
        ["order-update", { order_id: "ord_1", tracking_number: error }, "tracking_number"],
        ["order-update", { order_id: "ord_1", carrier: ` ${error} ` }, "carrier"],
        ["member-create", { email: "a@b.example", first_name: error, last_name: "B" }, "first_name"],
        ["member-update", { member_id: "mem_1", company: error }, "company"],
      ] as const) {
        const answer = await app.post("/jobs", { kind, rows: [row] })
        expect(answer).toMatchObject({
          status: 422,
          body: { error: { details: { fields: [{ field: `rows.0.${field}` }] } } },
        })
      }
    },
  )
})
