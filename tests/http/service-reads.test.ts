import { request } from "node:http"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startDesk, type TestDesk } from "../support/server.ts"

let desk: TestDesk
const cookies = new Map<string, string>()

beforeAll(async () => {
  desk = await startDesk({ env: { METRICS_TOKEN: "a-token-for-the-tests" } })
  for (const role of ["manager", "viewer"] as const) cookies.set(role, (await desk.signIn(role)).cookie)
})
afterAll(() => desk.close())

interface Seen {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** The same GET on the short way, or on the way of everything else, which an empty JSON body makes it take. */
function ask(path: string, headers: Record<string, string>, way: "short" | "long"): Promise<Seen> {
  const { port } = new URL(desk.url)
  const body = way === "long" ? { "Content-Type": "application/json", "Content-Length": "2" } : {}
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, headers: { ...headers, ...body } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on("data", (chunk: Buffer) => chunks.push(chunk))
      answer.on("end", () => {
        const bytes = Buffer.concat(chunks)
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: bytes.toString("base64") })
      })
    })
    asked.on("error", reject)
    asked.end(way === "long" ? "{}" : undefined)
  })
}

/** What only pages and frames heed: the short way, which answers nothing but data, leaves it out. */
const aboutPages = [
  "cross-origin-opener-policy",
  "origin-agent-cluster",
  "permissions-policy",
  "referrer-policy",
  "x-dns-prefetch-control",
  "x-download-options",
  "x-frame-options",
  "x-permitted-cross-domain-policies",
  "x-xss-protection",
]

/** What differs from answer to answer by its nature is left out. */
function comparable({ status, headers, body }: Seen, leftOut: readonly string[] = []) {
  const { date: _date, age: _age, "x-request-id": requestId, ...rest } = headers
  const others = Object.fromEntries(Object.entries(rest).filter(([name]) => !leftOut.includes(name)))
  const id = String(requestId)
  const text = Buffer.from(body, "base64").toString().replaceAll(id, "[id]")
  return { status, headers: others, named: id.length, text }
}

describe("the short way of reads answers as the long one", () => {
  test.each([
    ["a list", "manager", "/api/program/members?per_page=2", {}],
    ["a list with fields left out", "viewer", "/api/program/members?per_page=2", {}],
    [
      "a list that is compressed",
      "manager",
      "/api/program/members?per_page=50",
      { "Accept-Encoding": "br, gzip" },
    ],
    [
      "one who takes no compression",
      "manager",
      "/api/program/members?per_page=50",
      { "Accept-Encoding": "gzip;q=0" },
    ],
    ["a wrong parameter", "manager", "/api/program/members?page=x", {}],
    ["an address nobody knows", "manager", "/api/program/nothing", {}],
    ["a step to another path", "manager", "/api/program/members/%2e%2e", {}],
    ["a way out of the program", "manager", "/api/program/../users", {}],
    ["what the role may not see", "viewer", "/api/program/members/x%2Fy/../..", {}],
    ["a card nobody has", "manager", "/api/giftcard/cards/none", {}],
    ["nobody", "nobody", "/api/program/members", {}],
  ])("%s", async (_, who, path, more) => {
    const headers = { Cookie: cookies.get(who) ?? "", ...more }
    // Once before, so that both are answered from the same copy.
    await ask(path, headers, "long")
    const short = comparable(await ask(path, headers, "short"))
    expect(short).toEqual(comparable(await ask(path, headers, "long"), aboutPages))
    expect(short.named).toBe(36)
  })

  test("an answer the browser has already", async () => {
    const headers = { Cookie: cookies.get("manager") ?? "" }
    const first = await ask("/api/program/members?per_page=3", headers, "short")
    const again = { ...headers, "If-None-Match": String(first.headers.etag) }
    const short = await ask("/api/program/members?per_page=3", again, "short")
    expect(short.status).toBe(304)
    expect(comparable(short)).toEqual(
      comparable(await ask("/api/program/members?per_page=3", again, "long"), aboutPages),
    )
  })
})

describe("one record after a list that showed it", () => {
  const read = async (path: string): Promise<unknown> => {
    const headers = { Cookie: cookies.get("manager") ?? "" }
    const { status, body } = await ask(path, headers, "short")
    expect(status).toBe(200)
    return JSON.parse(Buffer.from(body, "base64").toString())
  }
  const requests = () => desk.sandbox.requests.count

  // docs/api/program.md, Order: the list is flat; type, delivered_at and all else of `fulfillment` is on single orders.
  test("is an order with its fulfilment, which list rows lack", async () => {
    const order = desk.sandbox.store.orders.all.find(({ tracking }) => tracking !== null)
    if (order === undefined) throw new Error("The seed has no order with a parcel.")
    const list = await read(`/api/program/orders?member_id=${order.memberId}&per_page=100`)
    const row = { order_id: order.id, tracking_number: order.tracking }
    expect(list).toMatchObject({ data: expect.arrayContaining([expect.objectContaining(row)]) as unknown })
    const before = requests()
    expect(await read(`/api/program/orders/${order.id}`)).toMatchObject({
      data: {
        order_id: order.id,
        fulfillment: { type: order.type, tracking_number: order.tracking, carrier: order.carrier },
      },
    })
    expect(requests() - before).toBe(1)
  })

  test("is a member without another request: list rows are whole members", async () => {
    const list = await read("/api/program/members?per_page=5")
    const [first] = (list as { data: { id: string }[] }).data
    if (first === undefined) throw new Error("The seed has no members.")
    const before = requests()
    expect(await read(`/api/program/members/${first.id}`)).toEqual({ success: true, data: first })
    expect(requests() - before).toBe(0)
  })
})

test("reads on the short way are counted like all others", async () => {
  const counted = async () => {
    const answer = await fetch(`${desk.url}/metrics`, {
      headers: { Authorization: "Bearer a-token-for-the-tests" },
    })
    const found = /laurel_http_request_seconds_count\{[^}]*part="program"[^}]*status="200"[^}]*\} (\d+)/.exec(
      await answer.text(),
    )
    return Number(found?.[1] ?? 0)
  }
  const before = await counted()
  await ask("/api/program/members?per_page=2", { Cookie: cookies.get("manager") ?? "" }, "short")
  await expect.poll(counted).toBe(before + 1)
})
