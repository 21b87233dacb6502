import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { appStatus } from "../../contract/status.ts"
import { dataOf, type Person } from "../support/person.ts"
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

  test("Laurel's own pages work, and the status page names the problem", async () => {
    expect((await admin.ask("/program/members")).status).toBe(502)
    const paths = ["/session", "/users", "/audit", "/settings/program", "/notes/member/mem_1"]
    for (const path of paths) expect([path, (await admin.ask(path)).status]).toEqual([path, 200])
    const { connections } = dataOf(await admin.ask("/status"), appStatus)
    expect(connections.map(({ api, state }) => `${api} ${state}`)).toEqual([
      "program not_answering",
      "giftcard not_connected",
    ])
    expect((await fetch(`${app.url}/readyz`)).status).toBe(200)
  })
})
