import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as z from "zod/mini"
import { appError } from "../../contract/response.ts"
import { appStatus } from "../../contract/status.ts"
import { requestMany } from "../support/request-many.ts"
import { codeOf, dataOf, type Person } from "../support/person.ts"
import { startApp, type TestApp } from "../support/server.ts"

/** Nothing listens on the discard port. */
const nowhere = { baseUrl: "http://127.0.0.1:9/v1", apiKey: "secret-key-1234", rateLimit: 60 }

describe("a program service that does not answer, and no gift-card service at all", () => {
  let app: TestApp
  let admin: Person
  beforeAll(async () => {
    app = await startApp({ connections: { program: nowhere }, sandbox: { members: 1 } })
    admin = await app.signIn("admin")
  })
  afterAll(() => app.close())

  test("gives an error with the reason", async () => {
    const answer = await admin.ask("/program/members")
    expect([answer.status, codeOf(answer)]).toEqual([502, "upstream_unreachable"])
    const { message } = appError.parse(answer.body).error
    expect(message).toMatch(/^The program service /)
    expect(message).not.toContain("secret-key")
  })

  test("an unconfigured service is reported as not connected", async () => {
    const answer = await admin.ask("/giftcard/cards/card_1")
    expect(codeOf(answer)).toBe("not_connected")
  })

  test("Laurel's own pages work, and the status page names the problem", async () => {
    const paths = ["/session", "/users", "/audit", "/settings/program", "/notes/member/mem_1"]
    for (const path of paths) expect([path, (await admin.ask(path)).status]).toEqual([path, 200])
    const { connections } = dataOf(await admin.ask("/status"), appStatus)
    expect(connections.map(({ api, state }) => `${api} ${state}`)).toEqual([
      "program not_answering",
      "giftcard not_connected",
    ])
    expect((await fetch(`${app.url}/readyz`)).status).toBe(200)
  })

  test("a change is refused and not logged as done", async () => {
    const body = { company: "Mistral" }
    const answer = await admin.ask("/program/members/mem_1", { method: "PATCH", body })
    expect([answer.status, codeOf(answer)]).toEqual([502, "upstream_unreachable"])
    const entries = z.array(z.looseObject({ action: z.string(), outcome: z.string() }))
    const log = dataOf(await admin.ask("/audit?action=member.update"), entries)
    expect(log.filter(({ outcome }) => outcome === "done")).toEqual([])
  })
})

test("a refused API key leaves Laurel usable, with the service's error", async () => {
  const app = await startApp({ sandbox: { programKey: "another-key" } })
  const admin = await app.signIn("admin")
  const answer = await admin.ask("/program/members")
  const { error } = appError.parse(answer.body)
  expect(error.code).toBe("refused_by_service")
  expect(error.details).toMatchObject({ api: "program", upstream_status: 401, upstream_code: "unauthorized" })
  expect((await admin.ask("/status")).status).toBe(200)
  await app.close()
})

test("two browsers share one budget, and no request gets a 429", async () => {
  const app = await startApp({ rateLimit: 3, sandbox: { rateLimit: 3 } })
  const [first, second] = [await app.signIn("admin"), await app.signIn("manager")]
  const { statuses, leave } = requestMany(5, (at) => ({
    url: `${app.url}/api/program/members?page=${at + 1}`,
    cookie: (at % 2 === 0 ? first : second).cookie,
  }))
  // One each; the third is reserved for other users (docs/budget.md, Shares).
  await expect.poll(() => statuses).toEqual([200, 200])
  expect(await leave()).toEqual(["left", "left", "left"])
  expect(app.sandbox.requests.entries.map(({ status }) => status)).toEqual([200, 200])
  await app.close()
})
