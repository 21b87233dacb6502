import { request } from "node:http"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startApp, type TestApp } from "../support/server.ts"

const token = "a-token-of-the-tests-0123456789"
let app: TestApp
let behindProxy: TestApp

beforeAll(async () => {
  app = await startApp({ env: { ALLOWED_HOSTS: "desk.example.com, other.example", METRICS_TOKEN: token } })
  behindProxy = await startApp({ env: { PUBLIC_URL: "http://desk.example.com" } })
})
afterAll(() => Promise.all([app.close(), behindProxy.close()]))

/** Status and text of a response to a request with this Host header. */
function requestAs(host: string, path: string, headers: Record<string, string> = {}, of = app) {
  const { port } = new URL(of.url)
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, path, headers: { ...headers, Host: host } },
      (response) => {
        let text = ""
        response.setEncoding("utf8")
        response.on("data", (chunk: string) => (text += chunk))
        response.on("end", () => resolve({ status: response.statusCode, text }))
      },
    )
    sent.once("error", reject)
    sent.end()
  })
}

test.each([
  "127.0.0.1",
  "localhost:5173",
  "app.localhost",
  "[::1]:3000",
  "desk.example.com:8443",
  "Other.Example",
])("without PUBLIC_URL %s is served", async (host) =>
  expect((await requestAs(host, "/api/about")).status).toBe(200),
)

test.each(["evil.example", "127.0.0.1.evil.example", "192.0.2.7", "localhost.evil.example"])(
  "without PUBLIC_URL %s is refused, and the message names the variables",
  async (host) => {
    for (const path of ["/api/about", "/", "/sign-in"]) {
      const { status, text } = await requestAs(host, path)
      expect([status, text.includes("ALLOWED_HOSTS"), text.includes("PUBLIC_URL")]).toEqual([403, true, true])
    }
  },
)

test("health, readiness and metrics accept any host", async () => {
  for (const path of ["/healthz", "/readyz"]) expect((await requestAs("evil.example", path)).status).toBe(200)
  const metrics = await requestAs("evil.example", "/metrics", { Authorization: `Bearer ${token}` })
  expect(metrics.status).toBe(200)
})

test("with PUBLIC_URL its host is served", async () => {
  expect((await requestAs("desk.example.com", "/api/about", {}, behindProxy)).status).toBe(200)
})

test("an unsafe request with a null origin is refused", async () => {
  const response = await fetch(`${app.url}/api/session`, {
    method: "POST",
    headers: { "X-Laurel": "1", "Content-Type": "application/json", Origin: "null" },
    body: JSON.stringify({ email: "manager@laurel.demo", password: "laurel-sandbox" }),
  })
  expect(response.status).toBe(403)
})
