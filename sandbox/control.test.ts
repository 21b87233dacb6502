import { expect, it } from "vitest"
import { ana, testClient } from "../tests/support/sandbox/client.ts"

async function ask(client: ReturnType<typeof testClient>, method: string, path: string, body?: unknown) {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) }
  const response = await client.sandbox.fetch(new Request(`http://sandbox.test/__sandbox${path}`, init))
  const text = await response.text()
  const parsed: unknown = text === "" ? undefined : JSON.parse(text)
  return { status: response.status, body: parsed }
}

it("is not there unless asked for", async () => {
  expect((await ask(testClient(), "GET", "/settings")).status).toBe(404)
})

it("reads and changes settings, and refuses one that does not exist", async () => {
  const client = testClient({ control: true })
  expect((await ask(client, "PUT", "/settings", { cancelRefunds: "full" })).status).toBe(200)
  expect(client.sandbox.settings.cancelRefunds).toBe("full")
  expect((await ask(client, "PUT", "/settings", { cancelRefund: true })).status).toBe(400)
  expect((await ask(client, "PUT", "/settings", { rateLimit: "many" })).status).toBe(400)
  expect((await ask(client, "GET", "/settings")).body).toMatchObject({
    data: { cancelRefunds: "full", reasonMax: 500 },
  })
})

it("adds, lists and takes out faults", async () => {
  const client = testClient({ control: true })
  expect((await ask(client, "POST", "/faults", { id: "f", kind: "429" })).status).toBe(201)
  expect((await client.program("GET", "/members")).status).toBe(429)
  expect((await ask(client, "GET", "/faults")).body).toMatchObject({ data: [{ id: "f", fired: 1 }] })
  expect((await ask(client, "DELETE", "/faults/f")).status).toBe(204)
  expect((await ask(client, "DELETE", "/faults/f")).status).toBe(404)
  expect((await ask(client, "POST", "/faults", { kind: "meteor" })).status).toBe(400)
  await ask(client, "POST", "/faults", { kind: "429" })
  expect((await ask(client, "DELETE", "/faults")).status).toBe(204)
  expect(client.sandbox.faults.list()).toEqual([])
})

it("shows what was done, and undoes it all", async () => {
  const client = testClient({ control: true, settings: { awardsPendingFrom: 5 } })
  const { record } = await client.program("POST", "/points/award", {
    member_id: ana,
    points: 5,
    reason: "Waits",
  })
  const id = String(record["transaction_id"])
  expect((await ask(client, "GET", "/ledger")).body).toMatchObject({
    data: [{ kind: "award", id, waiting: true }],
  })
  expect((await ask(client, "GET", "/requests")).body).toMatchObject({ data: { count: 1 } })
  expect((await ask(client, "GET", "/waiting")).body).toMatchObject({ data: [{ id }] })
  expect((await ask(client, "POST", `/waiting/${id}/approve`)).status).toBe(200)
  expect((await ask(client, "POST", `/waiting/${id}/approve`)).status).toBe(404)
  expect((await ask(client, "PUT", "/fund", { cents: 5 })).body).toEqual({ data: { cents: 5 } })
  expect((await ask(client, "GET", "/outbox")).body).toEqual({ data: [] })
  expect((await ask(client, "POST", "/settle")).status).toBe(204)
  expect((await ask(client, "POST", "/reset")).status).toBe(204)
  expect((await ask(client, "GET", "/ledger")).body).toEqual({ data: [] })
  expect(client.sandbox.store.fundCents).toBe(2_500_000)
})
