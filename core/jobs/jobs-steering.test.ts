import { describe, expect, it } from "vitest"
import type { Job } from "../../contract/job.ts"
import type { Role } from "../../contract/roles.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { madeUpJob, madeUpRow, makerOf } from "../../tests/support/made-up-jobs.ts"

const award = { member_id: "mem_1", points: 250, reason: "Q3 bonus" }

function kit() {
  const app = createTestKit()
  const post = (path: string, body: unknown, options: { role?: Role; name?: string; key?: string } = {}) => {
    const { key, ...who } = options
    const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key }
    return app.ask(`POST ${path}`, { role: "manager", name: "ana", ...who, body, headers })
  }
  const make = async (body: object = {}, key = crypto.randomUUID()) => {
    const answer = await post("/jobs", { kind: "award", rows: [award, award], ...body }, { key })
    return (answer.body as { data: Job }).data
  }
  return { ...app, post, make }
}

describe("making a job", () => {
  const body = { kind: "award", rows: [award] }

  it.each([undefined, "", "two words", "x".repeat(256), "naïve"])("needs a key: %s", async (key) => {
    const { post, store } = kit()
    const answer = await post("/jobs", body, key === undefined ? {} : { key })
    expect(answer).toMatchObject({ status: 400, body: { error: { code: "bad_request" } } })
    expect(await store.jobs.list({ perPage: 1 })).toEqual([])
  })

  it("with the same key and body is the same job, for each person their own", async () => {
    const { post, store } = kit()
    const answers = await Promise.all(Array.from({ length: 50 }, () => post("/jobs", body, { key: "k1" })))
    const ids = new Set(answers.map((answer) => (answer.body as { data: Job }).data.id))
    expect([answers.every(({ status }) => status === 201), ids.size]).toEqual([true, 1])
    expect(await post("/jobs", { ...body, options: { mode: "bulk" } }, { key: "k1" })).toMatchObject({
      status: 422,
    })
    expect((await post("/jobs", body, { key: "k1", name: "ben" })).status).toBe(201)
    expect(await store.jobs.list({ perPage: 10 })).toHaveLength(2)
  })

  it("refuses rows by number and field, and an unknown kind or option by name", async () => {
    const { post, store } = kit()
    const wrong: [object, string][] = [
      [{ kind: "award", rows: [award, { ...award, points: 0 }] }, "rows.1.points"],
      [{ kind: "award", rows: [{ ...award, email: "bo@dealer.test" }] }, "rows.0.body"],
      [{ kind: "gift", rows: [] }, "kind"],
      [{ kind: "award", rows: [award], options: { speed: 9 } }, "options.speed"],
      [{ kind: "award", rows: [] }, "rows"],
    ]
    for (const [sent, field] of wrong)
      expect(await post("/jobs", sent, { key: "k" })).toMatchObject({
        status: 422,
        body: { error: { code: "validation", details: { fields: [{ field }] } } },
      })
    expect(await store.jobs.list({ perPage: 1 })).toEqual([])
  })

  it.each(["fulfilment", "viewer"] as const)("is not for %s", async (role) => {
    const { post } = kit()
    for (const kind of ["award", "deduct", "member-create"])
      expect((await post("/jobs", { kind, rows: [] }, { role, key: "k" })).status).toBe(403)
  })
})

describe("a draft", () => {
  it("takes rows and starts only with the number its maker saw", async () => {
    const { post, make } = kit()
    const { id } = await make({ rows: [], options: { draft: true } })
    expect((await post(`/jobs/${id}/rows`, { rows: [award, award], first_row: 1 })).body).toMatchObject({
      data: { state: "draft", total: 2 },
    })
    expect((await post(`/jobs/${id}/start`, { total: 3 })).status).toBe(409)
    expect((await post(`/jobs/${id}/start`, { total: 2 })).body).toMatchObject({ data: { state: "running" } })
    expect((await post(`/jobs/${id}/rows`, { rows: [award] })).status).toBe(409)
  })

  it("is its maker's: another manager neither adds to it nor begins it, an administrator may", async () => {
    const { post, make } = kit()
    const { id } = await make({ options: { draft: true } })
    expect((await post(`/jobs/${id}/rows`, { rows: [award] }, { name: "ben" })).status).toBe(403)
    expect((await post(`/jobs/${id}/start`, undefined, { name: "ben" })).status).toBe(403)
    expect((await post(`/jobs/${id}/start`, undefined, { role: "admin", name: "root" })).status).toBe(200)
  })
})

describe("steering", () => {
  it("another's job takes a reason, which is in the log", async () => {
    const { post, make, ask } = kit()
    const { id } = await make()
    const without = await post(`/jobs/${id}/pause`, {}, { name: "ben" })
    expect(without).toMatchObject({
      status: 422,
      body: { error: { details: { fields: [{ field: "reason" }] } } },
    })
    expect((await ask(`GET /jobs/${id}`)).body).toMatchObject({ data: { state: "running" } })
    expect((await post(`/jobs/${id}/pause`, { reason: "Wrong file" }, { name: "ben" })).body).toMatchObject({
      data: { state: "paused" },
    })
    expect((await ask("GET /audit?action=job.pause")).body).toMatchObject({
      data: [{ note: "Wrong file", actor: { name: "ben" } }],
    })
  })

  it("one's own takes none", async () => {
    const { post, make } = kit()
    const { id } = await make()
    for (const [act, state] of [
      ["pause", "paused"],
      ["resume", "running"],
    ])
      expect((await post(`/jobs/${id}/${act}`, undefined)).body).toMatchObject({ data: { state } })
    expect((await post(`/jobs/${id}/cancel`, undefined)).status).toBe(200)
  })

  it("stays with a maker whose role changed, as far as nothing is sent by it", async () => {
    const { post, ask, store } = kit()
    const made = await store.jobs.create(madeUpJob({ createdBy: makerOf("ana") }), [madeUpRow()])
    const id = typeof made === "string" ? made : made.job.id
    const asPacker = { role: "fulfilment" } as const
    expect((await post(`/jobs/${id}/pause`, undefined, asPacker)).status).toBe(200)
    expect((await post(`/jobs/${id}/resume`, undefined, asPacker)).status).toBe(403)
    expect((await post(`/jobs/${id}/retry`, undefined, asPacker)).status).toBe(403)
    const body = { rows: [{ row: 1, input: {} }] }
    expect((await ask(`PATCH /jobs/${id}/rows`, { body, name: "ana", ...asPacker })).status).toBe(403)
    expect((await post(`/jobs/${id}/reverse`, undefined, asPacker)).status).toBe(403)
    expect((await post(`/jobs/${id}/rows/1/decision`, { decision: "resend" }, asPacker)).status).toBe(403)
    expect((await post(`/jobs/${id}/cancel`, undefined, { role: "viewer" })).status).toBe(403)
  })

  it("refuses what it does not know, and a row that is not there", async () => {
    const { post, make } = kit()
    const { id } = await make()
    expect((await post(`/jobs/${id}/pause`, { why: "x" })).status).toBe(422)
    expect((await post(`/jobs/${id}/rows/1/decision`, { decision: "maybe" })).status).toBe(422)
    expect((await post(`/jobs/${id}/rows/9/decision`, { decision: "leave" })).status).toBe(404)
    expect((await post(`/jobs/${id}/rows/1/decision`, { decision: "leave" })).status).toBe(409)
    expect((await post(`/jobs/${id}/retry`, { rows: [{ row: 0 }] })).status).toBe(422)
    expect((await post("/jobs/J-0/pause", undefined)).status).toBe(404)
  })
})
