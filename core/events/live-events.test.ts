import { describe, expect, it, vi } from "vitest"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { createMemoryStore } from "../../tests/support/memory-store.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { madeUpJob, madeUpRow, makerOf } from "../../tests/support/made-up-jobs.ts"
import type { Role } from "../../contract/roles.ts"
import type { EventReader } from "./live-events.ts"

const gatherMs = 50
const budgetMs = 300
const refillMs = 4000

function kit() {
  const clock = createFakeClock()
  const store = createMemoryStore(clock)
  // Before the app takes the store's methods.
  const summary = vi.spyOn(store.jobs, "summary")
  const app = createTestKit({ clock, store })
  const readers: EventReader[] = []
  const stop = app.app.live.listen((readEvents) => readers.push(readEvents))
  const receivedBy = async (role: Role, name: string = role) => {
    const received = []
    for (const readEvents of readers)
      received.push(...(await readEvents({ id: `usr_${name}`, name, role, email: `${name}@laurel.test` })))
    return received
  }
  const makeJob = async (rows: number, by: string) => {
    const saved = await app.store.jobs.create(
      madeUpJob({ createdBy: makerOf(by) }),
      Array.from({ length: rows }, () => madeUpRow()),
    )
    if (typeof saved === "string") throw new Error(saved)
    return saved.job.id
  }
  return { ...app, readers, stop, receivedBy, makeJob, summary }
}

describe("live events", () => {
  it("are batched and read once for all listeners: ten thousand steps of a job are one event", async () => {
    const { clock, publish, readers, receivedBy, makeJob, summary } = kit()
    const id = await makeJob(2, "ana")
    for (let step = 0; step < 10_000; step += 1) publish({ topic: "job", id })
    await clock.advance(gatherMs)
    expect(readers).toHaveLength(1)
    for (const name of ["ana", "bo", "cy"]) {
      expect(await receivedBy("manager", name)).toMatchObject([
        { topic: "job", id, job: { id, total: 2 }, jobs: { active: 1 } },
      ])
    }
    expect(summary).toHaveBeenCalledTimes(1)
  })

  it("leave out jobs without access, and rows of other people's jobs", async () => {
    const { clock, publish, receivedBy, makeJob } = kit()
    const id = await makeJob(1, "ana")
    publish({ topic: "job", id })
    await clock.advance(gatherMs)
    expect((await receivedBy("manager", "ana"))[0]?.rows).toMatchObject([{ row: 1 }])
    expect((await receivedBy("manager", "bo"))[0]).not.toHaveProperty("rows")
    expect(await receivedBy("fulfilment", "pip")).toEqual([])
  })

  it("carry the first row of a file with one row to send, however many rows are left out", async () => {
    const { clock, publish, receivedBy, store } = kit()
    const excluded = { code: "by_file", message: "Left out." }
    const leftOut = Array.from({ length: 12 }, () => madeUpRow({ excluded }))
    const saved = await store.jobs.create(madeUpJob(), [madeUpRow(), ...leftOut])
    if (typeof saved === "string") throw new Error(saved)
    const { id } = saved.job
    publish({ topic: "job", id })
    await clock.advance(gatherMs)
    const [event] = await receivedBy("manager", "ana")
    expect(event?.job).toMatchObject({ total: 1, counts: { excluded: 12 } })
    expect(event?.rows).toMatchObject([{ row: 1, state: "planned" }])
    expect(event?.rows).toHaveLength(1)
  })

  it("omit a job that cannot be read for people who see some jobs only: it may be one of the others", async () => {
    const { clock, publish, receivedBy } = kit()
    publish({ topic: "job", id: "J-404" })
    await clock.advance(gatherMs)
    expect(await receivedBy("fulfilment")).toEqual([])
    expect(await receivedBy("manager")).toMatchObject([{ topic: "job", id: "J-404", jobs: { active: 0 } }])
  })

  it("summarize all jobs without reading one", async () => {
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
    const { clock, publish, receivedBy, makeJob } = kit()
    await makeJob(1, "pip")
    publish({ topic: "job", id: "all" })
    await clock.advance(gatherMs)
    expect(await receivedBy("fulfilment", "pip")).toMatchObject([
      { topic: "job", id: "all", jobs: { active: 1 } },
    ])
  })

  it("include a job together with another event of the same id", async () => {
    const { clock, publish, receivedBy, makeJob } = kit()
    const id = await makeJob(2, "ana")
    publish({ topic: "job", id })
    publish({ topic: "note", id })
    await clock.advance(gatherMs)
    expect(await receivedBy("manager")).toMatchObject([{ topic: "job", job: { id } }, { topic: "note" }])
  })

  it("names the tab that made a change, unless another one did, too", async () => {
    const { clock, publish, receivedBy } = kit()
    publish({ topic: "members", id: "mem_1", by: "tab_1" })
    publish({ topic: "members", id: "mem_2", by: "tab_1" })
    publish({ topic: "members", id: "mem_2", by: "tab_2" })
    await clock.advance(gatherMs)
    expect(await receivedBy("viewer")).toEqual([
      { topic: "members", id: "mem_1", by: "tab_1" },
      { topic: "members", id: "mem_2" },
    ])
  })

  it("repeat the budget while requests are in use, because they become free over time", async () => {
    const { clock, ask, readers, receivedBy } = kit()
    await ask("GET /program/members").catch(() => undefined)
    await clock.advance(1000)
    const received = async () => (await receivedBy("viewer")).filter(({ topic }) => topic === "budget")
    const before = (await received()).length
    expect((await received()).at(-1)?.budget?.[0]).toMatchObject({ api: "program", limit: 60, left: 59 })
    await clock.advance(refillMs + budgetMs)
    expect((await received()).length).toBeGreaterThan(before)
    for (let step = 0; step < 20; step += 1) {
      await clock.advance(refillMs + budgetMs)
      await received()
    }
    const full = readers.length
    await clock.advance(10 * refillMs)
    expect(readers).toHaveLength(full)
  })

  it("read the budget once a second at most, however often other instances use it", async () => {
    const { clock, publish, receivedBy, store } = kit()
    const read = vi.spyOn(store.budget, "state")
    for (let step = 0; step < 10; step += 1) {
      publish({ topic: "budget", id: "program" })
      await clock.advance(budgetMs)
      await receivedBy("viewer")
    }
    // Ten batches in 3 s, two services.
    expect(read.mock.calls.length).toBeLessThanOrEqual(2 * 4)
  })

  it("send the budget after the rest: the requesting page has it from the response by then", async () => {
    const { clock, publish, readers, receivedBy } = kit()
    publish({ topic: "budget", id: "program" })
    publish({ topic: "members", id: "mem_1" })
    await clock.advance(gatherMs)
    expect(await receivedBy("viewer")).toEqual([{ topic: "members", id: "mem_1" }])
    await clock.advance(budgetMs - gatherMs)
    expect(readers).toHaveLength(2)
    expect(await receivedBy("viewer")).toContainEqual(
      expect.objectContaining({ topic: "budget", id: "program" }),
    )
  })

  it("comes no more to who stopped listening", async () => {
    const { clock, publish, readers, stop } = kit()
    stop()
    publish({ topic: "members", id: "mem_1" })
    await clock.advance(gatherMs)
    expect(readers).toEqual([])
  })
})
