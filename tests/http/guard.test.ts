import { request } from "node:http"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as z from "zod/mini"
import { requestCore, codeOf, dataOf, type Person } from "../support/person.ts"
import { startApp, type TestApp } from "../support/server.ts"

let app: TestApp
let admin: Person
let member: string

beforeAll(async () => {
  app = await startApp({ env: { METRICS_TOKEN: "a-token-for-the-tests" } })
  admin = await app.signIn("admin")
  const list = await admin.ask("/program/members?per_page=1")
  member = dataOf(list, z.array(z.looseObject({ id: z.string() })))[0]?.id ?? ""
})
afterAll(() => app.close())

/** A request with the path as written; `fetch` would normalize it. */
function requestRaw(path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(app.url)
    const headers = { Cookie: admin.cookie, "X-Laurel": "1" }
    const sent = request({ host: "127.0.0.1", port, path, headers }, (answer) => {
      let body = ""
      answer.on("data", (chunk: Buffer) => (body += chunk.toString()))
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body }))
    })
    sent.on("error", reject)
    sent.end()
  })
}

function edit(headers: Record<string, string>) {
  return admin.ask(`/program/members/${member}`, { method: "PATCH", body: { company: "Mistral" }, headers })
}

/** Saves a note with a raw body. */
function put(body: string, headers: Record<string, string>) {
  return fetch(`${app.url}/api/notes/member/${member}`, {
    method: "PUT",
    body,
    headers: { Cookie: admin.cookie, "X-Laurel": "1", ...headers },
  })
}

describe("unsafe requests", () => {
  test.each([
    ["without the header", { "X-Laurel": "" }],
    ["with another site's origin", { Origin: "https://elsewhere.example" }],
    ["with an opaque origin", { Origin: "null" }],
    ["that the browser calls cross-site", { "Sec-Fetch-Site": "cross-site" }],
    ["from a sibling subdomain", { "Sec-Fetch-Site": "same-site" }],
  ])("are refused %s, and no upstream request is made", async (_name, headers) => {
    const before = app.sandbox.requests.count
    const answer = await edit(headers)
    expect([answer.status, codeOf(answer)]).toEqual([403, "guard_missing"])
    expect(app.sandbox.requests.count).toBe(before)
  })

  test("are accepted from Laurel's own page", async () => {
    expect((await edit({ Origin: app.url, "Sec-Fetch-Site": "same-origin" })).status).toBe(200)
  })

  test("sign-in and sign-out are refused from another origin", async () => {
    const headers = { Origin: "https://elsewhere.example" }
    const body = { email: "admin@laurel.demo", password: "laurel-sandbox" }
    for (const method of ["POST", "DELETE"]) {
      const answer = await admin.ask("/session", { method, headers, ...(method === "POST" && { body }) })
      expect(codeOf(answer)).toBe("guard_missing")
    }
    expect((await admin.ask("/session")).status).toBe(200)
  })
})

describe("bodies", () => {
  const json = { "Content-Type": "application/json" }

  test("over 1 MB are refused", async () => {
    const answer = await put(JSON.stringify({ text: "x".repeat(1_000_000), version: 0 }), json)
    expect(answer.status).toBe(413)
    expect(await answer.text()).toContain("body_too_large")
  })

  test("nested deeper than 32 levels are refused with a message on every route", async () => {
    const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`
    const send = (method: string, path: string, body: string) =>
      fetch(`${app.url}/api${path}`, {
        method,
        headers: { ...json, "X-Laurel": "1", Cookie: admin.cookie, "Idempotency-Key": crypto.randomUUID() },
        body,
      })
    const job = (levels: number) =>
      `{"kind":"member-create","rows":[{"email":"a@b.example","first_name":"A","last_name":"B","metadata":{"x":${deep(levels)}}}]}`
    const refused = [
      ["POST", "/jobs", job(100_000)],
      ["POST", "/jobs", job(40)],
      ["PUT", "/notes/member/mem_1", `{"text":${deep(200_000)}}`],
      // PATCH bodies are parsed with a reviver, which overflows the stack earlier.
      ...[40, 1_000, 5_000, 20_000, 200_000].map(
        (levels) => ["PATCH", "/program/members/mem_1", `{"metadata":{"x":${deep(levels)}}}`] as const,
      ),
    ] as const
    for (const [method, path, body] of refused) {
      const answer = await send(method, path, body)
      expect([path, answer.status]).toEqual([path, 400])
      expect(await answer.text()).toContain("nested deeper than 32 levels")
    }
    // Valid bodies are far below the limit, and sign-in does not traverse its body.
    expect((await send("POST", "/jobs", job(18))).status).toBe(201)
    const credentials = `{"email":${deep(4_000)},"password":"x"}`
    expect((await send("POST", "/session", credentials)).status).toBe(422)
  })

  test("over 10 KB are refused on routes without a session, and the message states the limit", async () => {
    const body = { email: "a@b.example", password: "x".repeat(20_000) }
    const answer = await requestCore(app.url, "/session", { method: "POST", body })
    expect([answer.status, codeOf(answer)]).toEqual([413, "body_too_large"])
    expect(JSON.stringify(answer.body)).toContain("at most 10 KB")
  })

  test.each([
    ["/program/members?page=0", "page: At least 1."],
    ["/program/members?status=gone", "status: One of: active, inactive, pending."],
    ["/audit?from=yesterday", "from: A time such as 2026-03-31T09:00:00Z."],
    ["/audit?actor=%00", "actor: This text has a character that cannot be stored"],
  ])("the parameter of %s is refused with Laurel's message", async (path, sentence) => {
    const answer = await admin.ask(path)
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body)).toContain(sentence)
  })

  test.each([
    ["cut short", '{"text": "x', json],
    ["not JSON at all", "text=x", { "Content-Type": "application/x-www-form-urlencoded" }],
    ["in an unknown encoding", "x", { ...json, "Content-Encoding": "rot13" }],
  ])("%s are refused with a message without internals", async (_name, body, headers) => {
    const answer = await put(body, headers)
    const text = await answer.text()
    expect(answer.status).toBe(400)
    expect(text).toContain('"bad_request"')
    expect(text).not.toMatch(/node_modules|at \w+ \(|SyntaxError/)
  })

  test("are not read without a session", async () => {
    const answer = await put("x".repeat(2_000_000), { ...json, Cookie: "" })
    expect(answer.status).toBe(401)
  })
})

describe("addresses", () => {
  test.each([
    "/program/nothing",
    "/program/members/a/b",
    "/program/members/a/balance/c",
    "/nothing",
    "/session/nothing",
    "/program",
    "/",
  ])("%s is a 404 in JSON", async (path) => {
    const answer = await admin.ask(path)
    expect([answer.status, codeOf(answer)]).toEqual([404, "not_found"])
  })

  test.each([
    "/api/program/members/../orders",
    "/api/program/../../api/v1/external/giftcard/cards",
    "/api/program/members/%2e%2e",
    "/api/program/members/%",
    "/api/program//members",
    "/api//program/members",
  ])("%s, unnormalized, reaches no service", async (path) => {
    const before = app.sandbox.requests.entries.length
    const { status } = await requestRaw(path)
    expect([400, 404]).toContain(status)
    expect(app.sandbox.requests.entries.length).toBe(before)
  })

  test("an id with an encoded `../` stays one path segment", async () => {
    await requestRaw("/api/program/members/..%2forders")
    expect(app.sandbox.requests.entries.at(-1)?.path).toBe("/v1/members/..%2Forders")
  })
})

describe("operators", () => {
  test("health and readiness are open", async () => {
    for (const path of ["/healthz", "/readyz"]) {
      const answer = await fetch(app.url + path)
      expect([answer.status, await answer.json()]).toEqual([200, { ok: true }])
    }
  })

  test("metrics need the token and name no record", async () => {
    expect((await fetch(`${app.url}/metrics`)).status).toBe(401)
    const wrong = { headers: { Authorization: "Bearer another-token-here" } }
    expect((await fetch(`${app.url}/metrics`, wrong)).status).toBe(401)
    const right = { headers: { Authorization: "Bearer a-token-for-the-tests" } }
    const text = await (await fetch(`${app.url}/metrics`, right)).text()
    expect(text).toContain('laurel_http_request_seconds_count{method="GET",part="program",status="200"}')
    expect(text).toContain("laurel_upstream_call_seconds")
    expect(text).not.toContain(member)
  })

  test("without METRICS_TOKEN there are no metrics", async () => {
    const plain = await startApp()
    const answer = await fetch(`${plain.url}/metrics`, { headers: { Accept: "text/plain" } })
    expect(await answer.text()).not.toContain("laurel_")
    await plain.close()
  })
})

test("every response has its own request id and the security headers", async () => {
  const answers = await Promise.all([
    admin.ask("/session"),
    requestCore(app.url, "/about"),
    admin.ask("/nothing"),
  ])
  const ids = answers.map(({ headers }) => headers.get("X-Request-Id"))
  expect(new Set(ids).size).toBe(3)
  for (const { headers } of answers) {
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff")
    expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'")
    expect(headers.get("X-Powered-By")).toBeNull()
  }
})
