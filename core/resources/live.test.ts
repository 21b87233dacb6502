import { describe, expect, it, vi } from "vitest"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { madeUpJob, madeUpRow, makerOf } from "../../tests/support/made-up-jobs.ts"
import type { Role } from "../../contract/roles.ts"
import type { EventReader } from "./live.ts"

const gatherMs = 50
const budgetMs = 300
const refillMs = 4000

function kit() {
  const app = createTestKit()
  const told: EventReader[] = []
  const stop = app.app.live.listen((tell) => told.push(tell))
  const hear = async (role: Role, name: string = role) => {
    const heard = []
    for (const tell of told)
      heard.push(...(await tell({ id: `usr_${name}`, name, role, email: `${name}@laurel.test` })))
    return heard
  }
  const makeJob = async (rows: number, by: string) => {
    const kept = await app.store.jobs.create(
      madeUpJob({ createdBy: makerOf(by) }),
      Array.from({ length: rows }, () => madeUpRow()),
    )
    if (typeof kept === "string") throw new Error(kept)
    return kept.job.id
  }
  return { ...app, told, stop, hear, makeJob }
}

describe("what event streams are told", () => {
  it("is gathered, and read once for all who hear it: ten thousand steps of a job are one", async () => {
    const { clock, publish, told, hear, makeJob, store } = kit()
    const id = await makeJob(2, "ana")
    const read = vi.spyOn(store.jobs, "summary")
    for (let step = 0; step < 10_000; step += 1) publish({ topic: "job", id })
    await clock.advance(gatherMs)
    expect(told).toHaveLength(1)
    for (const name of ["ana", "bo", "cy"]) {
      expect(await hear("manager", name)).toMatchObject([
        { topic: "job", id, job: { id, total: 2 }, jobs: { active: 1 } },
      ])
    }
    expect(read).toHaveBeenCalledTimes(1)
  })

  it("leaves out jobs that a person does not see, and a row that is not of their own making", async () => {
    const { clock, publish, hear, makeJob } = kit()
    const id = await makeJob(1, "ana")
    publish({ topic: "job", id })
    await clock.advance(gatherMs)
    expect((await hear("manager", "ana"))[0]?.row).toMatchObject({ row: 1 })
    expect((await hear("manager", "bo"))[0]).not.toHaveProperty("row")
    expect(await hear("fulfilment", "pip")).toEqual([])
  })

  it("names a job that cannot be read to nobody who sees some jobs only: it may be one of the others", async () => {
    const { clock, publish, hear } = kit()
    publish({ topic: "job", id: "J-404" })
    await clock.advance(gatherMs)
    expect(await hear("fulfilment")).toEqual([])
    expect(await hear("manager")).toMatchObject([{ topic: "job", id: "J-404", jobs: { active: 0 } }])
  })

  it("reads no job to say how all of them stand", async () => {
    const { app, makeJob, store } = kit()
    await makeJob(1, "pip")
    const read = vi.spyOn(store.jobs, "get")
    const pip = { id: "usr_pip", name: "pip", role: "fulfilment", email: "pip@laurel.test" } as const
    expect((await app.session(pip)).shell).toMatchObject({ jobs: { active: 1 } })
    expect(await app.live.now()(pip)).toContainEqual(expect.objectContaining({ topic: "job", id: "" }))
    expect(read).not.toHaveBeenCalled()
  })

  it("begins a stream with how long no job has changed", async () => {
    const { app, clock, publish, makeJob } = kit()
    const id = await makeJob(1, "pip")
    const pip = { id: "usr_pip", name: "pip", role: "fulfilment", email: "pip@laurel.test" } as const
    publish({ topic: "job", id })
    await clock.advance(300)
    publish({ topic: "members", id: "mem_1" })
    await clock.advance(1700)
    expect(await app.live.now()(pip)).toContainEqual(expect.objectContaining({ id: "", unchanged_ms: 2000 }))
  })

  it("tells everybody that all jobs changed", async () => {
    const { clock, publish, hear, makeJob } = kit()
    await makeJob(1, "pip")
    publish({ topic: "job", id: "all" })
    await clock.advance(gatherMs)
    expect(await hear("fulfilment", "pip")).toMatchObject([{ topic: "job", id: "all", jobs: { active: 1 } }])
  })

  it("brings a job beside another event of the same id", async () => {
    const { clock, publish, hear, makeJob } = kit()
    const id = await makeJob(2, "ana")
    publish({ topic: "job", id })
    publish({ topic: "note", id })
    await clock.advance(gatherMs)
    expect(await hear("manager")).toMatchObject([{ topic: "job", job: { id } }, { topic: "note" }])
  })

  it("names the tab that made a change, unless another one did, too", async () => {
    const { clock, publish, hear } = kit()
    publish({ topic: "members", id: "mem_1", by: "tab_1" })
    publish({ topic: "members", id: "mem_2", by: "tab_1" })
    publish({ topic: "members", id: "mem_2", by: "tab_2" })
    await clock.advance(gatherMs)
    expect(await hear("viewer")).toEqual([
      { topic: "members", id: "mem_1", by: "tab_1" },
      { topic: "members", id: "mem_2" },
    ])
  })

  it("is the budget again and again while some of it is in use, because it fills up by itself", async () => {
    const { clock, ask, told, hear } = kit()
    await ask("GET /program/members").catch(() => undefined)
    await clock.advance(1000)
    const heard = async () => (await hear("viewer")).filter(({ topic }) => topic === "budget")
    const before = (await heard()).length
    expect((await heard()).at(-1)?.budget?.[0]).toMatchObject({ api: "program", limit: 60, left: 59 })
    await clock.advance(refillMs + budgetMs)
    expect((await heard()).length).toBeGreaterThan(before)
    for (let step = 0; step < 20; step += 1) {
      await clock.advance(refillMs + budgetMs)
      await heard()
    }
    const full = told.length
    await clock.advance(10 * refillMs)
    expect(told).toHaveLength(full)
  })

  it("tells of the budget after the rest: whoever asked has learned of it from the response by then", async () => {
    const { clock, publish, told, hear } = kit()
    publish({ topic: "budget", id: "program" })
    publish({ topic: "members", id: "mem_1" })
    await clock.advance(gatherMs)
    expect(await hear("viewer")).toEqual([{ topic: "members", id: "mem_1" }])
    await clock.advance(budgetMs - gatherMs)
    expect(told).toHaveLength(2)
    expect(await hear("viewer")).toContainEqual(expect.objectContaining({ topic: "budget", id: "program" }))
  })

  it("comes no more to who stopped listening", async () => {
    const { clock, publish, told, stop } = kit()
    stop()
    publish({ topic: "members", id: "mem_1" })
    await clock.advance(gatherMs)
    expect(told).toEqual([])
  })
})
