import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { budgetHeader, readBudget } from "../../contract/response.ts"
import { startApp, type TestApp } from "../support/server.ts"

let app: TestApp
const cookies = new Map<string, string>()

beforeAll(async () => {
  app = await startApp({ env: { METRICS_TOKEN: "a-token-for-the-tests" } })
  for (const role of ["manager", "viewer"] as const) cookies.set(role, (await app.signIn(role)).cookie)
})
afterAll(() => app.close())

function get(
  path: string,
  role: "manager" | "viewer",
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(app.url + path, { headers: { Cookie: cookies.get(role) ?? "", ...headers } })
}

describe("a read of a service", () => {
  test.each([
    ["compressed if the client accepts it", "gzip", "gzip"],
    ["plain if the client accepts no compression", "identity", null],
  ])("is %s", async (_, accepted, encoding) => {
    const answer = await get("/api/program/members?per_page=50", "manager", { "Accept-Encoding": accepted })
    expect(answer.headers.get("Content-Encoding")).toBe(encoding)
    expect(answer.headers.get("Vary")).toContain("Accept-Encoding")
    expect(await answer.json()).toMatchObject({ success: true, meta: { per_page: 50 } })
  })

  test("has the headers of every response", async () => {
    const answer = await get("/api/program/members?per_page=2", "viewer")
    expect(answer.headers.get("X-Request-Id")).toHaveLength(36)
    expect(answer.headers.get("Content-Security-Policy")).toContain("default-src 'none'")
    expect(answer.headers.get("Cache-Control")).toBe("private, no-cache")
  })

  test("is a 304 for a browser that has it", async () => {
    const first = await get("/api/program/members?per_page=3", "manager")
    const again = { "If-None-Match": first.headers.get("ETag") ?? "" }
    expect((await get("/api/program/members?per_page=3", "manager", again)).status).toBe(304)
    expect((await get("/api/program/members?per_page=3", "viewer", again)).status).toBe(200)
  })
})

describe("the budget header", () => {
  const budgetOf = (answer: Response) => readBudget(answer.headers.get(budgetHeader))
  const path = "/api/program/members?per_page=9"

  // Background reads count as well.
  test("decreases by every upstream request", async () => {
    const notCounted = async () => {
      const states = budgetOf(await get(path, "viewer", { "Cache-Control": "no-cache" })) ?? []
      const taken = states.map(({ limit, left }) => limit - left)
      return app.sandbox.requests.count - taken.reduce((sum, one) => sum + one, 0)
    }
    expect(await notCounted()).not.toBe(app.sandbox.requests.count)
    await expect.poll(notCounted).toBe(0)
  })

  test("is on refusals and on 304 responses", async () => {
    const first = await get(path, "viewer")
    const again = await get(path, "viewer", { "If-None-Match": first.headers.get("ETag") ?? "" })
    expect([again.status, budgetOf(again)]).toMatchObject([304, [{ api: "program" }, { api: "giftcard" }]])
    const refused = await get("/api/program/nothing", "viewer")
    expect([refused.status, budgetOf(refused)]).toMatchObject([
      404,
      [{ api: "program" }, { api: "giftcard" }],
    ])
  })

  test("is absent without a session", async () => {
    const answer = await fetch(`${app.url}${path}`)
    expect([answer.status, answer.headers.has(budgetHeader)]).toEqual([401, false])
  })
})

test("reads are counted in the metrics", async () => {
  const counted = async () => {
    const answer = await fetch(`${app.url}/metrics`, {
      headers: { Authorization: "Bearer a-token-for-the-tests" },
    })
    const found = /laurel_http_request_seconds_count\{[^}]*part="program"[^}]*status="200"[^}]*\} (\d+)/.exec(
      await answer.text(),
    )
    return Number(found?.[1] ?? 0)
  }
  const before = await counted()
  await get("/api/program/members?per_page=2", "manager")
  await expect.poll(counted).toBe(before + 1)
})
