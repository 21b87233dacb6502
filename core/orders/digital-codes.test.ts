import { beforeEach, describe, expect, it } from "vitest"
import * as z from "zod/mini"
import { auditEntry } from "../../contract/audit.ts"
import { orderCode } from "../../contract/orders.ts"
import type { SandboxSettings } from "../../sandbox/config.ts"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import { dataOf } from "../../tests/faults/orders/data-of.ts"
import type { Process } from "../../tests/faults/in-process.ts"
import { createSandboxWorld } from "../../tests/faults/orders/sandbox-world.ts"

beforeEach(digestAtOnce)

const reason = "The member cannot find the e-mail"

/** A digital reward, redeemed by Ana. */
async function redeemed(settings: Partial<SandboxSettings> = {}) {
  const world = createSandboxWorld({ settings })
  const { rewards, members } = world.sandbox.store
  const reward = [...rewards.values()].find(({ type, status }) => type === "digital" && status === "active")
  const member = members.get(members.idAt(0))
  if (reward === undefined || member === undefined) throw new Error("The seed has nothing to redeem.")
  members.put({ ...member, status: "active", balance: 1_000_000 })
  const app = world.start()
  const row = { member_id: member.id, reward_id: reward.id }
  const { rows } = await world.carryOut(
    app,
    { kind: "redeem", rows: [row] },
    { role: "manager", name: "ana" },
  )
  const id = rows[0]?.upstream_id ?? ""
  return { world, app, id, code: world.sandbox.store.orders.get(id)?.code ?? "" }
}

const reveal = (app: Process, id: string, name = "ana", body: unknown = { reason }) =>
  app.ask(`POST /orders/${id}/reveal`, { role: "manager", name, body })

async function entries(app: Process) {
  const answer = await app.ask("GET /audit?action=order.reveal")
  return dataOf(answer, 200, z.array(auditEntry))
}

describe("the digital code of an order", () => {
  it("is returned in one uncached response, with an audit entry that has the reason", async () => {
    const { app, id, code } = await redeemed()
    const answer = await reveal(app, id, "bo")
    expect(answer.headers).toMatchObject({ "Cache-Control": "no-store" })
    expect(dataOf(answer, 200, orderCode)).toMatchObject({ code, seen: "order", why_none: null })
    const [entry] = await entries(app)
    expect(entry).toMatchObject({ on: { kind: "order", id }, outcome: "done", note: reason })
  })

  it("is in no stored data and no other response", async () => {
    const { world, app, id, code } = await redeemed()
    await reveal(app, id)
    const saved = await Promise.all([
      world.store.jobs
        .list({ perPage: 10 })
        .then((jobs) => Promise.all(jobs.map((job) => world.rowsOf(job.id)))),
      app.ask("GET /audit"),
      app.ask(`GET /program/orders/${id}`),
      app.ask("GET /program/orders?per_page=5"),
    ])
    expect(code).not.toBe("")
    expect(JSON.stringify(saved)).not.toContain(code)
  })

  it("that the service shows only once is cached for the redeeming person, and returned once", async () => {
    const { app, id, code } = await redeemed({ orderCode: "once" })
    expect(dataOf(await reveal(app, id, "bo"), 200, orderCode)).toMatchObject({
      code: null,
      why_none: "not_carried",
    })
    expect(dataOf(await reveal(app, id), 200, orderCode)).toMatchObject({ code, seen: "redemption" })
    expect(dataOf(await reveal(app, id), 200, orderCode).code).toBeNull()
  })

  it("is not held for longer than ten minutes", async () => {
    const { world, app, id } = await redeemed({ orderCode: "once" })
    await world.clock.advance(600_000)
    expect(dataOf(await reveal(app, id), 200, orderCode).code).toBeNull()
  })

  it("is not read when the log cannot have its entry first", async () => {
    const { world, app, id, code } = await redeemed({ orderCode: "once" })
    const before = world.sandbox.requests.count
    world.store.audit.append = () => Promise.reject(new Error("disk full"))
    const answer = await reveal(app, id)
    expect(answer.status).toBe(503)
    expect(JSON.stringify(answer)).not.toContain(code)
    expect(world.sandbox.requests.count).toBe(before)
  })

  it("that could not be read leaves one failed entry; a reason is required; an unknown order is 404", async () => {
    const { world, app, id } = await redeemed()
    world.sandbox.faults.add({ kind: "html", match: { method: "GET", path: "/v1/orders/*" } })
    expect((await reveal(app, id, "bo")).status).toBe(502)
    expect(await entries(app)).toMatchObject([{ outcome: "failed", note: expect.stringContaining(reason) }])
    world.sandbox.faults.clear()
    expect((await reveal(app, id, "bo", { reason: " " })).status).toBe(422)
    expect((await reveal(app, "ord_none", "bo")).status).toBe(404)
  })

  it.each(["fulfilment", "viewer"] as const)("is not for %s", async (role) => {
    const { app, id } = await redeemed()
    expect((await app.ask(`POST /orders/${id}/reveal`, { role, body: { reason } })).status).toBe(403)
    expect(await entries(app)).toEqual([])
  })
})
