import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as z from "zod/mini"
import { linkPurpose } from "../../contract/session.ts"
import { createdUser, appUser, passwordLink } from "../../contract/users.ts"
import { newPassword, newUser, setPassword, tokenOf } from "../support/new-user.ts"
import { requestCore, codeOf, dataOf, type Person, signInAs } from "../support/person.ts"
import { startApp, type TestApp } from "../support/server.ts"

const entries = z.array(
  z.looseObject({
    action: z.string(),
    outcome: z.string(),
    area: z.string(),
    on: z.looseObject({ label: z.nullable(z.string()) }),
  }),
)

let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn("admin")
})
afterAll(() => app.close())

function change(id: string, body: object) {
  return admin.ask(`/users/${id}`, { method: "PATCH", body })
}

/** The list of users, read by whichever of the two is still an administrator. */
async function readUsersAsAdmin(other: Person) {
  const answer = await admin.ask("/users")
  return answer.status === 200 ? answer : other.ask("/users")
}

describe("one-time links", () => {
  test("set a password once and sign in", async () => {
    const { email, token, person } = await newUser(app.url, admin, "manager")
    expect(person.session.user).toMatchObject({ email, role: "manager" })
    const again = await setPassword(app.url, token)
    expect([again.status, codeOf(again)]).toEqual([404, "not_found"])
    await expect(signInAs(app.url, email, newPassword)).resolves.toBeDefined()
  })

  test("show their purpose without being consumed", async () => {
    const email = "fresh@laurel.example"
    const body = { name: "Ada Frost", email, role: "viewer" }
    const { link } = dataOf(await admin.ask("/users", { method: "POST", body }), createdUser)
    const token = tokenOf(link.path)
    for (let at = 0; at < 2; at++) {
      const answer = await requestCore(app.url, "/session/link", { method: "POST", body: { token } })
      expect(dataOf(answer, linkPurpose)).toEqual({ purpose: "password", email })
    }
    expect((await setPassword(app.url, token, { password: "short" })).status).toBe(422)
    expect((await setPassword(app.url, token)).status).toBe(200)
    const used = await requestCore(app.url, "/session/link", { method: "POST", body: { token } })
    expect(used.status).toBe(404)
  })

  test("used concurrently work once", async () => {
    const { id } = await newUser(app.url, admin, "viewer")
    const link = dataOf(await admin.ask(`/users/${id}/link`, { method: "POST" }), passwordLink)
    const twice = await Promise.all([
      setPassword(app.url, tokenOf(link.path)),
      setPassword(app.url, tokenOf(link.path)),
    ])
    expect(twice.map(({ status }) => String(status)).toSorted()).toEqual(["200", "404"])
  })

  test("are replaced by a newer one, whose use ends every session", async () => {
    const { id, person } = await newUser(app.url, admin, "viewer")
    const older = dataOf(await admin.ask(`/users/${id}/link`, { method: "POST" }), passwordLink)
    const newer = dataOf(await admin.ask(`/users/${id}/link`, { method: "POST" }), passwordLink)
    expect((await setPassword(app.url, tokenOf(older.path))).status).toBe(404)
    expect((await person.ask("/session")).status).toBe(200)
    expect((await setPassword(app.url, tokenOf(newer.path))).status).toBe(200)
    expect((await person.ask("/session")).status).toBe(401)
  })
})

describe("users", () => {
  test("disabling ends every session with the next request and refuses sign-in", async () => {
    const { id, email, person } = await newUser(app.url, admin, "manager")
    const second = await signInAs(app.url, email, newPassword)
    expect((await change(id, { disabled: true })).status).toBe(200)
    expect((await person.ask("/program/members")).status).toBe(401)
    expect((await second.ask("/session")).status).toBe(401)
    await expect(signInAs(app.url, email, newPassword)).rejects.toThrow("wrong_credentials")
    expect((await change(id, { disabled: false })).status).toBe(200)
    expect((await person.ask("/session")).status).toBe(401)
    await expect(signInAs(app.url, email, newPassword)).resolves.toBeDefined()
  })

  test("a new role applies from the next request on", async () => {
    const { id, person } = await newUser(app.url, admin, "viewer")
    expect((await person.ask("/users")).status).toBe(403)
    await change(id, { role: "admin" })
    expect((await person.ask("/users")).status).toBe(200)
    await change(id, { role: "fulfilment" })
    expect((await person.ask("/program/members?search=ana")).status).toBe(403)
  })

  test("a user cannot disable their own account, and the last administrator remains", async () => {
    const own = admin.session.user.id
    const refused = await change(own, { disabled: true })
    expect([refused.status, codeOf(refused)]).toEqual([422, "validation"])
    const other = await newUser(app.url, admin, "admin")
    const [first, second] = await Promise.all([
      other.person.ask(`/users/${own}`, { method: "PATCH", body: { role: "viewer" } }),
      change(other.id, { role: "viewer" }),
    ])
    expect([first.status, second.status]).not.toEqual([200, 200])
    const users = dataOf(await readUsersAsAdmin(other.person), z.array(appUser))
    expect(users.some(({ role, disabled }) => role === "admin" && !disabled)).toBe(true)
    await other.person.ask(`/users/${own}`, { method: "PATCH", body: { role: "admin" } })
  })

  test("an e-mail address is unique regardless of case", async () => {
    const body = { name: "Another", email: "Manager@Laurel.demo", role: "viewer" }
    expect((await admin.ask("/users", { method: "POST", body })).status).toBe(422)
  })
})

test("sign-in events are in the audit log", async () => {
  const { email } = await newUser(app.url, admin, "viewer")
  await signInAs(app.url, email, "a-wrong-password").catch(() => undefined)
  const person = await signInAs(app.url, email, newPassword)
  await person.ask("/session", { method: "DELETE" })
  const log = dataOf(await admin.ask("/audit?per_page=100"), entries)
  const about = log.filter(({ area }) => area === "app").map(({ action, outcome }) => `${action} ${outcome}`)
  expect(about).toEqual(
    expect.arrayContaining([
      "session.sign_in done",
      "session.sign_in_refused refused",
      "session.sign_out done",
      "session.password_set done",
      "user.create done",
      "user.disable done",
      "user.link done",
    ]),
  )
  expect(JSON.stringify(log)).not.toContain(newPassword)
})
