import { describe, expect, it } from "vitest"
import { resolveRequests, sendRequests } from "../../contract/estimates.ts"
import { secondsFor } from "../../contract/limits.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { madeUpJob, madeUpRow, makerOf } from "../../tests/support/made-up-jobs.ts"
import type { NewJob } from "./job-store.ts"

async function kit(...made: Partial<NewJob>[]) {
  const app = createTestKit()
  const ids: string[] = []
  for (const fields of made) {
    const saved = await app.store.jobs.create(madeUpJob(fields), [
      madeUpRow(),
      madeUpRow({ label: "Cy Dale" }),
    ])
    if (typeof saved === "string") throw new Error(saved)
    ids.push(saved.job.id)
  }
  return { ...app, ids }
}

const names = (body: unknown) =>
  (body as { data: { created_by: { name: string } }[] }).data.map(({ created_by }) => created_by.name)

describe("the list of jobs", () => {
  it("is newest first, and paged by the last job seen", async () => {
    const { ask, ids } = await kit({}, {}, {})
    const first = await ask("GET /jobs?per_page=2")
    expect(first.body).toMatchObject({ data: [{ id: ids[2] }, { id: ids[1] }], meta: { next: ids[1] } })
    const rest = await ask(`GET /jobs?per_page=2&before=${ids[1]}`)
    expect(rest.body).toMatchObject({ data: [{ id: ids[0] }], meta: { next: null } })
  })

  it("holds for fulfilment what they made themselves", async () => {
    const { ask } = await kit({ createdBy: makerOf("ana") }, { createdBy: makerOf("pip") })
    expect(names((await ask("GET /jobs", { role: "fulfilment", name: "pip" })).body)).toEqual(["pip"])
    expect(names((await ask("GET /jobs", { role: "viewer", name: "pip" })).body)).toEqual(["pip", "ana"])
    const counted = await ask("GET /jobs/summary", { role: "fulfilment", name: "pip" })
    expect(counted.body).toMatchObject({ data: { active: 1, attention: 0 } })
  })

  it("is filtered, and refuses what it does not know by name", async () => {
    const { ask } = await kit({ createdBy: makerOf("ana") }, { createdBy: makerOf("pip"), state: "draft" })
    expect(names((await ask("GET /jobs?created_by=usr_ana&state=active&kind=award")).body)).toEqual(["ana"])
    expect((await ask("GET /jobs?to=2020-01-01T00:00:00Z")).body).toMatchObject({ data: [] })
    for (const [query, field] of [
      ["state=busy", "state"],
      ["kind=gift", "kind"],
      ["from=yesterday", "from"],
      ["page=2", "page"],
    ])
      expect(await ask(`GET /jobs?${query}`)).toMatchObject({
        status: 400,
        body: { error: { details: { fields: [{ field }] } } },
      })
  })
})

describe("one job", () => {
  it("shows how many members it looks up before sending, and the estimate of its file", async () => {
    const app = createTestKit({ rateLimit: 60 })
    const rows = Array.from({ length: 384 }, (_, at) =>
      madeUpRow({ memberId: null, email: `m${at}@dealer.test` }),
    )
    const saved = await app.store.jobs.create(madeUpJob({ kind: "award", mode: "bulk" }), rows)
    if (typeof saved === "string") throw new Error(saved)
    const requests =
      resolveRequests(384, undefined) + sendRequests({ kind: "award", mode: "bulk", rows: 384 })
    const ms_left = secondsFor(requests, 60, "jobs") * 1000
    expect((await app.ask(`GET /jobs/${saved.job.id}`)).body).toMatchObject({
      data: { phase: "preparing", finding: 384, pace: { per_minute: null, ms_left } },
    })
  })

  it("of awards sent together is estimated with the most rows that one member has, as its file was", async () => {
    const app = createTestKit({ rateLimit: 60 })
    const rows = Array.from({ length: 30 }, (_, at) => madeUpRow({ memberId: `mem_${at % 3}` }))
    const job = madeUpJob({ kind: "award", mode: "bulk" })
    const saved = await app.store.jobs.create(job, rows)
    if (typeof saved === "string") throw new Error(saved)
    const requests = sendRequests({ kind: "award", mode: "bulk", rows: 30, mostRows: 10 })
    expect(requests).toBe(10)
    expect((await app.ask(`GET /jobs/${saved.job.id}`)).body).toMatchObject({
      data: { pace: { ms_left: secondsFor(requests, 60, "jobs") * 1000 } },
    })
  })

  it("is a 404 for those who cannot see it", async () => {
    const { ask, ids } = await kit({ createdBy: makerOf("ana") })
    const asFulfilment = { role: "fulfilment", name: "pip" } as const
    const hidden = await ask(`GET /jobs/${ids[0]}`, asFulfilment)
    const missing = await ask("GET /jobs/J-99", asFulfilment)
    const sentence = { status: 404, body: { error: { message: "Job not found." } } }
    expect([hidden, missing]).toMatchObject([sentence, sentence])
    for (const line of ["/rows", "/rows/1", "/rows/1/candidates"])
      expect((await ask(`GET /jobs/${ids[0]}${line}`, asFulfilment)).status).toBe(404)
    for (const act of ["pause", "resume", "cancel", "retry", "start"])
      expect((await ask(`POST /jobs/${ids[0]}/${act}`, asFulfilment)).status).toBe(404)
  })

  it("spends requests on what a decision needs only for those who may decide", async () => {
    const { ask, ids } = await kit({})
    const line = `GET /jobs/${ids[0]}/rows/1/candidates`
    expect(await ask(line, { role: "viewer" })).toMatchObject({
      status: 403,
      body: { error: { code: "forbidden" } },
    })
  })

  it("is seen with its pace while it runs", async () => {
    const { ask, ids, store, clock } = await kit({})
    await store.jobs.change(ids[0] ?? "", ["running"], { prepared: true, startedAt: clock.now() })
    await clock.advance(6000)
    await store.jobs.changeRows(ids[0] ?? "", [
      { row: 1, from: ["planned"], set: { state: "sent" } },
      { row: 1, from: ["sent"], set: { state: "confirmed", confirmedAt: clock.now() } },
    ])
    expect((await ask(`GET /jobs/${ids[0]}`)).body).toMatchObject({
      data: { state: "running", phase: "sending", pace: { per_minute: 10, ms_left: 2000 } },
    })
  })
})

describe("rows", () => {
  it("are paged by number, filtered by state and searched", async () => {
    const { ask, ids } = await kit({})
    expect((await ask(`GET /jobs/${ids[0]}/rows?per_page=1&page=2&state=planned`)).body).toMatchObject({
      data: [{ row: 2, member: { label: "Cy Dale" } }],
      meta: { page: 2, per_page: 1, total: 2 },
    })
    expect((await ask(`GET /jobs/${ids[0]}/rows?search=DEALER`)).body).toMatchObject({ meta: { total: 2 } })
    expect((await ask(`GET /jobs/${ids[0]}/rows?search=cy`)).body).toMatchObject({ data: [{ row: 2 }] })
    expect((await ask(`GET /jobs/${ids[0]}/rows?per_page=101`)).status).toBe(400)
  })

  it("have no names for a viewer, who cannot search them either", async () => {
    const { ask, ids } = await kit({})
    const seen = await ask(`GET /jobs/${ids[0]}/rows`, { role: "viewer" })
    expect(seen.body).toMatchObject({
      data: [{ input: { points: 250 }, member: { id: "mem_1", label: null } }, {}],
    })
    expect(JSON.stringify(seen.body)).not.toMatch(/Bo|bo@|Cy/)
    expect((await ask(`GET /jobs/${ids[0]}/rows?search=bo`, { role: "viewer" })).status).toBe(403)
  })

  it.each(["0", "-1", "1.5", "x", "3", "1e3"])("have no number %s here", async (row) => {
    const { ask, ids } = await kit({})
    expect((await ask(`GET /jobs/${ids[0]}/rows/${row}`)).status).toBe(404)
  })

  it("are read one by one", async () => {
    const { ask, ids } = await kit({})
    expect((await ask(`GET /jobs/${ids[0]}/rows/2`)).body).toMatchObject({
      data: { row: 2, state: "planned" },
    })
  })
})
