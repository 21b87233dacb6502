import { expect, it } from "vitest"
import * as z from "zod/mini"
import { notices } from "../../contract/notices.ts"
import { page } from "../../tests/support/made-up-members.ts"
import { madeUpJob, madeUpRow, makerOf } from "../../tests/support/made-up-jobs.ts"
import { createTestKit, type TestKit } from "../../tests/support/test-kit.ts"
import type { NewJob } from "../jobs/job-store.ts"

const answer = z.object({ data: notices })

async function noticesOf(ask: TestKit["ask"], options?: Parameters<TestKit["ask"]>[1]) {
  return answer.parse((await ask("GET /notices", options)).body).data
}

const shown = async (...of: Parameters<typeof noticesOf>) =>
  (await noticesOf(...of)).map((each) => `${each.kind}${"job" in each ? ` ${each.job.id}` : ""}`)

/** A job of two rows that is done, one of them in `state`. */
async function ended({ store, clock }: TestKit, state: "failed" | "confirmed", fields: Partial<NewJob> = {}) {
  const saved = await store.jobs.create(madeUpJob(fields), [madeUpRow(), madeUpRow({ label: "Cy Dale" })])
  if (typeof saved === "string") throw new Error(saved)
  const { id } = saved.job
  await store.jobs.changeRows(id, [
    { row: 1, from: ["planned"], set: { state: "sent" } },
    { row: 2, from: ["planned"], set: { state: "sent" } },
    { row: 1, from: ["sent"], set: { state: "confirmed", confirmedAt: clock.now() } },
    { row: 2, from: ["sent"], set: { state } },
  ])
  await store.jobs.change(id, ["running"], { state: "done", finishedAt: clock.now() })
  return id
}

it("lists one's own finished jobs, and failed rows for everyone who may see the job", async () => {
  const kit = createTestKit()
  const done = await ended(kit, "confirmed", { createdBy: makerOf("pip") })
  const failed = await ended(kit, "failed", { createdBy: makerOf("ana") })
  expect(await shown(kit.ask, { role: "manager", name: "pip" })).toEqual(
    expect.arrayContaining([`finished ${done}`, `failed ${failed}`]),
  )
  expect(await shown(kit.ask, { role: "viewer", name: "vi" })).toEqual([`failed ${failed}`])
  // A packer sees no award of others.
  expect(await shown(kit.ask, { role: "fulfilment", name: "tom" })).toEqual([])
})

it("drops failed rows after 30 days or when dismissed, and refuses a dismissal without permission", async () => {
  const kit = createTestKit()
  const { ask, clock, events } = kit
  const failed = await ended(kit, "failed", { createdBy: makerOf("ana") })
  expect((await ask(`POST /jobs/${failed}/dismiss`, { role: "viewer" })).status).toBe(403)
  expect(await shown(ask, { name: "pip" })).toEqual([`failed ${failed}`])
  await ask(`POST /jobs/${failed}/dismiss`, { name: "ana" })
  expect(await shown(ask, { name: "pip" })).toEqual([])
  // For who made it the job is still one that is finished.
  expect(await shown(ask, { name: "ana" })).toEqual([`finished ${failed}`])
  expect(events).toContainEqual({ topic: "notices", id: "all" })
  expect((await ask("GET /audit?action=job.dismiss")).body).toMatchObject({
    data: [{ on: { id: failed }, note: "1 not done" }],
  })
  await ended(kit, "failed")
  await clock.advance(31 * 86_400_000)
  expect(await shown(ask, { name: "pip" })).toEqual([])
})

it("keeps parallel dismissals and reads", async () => {
  const kit = createTestKit()
  const failed = [await ended(kit, "failed"), await ended(kit, "failed"), await ended(kit, "failed")]
  const shownFirst = await noticesOf(kit.ask)
  await Promise.all(shownFirst.map(({ key }) => kit.ask("PUT /notices/read", { body: { keys: [key] } })))
  expect((await noticesOf(kit.ask)).map(({ read }) => read)).toEqual(failed.map(() => true))
  await Promise.all(failed.map((id) => kit.ask(`POST /jobs/${id}/dismiss`)))
  expect(await shown(kit.ask, { name: "pip" })).toEqual([])
})

it("remembers for each person what was read", async () => {
  const kit = createTestKit()
  const { ask } = kit
  await ended(kit, "failed", { createdBy: makerOf("ana") })
  const [first] = await noticesOf(ask, { name: "pip" })
  expect(first?.read).toBe(false)
  await ask("PUT /notices/read", { name: "pip", body: { keys: [first?.key] } })
  expect((await noticesOf(ask, { name: "pip" }))[0]?.read).toBe(true)
  expect((await noticesOf(ask, { name: "ana" }))[0]?.read).toBe(false)
  expect((await ask("GET /notices/unread", { name: "pip" })).body).toMatchObject({ data: { unread: 0 } })
  expect((await ask("GET /notices/unread", { name: "ana" })).body).toMatchObject({ data: { unread: 1 } })
  // It cannot be read or written as a setting.
  expect((await ask("GET /settings/notices:usr_pip")).status).toBe(404)
})

it("says that the fund, a stock or a key is in trouble, without asking a service", async () => {
  const { ask, upstream, clock } = createTestKit()
  const costs = { fee_cents: 0, gst_percent: 10, fund_cents: 49_999 }
  const body = { ...costs, fund_at: new Date(clock.now()).toISOString() }
  await ask("PUT /settings/cardCosts", { body })
  expect(await noticesOf(ask)).toMatchObject([{ kind: "fund", left_cents: 49_999 }])
  await ask("PUT /settings/cardCosts", { body: { ...body, low_cents: 20_000 } })
  expect(await shown(ask)).toEqual([])

  const reward = { points_cost: 1, type: "physical", status: "active" }
  upstream.serve(() =>
    page([
      { ...reward, id: "a", name: "Esky", stock: 8 },
      { ...reward, id: "b", name: "Hat", stock: 40 },
    ]),
  )
  await ask("GET /program/rewards?page=1&per_page=100")
  expect(await noticesOf(ask, { role: "viewer" })).toMatchObject([
    { kind: "stock", count: 1, about: ["Esky"] },
  ])
  await ask("PUT /settings/stock", { body: { low: 5 } })
  expect(await shown(ask)).toEqual([])

  upstream.serve(() => ({ status: 401, body: {} }))
  await ask("GET /program/orders")
  const before = upstream.calls.length
  expect(await shown(ask)).toEqual(["key"])
  expect(await shown(ask, { role: "fulfilment" })).toEqual([])
  expect(upstream.calls).toHaveLength(before)
})

it("counts the differences from the documents that have a warning", async () => {
  const { ask, upstream } = createTestKit()
  upstream.serve(() =>
    page([{ id: "a", name: "Esky", points_cost: "many", type: "physical", status: "new" }]),
  )
  await ask("GET /program/rewards")
  await ask("GET /status")
  expect(await noticesOf(ask)).toMatchObject([{ kind: "drift", about: ["GET /rewards"] }])
  expect(await shown(ask, { role: "viewer" })).toEqual([])
})

it("has no notice that a job of the ship desk is finished, and one for its failed rows", async () => {
  const kit = createTestKit()
  const { ask, store, clock } = kit
  const ship = async (state: "confirmed" | "failed" | "absent") => {
    const closesAt = (await store.jobs.now()) + 60_000
    const job = madeUpJob({ kind: "order-update", createdBy: makerOf("tom", "fulfilment"), closesAt })
    const made = await store.jobs.create(job, [madeUpRow({ points: null, label: "ord_1" })])
    if (typeof made === "string") throw new Error(made)
    const { row = 0 } = made
    const confirmed = state === "confirmed" && { confirmedAt: clock.now() }
    await store.jobs.changeRows(made.job.id, [
      { row, from: ["planned"], set: { state: "sent" } },
      { row, from: ["sent"], set: { state, ...confirmed } },
    ])
    return made.job.id
  }
  const end = async () => {
    const id = (await store.jobs.closeOpen(makerOf("tom").id)) ?? ""
    await store.jobs.change(id, ["running"], { state: "done", finishedAt: clock.now() })
  }
  const tom = { role: "fulfilment", name: "tom" } as const
  await ship("confirmed")
  await ship("confirmed")
  await end()
  expect(await shown(ask, tom)).toEqual([])
  const id = await ship("failed")
  await ship("failed")
  await end()
  expect(await shown(ask, tom)).toEqual([`failed ${id}`])
  await ask(`POST /jobs/${id}/dismiss`, tom)
  expect(await shown(ask, tom)).toEqual([])
  expect((await ask("GET /audit?action=job.dismiss")).body).toMatchObject({ data: [{ note: "2 not done" }] })
  const asks = await ship("absent")
  await ship("absent")
  expect(await shown(ask, tom)).toEqual([`decision ${asks}`])
  expect((await ask("GET /notices/unread", tom)).body).toMatchObject({ data: { unread: 1 } })
  expect((await ask("GET /jobs/summary", tom)).body).toMatchObject({ data: { attention: 1 } })
})
