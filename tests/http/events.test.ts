import { afterAll, beforeAll, expect, test } from "vitest"
import * as z from "zod/mini"
import type { Role } from "../../contract/roles.ts"
import { orderClaim } from "../../contract/events.ts"
import { type EventReader, readEvents } from "../support/event-reader.ts"
import { newUser } from "../support/new-user.ts"
import { dataOf, type Person } from "../support/person.ts"
import { startApp, type TestApp } from "../support/server.ts"

let app: TestApp
let admin: Person
let member: string

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn("admin")
  const list = await admin.ask("/program/members?per_page=1")
  member = dataOf(list, z.array(z.looseObject({ id: z.string() })))[0]?.id ?? ""
})
afterAll(() => app.close())

/** Makes an audited change of a user and of a member. */
async function changeThings(): Promise<void> {
  const company = `Company ${crypto.randomUUID()}`
  await admin.ask(`/program/members/${member}`, { method: "PATCH", body: { company } })
  const email = `${crypto.randomUUID()}@laurel.example`
  await admin.ask("/users", { method: "POST", body: { name: "Sam Okafor", email, role: "viewer" } })
}

const topics = {
  admin: ["audit", "members", "users"],
  manager: ["audit", "members"],
  fulfilment: ["audit", "members"],
  viewer: ["members"],
} as const satisfies Record<Role, readonly string[]>

test.each(["admin", "manager", "fulfilment", "viewer"] as const)(
  "%s receives the events of its role, the current budget first",
  async (role) => {
    const stream = await readEvents(app.url, await app.signIn(role))
    await changeThings()
    // Events arrive in order: after the last one, all others have arrived.
    await admin.ask("/settings/cache", { method: "PUT", body: cacheTimes() })
    await expect.poll(() => stream.events.some(({ topic }) => topic === "settings")).toBe(true)
    const received = new Set(stream.events.map(({ topic }) => topic))
    for (const topic of ["audit", "members", "users"] as const) {
      expect([topic, received.has(topic)]).toEqual([topic, topics[role].some((one) => one === topic)])
    }
    expect(stream.events).toContainEqual({ topic: "members", id: member })
    // The budget is the first event for roles that see the status page.
    expect(stream.events[0]?.topic).toBe("budget")
    expect(stream.events.every(({ topic, budget }) => (topic === "budget") === (budget !== undefined))).toBe(
      true,
    )
    stream.stop()
  },
)

test("a stream carries a heartbeat immediately and every 4 s, and no proxy may transform it", async () => {
  const stream = await readEvents(app.url, await app.signIn("viewer"))
  expect(stream.headers.get("Cache-Control")).toBe("no-store, no-transform")
  await expect.poll(() => stream.heartbeats()).toBeGreaterThan(0)
  await expect.poll(() => stream.heartbeats()).toBeGreaterThan(1)
  stream.stop()
})

test("a stream needs a session", async () => {
  const stream = await readEvents(app.url, { cookie: "" })
  expect(stream.status).toBe(401)
})

test("a HEAD request opens no stream", async () => {
  const headers = { Cookie: admin.cookie }
  const answer = await fetch(`${app.url}/api/events`, { method: "HEAD", headers })
  expect([answer.status, await answer.text()]).toEqual([200, ""])
})

test("signing out ends the streams of that session only", async () => {
  const viewer = await app.signIn("viewer")
  const sameAccount = await app.signIn("viewer")
  const [ends, stays] = [await readEvents(app.url, viewer), await readEvents(app.url, sameAccount)]
  await viewer.ask("/session", { method: "DELETE" })
  await expect.poll(() => ends.ended()).toBe(true)
  await expect.poll(() => stays.events.some(({ topic }) => topic === "session")).toBe(true)
  expect(stays.ended()).toBe(false)
  stays.stop()
})

test("disabling a user ends their streams immediately; a lower role reduces their events immediately", async () => {
  const { id, person: kim } = await newUser(app.url, admin, "admin")
  const stream = await readEvents(app.url, kim)
  const change = (changes: object) => admin.ask(`/users/${id}`, { method: "PATCH", body: changes })

  await change({ role: "viewer" })
  await expect.poll(() => stream.events.some(({ topic }) => topic === "session")).toBe(true)
  const before = stream.events.length
  await changeThings()
  await admin.ask("/settings/cache", { method: "PUT", body: cacheTimes() })
  await expect.poll(() => stream.events.slice(before).some(({ topic }) => topic === "settings")).toBe(true)
  expect(stream.events.slice(before).some(({ topic }) => topic === "users")).toBe(false)

  await change({ disabled: true })
  await expect.poll(() => stream.ended()).toBe(true)
})

test("an event names only jobs and audit entries that the role can see", async () => {
  const fulfilment = await app.signIn("fulfilment")
  const [bench, all] = [await readEvents(app.url, fulfilment), await readEvents(app.url, admin)]
  const make = async (body: object) => {
    const headers = { "Idempotency-Key": crypto.randomUUID() }
    const answer = await admin.ask("/jobs", { method: "POST", body, headers })
    return dataOf(answer, z.object({ id: z.string() })).id
  }
  const member = { email: `${crypto.randomUUID()}@laurel.example`, first_name: "Kim", last_name: "Lowe" }
  const hidden = await make({ kind: "member-create", rows: [member] })
  const row = { order_id: "ord_1", tracking_number: "0042" }
  const visible = await make({ kind: "order-update", rows: [row], options: { draft: true } })
  await admin.ask(`/jobs/${visible}/cancel`, { method: "POST", body: {} })
  const jobs = (stream: EventReader) =>
    stream.events.filter(({ topic }) => topic === "job").map(({ id }) => id)
  await expect.poll(() => jobs(all)).toEqual(expect.arrayContaining([hidden, visible]))
  await expect.poll(() => jobs(bench)).toContain(visible)
  expect(jobs(bench)).not.toContain(hidden)
  const entries = (stream: EventReader) => stream.events.filter(({ topic }) => topic === "audit")
  await expect.poll(() => entries(bench).length).toBeGreaterThan(0)
  expect(new Set(entries(bench).map(({ id }) => id))).toEqual(new Set([""]))
  expect(entries(all).every(({ id }) => id !== "")).toBe(true)
  for (const stream of [bench, all]) stream.stop()
})

test("a job event carries the job, its single row only for its creator; an order event carries the order", async () => {
  const manager = await app.signIn("manager")
  const [own, other] = [await readEvents(app.url, manager), await readEvents(app.url, admin)]
  const orders = await manager.ask("/program/orders?status=pending&per_page=1")
  const [order] = dataOf(orders, z.array(z.looseObject({ order_id: z.string() })))
  const row = { order_id: order?.order_id, tracking_number: `00${Date.now()}`, carrier: "DHL" }
  const headers = { "Idempotency-Key": crypto.randomUUID() }
  const made = await manager.ask("/jobs", {
    method: "POST",
    body: { kind: "order-update", rows: [row] },
    headers,
  })
  const { id } = dataOf(made, z.object({ id: z.string() }))
  const last = ({ events }: EventReader) => events.findLast((event) => event.id === id)
  for (const stream of [own, other]) {
    await expect.poll(() => last(stream)?.job).toMatchObject({ id, state: "done", counts: { confirmed: 1 } })
    await expect
      .poll(() => stream.events.find(({ topic }) => topic === "orders"))
      .toEqual({
        topic: "orders",
        id: row.order_id,
        order: { status: "pending", tracking_number: row.tracking_number, carrier: "DHL" },
      })
  }
  expect(last(own)?.rows).toMatchObject([{ state: "confirmed", input: row }])
  expect(other.events.filter((event) => event.id === id && event.rows !== undefined)).toEqual([])
  for (const stream of [own, other]) stream.stop()
})

test("a claim of an order is sent to everyone who sees orders and listed for later readers", async () => {
  const packer = await app.signIn("fulfilment")
  const viewer = await app.signIn("viewer")
  const stream = await readEvents(app.url, viewer)
  const claims = async () =>
    dataOf(await viewer.ask("/orders/claims"), z.array(orderClaim)).map(({ order_id }) => order_id)
  const claimEvents = () =>
    stream.events.filter(({ topic }) => topic === "claims").map(({ claim }) => [claim?.order_id, claim?.open])
  await packer.ask("/orders/ord_7/claim", { method: "PUT" })
  await expect.poll(claimEvents).toEqual([["ord_7", true]])
  expect(await claims()).toEqual(["ord_7"])
  await packer.ask("/orders/ord_7/claim", { method: "DELETE" })
  await expect.poll(claimEvents).toHaveLength(2)
  expect(await claims()).toEqual([])
  stream.stop()
})

test("a user may have 12 streams; one more ends the oldest", async () => {
  const viewer = await app.signIn("viewer")
  const streams: EventReader[] = []
  for (let at = 0; at < 13; at++) streams.push(await readEvents(app.url, viewer))
  await expect.poll(() => streams[0]?.ended()).toBe(true)
  expect(streams.slice(1).some((stream) => stream.ended())).toBe(false)
  for (const stream of streams) stream.stop()
})

let seconds = 0
function cacheTimes() {
  seconds += 1
  return { members: seconds, rewards: 300, leaderboards: 60, orders: 15 }
}
