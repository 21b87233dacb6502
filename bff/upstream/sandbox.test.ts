import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import type { FaultKind } from "../../sandbox/faults.ts"
import { demoKey } from "../../sandbox/config.ts"
import { type ServedSandbox, serveSandbox } from "../../sandbox/serve.ts"
import type { UpstreamCall, UpstreamResult } from "../../core/ports.ts"
import { createUpstream, type HttpUpstream } from "./client.ts"

let sandbox: Sandbox
let served: ServedSandbox
let upstream: HttpUpstream
/** A client with short deadlines; the other tests allow for a busy machine. */
let impatient: HttpUpstream

beforeAll(async () => {
  sandbox = createSandbox({ members: 20, rateLimit: 0, giftcardRateLimit: 0 })
  served = await serveSandbox(sandbox)
  const services = {
    program: { baseUrl: `${served.url}/v1`, apiKey: demoKey },
    giftcard: { baseUrl: `${served.url}/api/v1/external`, apiKey: "a wrong key" },
  }
  upstream = createUpstream(services, patient)
  // What never answers is given up after the request went out, however long that took.
  impatient = createUpstream(services, { ...patient, headers: 200 })
})
afterAll(async () => {
  await Promise.all([upstream.close(), impatient.close()])
  await served.close()
})
beforeEach(() => sandbox.faults.clear())

/** Longer than a test may last: only what a test shortens can run out, ms. */
const patient = { connect: 600_000, headers: 600_000, body: 600_000, total: 600_000 }

const list: UpstreamCall = {
  api: "program",
  method: "GET",
  path: "/members",
  query: new URLSearchParams({ per_page: "2" }),
}

it("reads a list and the service's clock", async () => {
  const outcome = await upstream.send(list)
  expect(outcome).toMatchObject({
    kind: "answer",
    status: 200,
    body: { success: true, data: [{}, {}], meta: { total: 20 } },
    serviceTime: expect.any(Number),
  })
})

it("reads the refusal of a wrong key", async () => {
  const card: UpstreamCall = { ...list, api: "giftcard", path: "/giftcard/cards/none" }
  expect(await upstream.send(card)).toMatchObject({ kind: "answer", status: 401 })
})

it.each<[FaultKind, Partial<UpstreamResult>]>([
  ["drop-before", { kind: "no_answer" }],
  ["drop-after", { kind: "no_answer" }],
  ["html", { kind: "unreadable" }],
  ["truncated", { kind: "unreadable" }],
  ["empty", { kind: "unreadable" }],
  ["before-commit-500", { kind: "answer", status: 500 }],
  ["429", { kind: "answer", status: 429 }],
])("tells %s apart", async (kind, expected) => {
  sandbox.faults.add({ kind })
  expect(await upstream.send(list)).toMatchObject(expected)
})

it("tells a service that hangs apart", async () => {
  sandbox.faults.add({ kind: "hang" })
  expect(await impatient.send(list)).toMatchObject({ kind: "no_answer", what: "no response in time" })
})
