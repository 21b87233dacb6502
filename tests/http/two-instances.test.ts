import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Client } from "pg"
import * as z from "zod/mini"
import { createdUser } from "../../contract/users.ts"
import { readEvents } from "../support/event-reader.ts"
import { requestCore, dataOf, type Person, personOf, signInAs } from "../support/person.ts"
import { startPostgres, type TestPostgres } from "../support/postgres.ts"
import { type CoreOptions, startApp, type TestApp } from "../support/server.ts"

const password = "a-long-enough-password"
const rateLimit = 8
const env = {
  ENVIRONMENT: "staging",
  PROGRAM_BASE_URL: "https://staging.program.example/v1",
  PROGRAM_API_KEY: "key",
  SESSION_SECRET: "one-secret-for-both-instances-0123456789",
  ADMIN_EMAIL: "helen@program.example",
  ADMIN_PASSWORD: password,
}

let postgres: TestPostgres
let databaseUrl: string
let one: TestApp
let other: TestApp
let admin: Person

/** The same user with the same cookie on the other instance. */
function elsewhere(person: Person): Person {
  return {
    ...person,
    ask: (path, how = {}) =>
      requestCore(other.url, path, { ...how, headers: { Cookie: person.cookie, ...how.headers } }),
  }
}

beforeAll(async () => {
  postgres = await startPostgres()
  databaseUrl = await postgres.createDatabase()
  const options: CoreOptions = { databaseUrl, env, rateLimit }
  // Both concurrently on an empty database: one migrates and creates the administrator, the other waits.
  ;[one, other] = await Promise.all([startApp(options), startApp(options)])
  admin = await signInAs(one.url, env.ADMIN_EMAIL, password)
})
afterAll(async () => {
  await one.close()
  await other.close()
  await postgres.stop()
})

describe("two instances on one PostgreSQL", () => {
  test("share users, sessions and the audit log", async () => {
    const there = elsewhere(admin)
    expect((await there.ask("/session")).status).toBe(200)
    const body = { name: "Tom Whitlock", email: "tom@program.example", role: "fulfilment" }
    expect((await there.ask("/users", { method: "POST", body })).status).toBe(201)
    const entries = z.array(z.looseObject({ action: z.string() }))
    const [latest] = dataOf(await admin.ask("/audit"), entries)
    expect(latest?.action).toBe("user.create")
  })

  test("end a session on both after a sign-out on one", async () => {
    const person = await signInAs(one.url, env.ADMIN_EMAIL, password)
    expect((await elsewhere(person).ask("/session")).status).toBe(200)
    expect((await person.ask("/session", { method: "DELETE" })).status).toBe(204)
    expect((await elsewhere(person).ask("/session")).status).toBe(401)
  })

  test("a user disabled on one is signed out on the other immediately, including streams", async () => {
    const body = { name: "Kim Lowe", email: "kim@program.example", role: "viewer" }
    const { user, link } = dataOf(await admin.ask("/users", { method: "POST", body }), createdUser)
    const token = link.path.split("token=")[1]
    const set = await requestCore(other.url, "/session/password", {
      method: "POST",
      body: { token, password },
    })
    const kim = elsewhere(personOf(other.url, set))
    const stream = await readEvents(other.url, kim)
    expect(stream.status).toBe(200)
    await admin.ask(`/users/${user.id}`, { method: "PATCH", body: { disabled: true } })
    expect((await kim.ask("/session")).status).toBe(401)
    await expect.poll(() => stream.ended()).toBe(true)
  })

  test("both drop an erased member from memory", async () => {
    const there = elsewhere(admin)
    const listed = z.array(z.looseObject({ id: z.string() }))
    const [member] = dataOf(await there.ask("/program/members?per_page=1"), listed)
    const list = async () => (await there.ask("/program/members?per_page=1")).status
    // What is cached answers also while the service is away.
    other.sandbox.faults.add({ kind: "html" })
    expect(await list()).toBe(200)
    expect((await admin.ask(`/members/${member?.id}/erase`, { method: "POST", body: {} })).status).toBe(200)
    await expect.poll(list).toBe(502)
  })

  test("are both not ready while the database does not respond", async () => {
    const ready = () =>
      Promise.all([one, other].map(async ({ url }) => (await fetch(`${url}/readyz`)).status))
    expect(await ready()).toEqual([200, 200])
    const client = new Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query("begin; lock table readiness in access exclusive mode")
    await expect.poll(ready).toEqual([503, 503])
    await client.end()
    await expect.poll(ready).toEqual([200, 200])
  })
})
