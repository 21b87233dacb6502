import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import * as z from "zod/mini"
import { hiddenValue } from "../contract/redaction.ts"
import type { Role } from "../contract/roles.ts"
import { appStatus } from "../contract/status.ts"
import { createSandbox, type Sandbox } from "../sandbox/app.ts"
import { demoKey } from "../sandbox/config.ts"
import { type ServedSandbox, serveSandbox } from "../sandbox/serve.ts"
import { createTestKit, type TestKit } from "../tests/support/test-kit.ts"
import { createUpstream, type HttpUpstream } from "../bff/upstream/client.ts"

const listed = z.object({ data: z.array(z.looseObject({})) })
const member = z.object({
  data: z.looseObject({ id: z.string(), email: z.string(), updated_at: z.string() }),
})

let sandbox: Sandbox
let served: ServedSandbox
let upstream: HttpUpstream
let kit: TestKit

beforeAll(async () => {
  sandbox = createSandbox({ members: 50, rateLimit: 0, giftcardRateLimit: 0 })
  served = await serveSandbox(sandbox)
  const address = { apiKey: demoKey }
  upstream = createUpstream({
    program: { ...address, baseUrl: `${served.url}/v1` },
    giftcard: { ...address, baseUrl: `${served.url}/api/v1/external` },
  })
})
afterAll(async () => {
  await upstream.close()
  await served.close()
})
beforeEach(() => {
  sandbox.faults.clear()
  kit = createTestKit({ upstream, rateLimit: 10_000 })
})

/** The first row's field in a list. */
async function first(line: string, field: string): Promise<string> {
  const { data } = listed.parse((await kit.ask(line)).body)
  return String(data[0]?.[field])
}

it("reads everything the program service documents, and nothing differs from the documents", async () => {
  const id = encodeURIComponent(await first("GET /program/members?per_page=5", "id"))
  const reward = encodeURIComponent(await first("GET /program/rewards?min_points=1", "id"))
  const order = encodeURIComponent(await first("GET /program/orders?per_page=5", "order_id"))
  const board = encodeURIComponent(await first("GET /program/leaderboards", "id"))
  const lines = [
    `GET /program/members/${id}`,
    `GET /program/members/${id}/balance`,
    `GET /program/members/${id}/transactions?per_page=100`,
    `GET /program/rewards/${reward}`,
    `GET /program/orders/${order}`,
    `GET /program/leaderboards/${board}/rankings?limit=5`,
  ]
  for (const line of lines) expect([line, (await kit.ask(line)).status]).toEqual([line, 200])
  const status = z.object({ data: appStatus }).parse((await kit.ask("GET /status")).body).data
  expect(status.drift).toEqual([])
  expect(status.connections[0]).toMatchObject({ state: "answering", seen: { read: "working" } })
})

it("edits and deletes a member though every write loses its answer", async () => {
  const path = `/program/members/${encodeURIComponent(await first("GET /program/members", "id"))}`
  const { data } = member.parse((await kit.ask(`GET ${path}`)).body)
  for (const method of ["PATCH", "DELETE"]) {
    sandbox.faults.add({ kind: "drop-after", match: { method, times: 1 } })
  }
  const edited = await kit.ask(`PATCH ${path}`, {
    body: { company: "Ruiz Air", metadata: { depot: "4" } },
    headers: { "if-match": `"${data.updated_at}"` },
  })
  expect(edited).toMatchObject({ status: 200, body: { data: { company: "Ruiz Air" } } })

  expect((await kit.ask(`DELETE ${path}`, { body: { email: data.email } })).status).toBe(204)
  expect((await kit.ask(`GET ${path}`)).status).toBe(404)

  const sent = sandbox.requests.entries.filter(({ method }) => method !== "GET")
  expect(sent.map(({ method }) => method)).toEqual(["PATCH", "DELETE"])
  const log = await kit.store.audit.list({ per_page: 10 }, {})
  expect(log.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    "member.delete done",
    "member.update done",
  ])
})

it("reads a damaged answer as far as it goes, and counts the damage", async () => {
  sandbox.faults.add({ kind: "unknown-enum", match: { path: "/v1/members" } })
  expect((await kit.ask("GET /program/members?per_page=3")).status).toBe(200)
  const status = z.object({ data: appStatus }).parse((await kit.ask("GET /status")).body).data
  expect(status.drift).toMatchObject([{ api: "program", operation: "GET /members" }])
})

it("shows what a service adds inside an order's fulfilment to administrators only", async () => {
  sandbox.faults.add({ kind: "extra-field", field: "fulfillment.pin", value: "9911-secret" })
  const id = sandbox.store.orders.all.find(({ status }) => status === "completed")?.id ?? ""
  const read = (role: Role) => kit.ask(`GET /program/orders/${id}`, { role })
  expect(await read("admin")).toMatchObject({ body: { data: { fulfillment: { pin: "9911-secret" } } } })
  expect(await read("manager")).toMatchObject({ body: { data: { fulfillment: { pin: hiddenValue } } } })
  for (const role of ["fulfilment", "viewer"] as const) {
    const answer = await read(role)
    expect(answer.body).not.toHaveProperty("data.fulfillment.pin")
    expect(answer).toMatchObject({ status: 200, body: { data: { order_id: id } } })
  }
  expect(JSON.stringify((await read("manager")).body)).not.toContain("9911")
})
