import { afterAll, beforeAll, describe, expect, test } from "vitest"
import "../support/patience.ts"
import * as z from "zod/mini"
import { createdUser, deskUser, passwordLink } from "../../contract/desk/user.ts"
import { about, linkPurpose } from "../../contract/desk/session.ts"
import { askDesk, codeOf, dataOf, personOf, type Person, signInAs } from "../support/person.ts"
import { type DeskOptions, startDesk, type TestDesk } from "../support/server.ts"

const password = "a-long-enough-password"
const entries = z.array(
  z.looseObject({
    action: z.string(),
    outcome: z.string(),
    area: z.string(),
    on: z.looseObject({ label: z.nullable(z.string()) }),
  }),
)

let desk: TestDesk
let admin: Person

beforeAll(async () => {
  desk = await startDesk()
  admin = await desk.signIn("admin")
})
afterAll(() => desk.close())

/** A new user who has set a password through the link the administrator was given. */
async function newUser(role: string): Promise<{ id: string; email: string; token: string; person: Person }> {
  const email = `${crypto.randomUUID()}@laurel.example`
  const made = await admin.ask("/users", { method: "POST", body: { name: "Sam Okafor", email, role } })
  const { user, link } = dataOf(made, createdUser)
  const token = tokenOf(link.path)
  const person = personOf(desk.url, await setPassword(token))
  return { id: user.id, email, token, person }
}

function tokenOf(path: string): string {
  return new URLSearchParams(path.slice(path.indexOf("#") + 1)).get("token") ?? ""
}

function setPassword(token: string, more: object = {}, url = desk.url) {
  return askDesk(url, "/session/password", { method: "POST", body: { token, password, ...more } })
}

function guess(url: string, email: string) {
  return askDesk(url, "/session", { method: "POST", body: { email, password: "a-wrong-password" } })
}

function change(id: string, body: object) {
  return admin.ask(`/users/${id}`, { method: "PATCH", body })
}

/** The list of users, asked by whoever of the two is an administrator still. */
async function askAnyAdmin(other: Person) {
  const answer = await admin.ask("/users")
  return answer.status === 200 ? answer : other.ask("/users")
}

/** A desk on a real service, where no demo account is. */
function real(env: Readonly<Record<string, string>>): DeskOptions {
  return {
    env: {
      ENVIRONMENT: "staging",
      PROGRAM_BASE_URL: "https://staging.program.example/v1",
      PROGRAM_API_KEY: "key",
      ...env,
    },
  }
}

describe("signing in", () => {
  test("answers who it is and sets a cookie that no script can read", async () => {
    const body = { email: "MANAGER@laurel.demo", password: "laurel-sandbox" }
    const answer = await askDesk(desk.url, "/session", { method: "POST", body })
    const person = personOf(desk.url, answer)
    expect(person.session).toMatchObject({
      user: { name: "Priya Nair", role: "manager", email: "manager@laurel.demo" },
      environment: "sandbox",
    })
    expect(person.session.permissions["members.delete"]).toBe("no")
    const [cookie = ""] = answer.headers.getSetCookie()
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Lax/)
    expect(cookie).not.toMatch(/Secure/)
    expect((await person.ask("/session")).status).toBe(200)
  })

  test("says the same about an unknown address and a wrong password", async () => {
    const asked = ["manager@laurel.demo", "nobody@laurel.example"].map((email) =>
      askDesk(desk.url, "/session", { method: "POST", body: { email, password: "not-the-password" } }),
    )
    const [known, unknown] = await Promise.all(asked)
    expect([known?.status, known && codeOf(known)]).toEqual([401, "wrong_credentials"])
    expect(stripId(unknown?.body)).toEqual(stripId(known?.body))
  })

  test("names what is wrong in what was sent", async () => {
    const answer = await askDesk(desk.url, "/session", { method: "POST", body: { email: "manager" } })
    expect([answer.status, codeOf(answer)]).toEqual([422, "validation"])
  })

  test("shows the demo accounts to everyone, and that nobody has to be set up", async () => {
    const known = dataOf(await askDesk(desk.url, "/about"), about)
    expect(known).toMatchObject({ environment: "sandbox", set_up_needed: false })
    for (const account of known.demo_accounts) {
      const person = await signInAs(desk.url, account.email, account.password)
      expect(person.session.user.role).toBe(account.role)
    }
    expect(known.demo_accounts).toHaveLength(4)
  })

  test("nobody is let in without a cookie, with a made-up or with an altered one", async () => {
    const [name = "", value = ""] = admin.cookie.split("=", 2)
    const altered = `${name}=${value.slice(0, -6)}AAAA%3D`
    for (const cookie of ["", "laurel.session_token=abc.def", altered]) {
      const answer = await askDesk(desk.url, "/program/members", { headers: { Cookie: cookie } })
      expect([answer.status, codeOf(answer)]).toEqual([401, "session_required"])
    }
  })

  test("signing out ends the session on the server", async () => {
    const viewer = await desk.signIn("viewer")
    const answer = await viewer.ask("/session", { method: "DELETE" })
    expect(answer.status).toBe(204)
    expect(answer.headers.getSetCookie().join()).toMatch(/session_token=;/)
    expect((await viewer.ask("/session")).status).toBe(401)
    expect((await viewer.ask("/session", { method: "DELETE" })).status).toBe(204)
  })
})

describe("guessing", () => {
  const limits = { perPerson: 3, perAddress: 8 }
  test("is held back for one person, then for the whole address, and says for how long", async () => {
    const guarded = await startDesk({ signInLimits: limits })
    const email = "manager@laurel.demo"
    for (let at = 0; at < limits.perPerson; at++) expect((await guess(guarded.url, email)).status).toBe(401)
    const held = await guess(guarded.url, email)
    expect([held.status, codeOf(held)]).toEqual([429, "too_many_attempts"])
    expect(Number(held.headers.get("Retry-After"))).toBeGreaterThan(60)
    // The right password does not open the door either, and others still get in.
    await expect(signInAs(guarded.url, email, "laurel-sandbox")).rejects.toThrow("429")
    await expect(guarded.signIn("viewer")).resolves.toBeDefined()
    const statuses = []
    for (let at = 0; at < limits.perAddress; at++) {
      statuses.push((await guess(guarded.url, `nobody-${at}@laurel.example`)).status)
    }
    expect(statuses).toContain(429)
    await guarded.close()
  })

  test("signing in rightly is never counted", async () => {
    const guarded = await startDesk({ signInLimits: limits })
    for (let at = 0; at < limits.perPerson + 2; at++) {
      await expect(guarded.signIn("manager")).resolves.toBeDefined()
    }
    await guarded.close()
  })
})

describe("one-time links", () => {
  test("set a password once, and sign in with it", async () => {
    const { email, token, person } = await newUser("manager")
    expect(person.session.user).toMatchObject({ email, role: "manager" })
    const again = await setPassword(token)
    expect([again.status, codeOf(again)]).toEqual([404, "not_found"])
    await expect(signInAs(desk.url, email, password)).resolves.toBeDefined()
  })

  test("say what they are for without being used up", async () => {
    const email = "fresh@laurel.example"
    const body = { name: "Ada Frost", email, role: "viewer" }
    const { link } = dataOf(await admin.ask("/users", { method: "POST", body }), createdUser)
    const token = tokenOf(link.path)
    for (let at = 0; at < 2; at++) {
      const answer = await askDesk(desk.url, "/session/link", { method: "POST", body: { token } })
      expect(dataOf(answer, linkPurpose)).toEqual({ purpose: "password", email })
    }
    expect((await setPassword(token, { password: "short" })).status).toBe(422)
    expect((await setPassword(token)).status).toBe(200)
    const used = await askDesk(desk.url, "/session/link", { method: "POST", body: { token } })
    expect(used.status).toBe(404)
  })

  test("of two used at once one works", async () => {
    const { id } = await newUser("viewer")
    const link = dataOf(await admin.ask(`/users/${id}/link`, { method: "POST" }), passwordLink)
    const twice = await Promise.all([setPassword(tokenOf(link.path)), setPassword(tokenOf(link.path))])
    expect(twice.map(({ status }) => String(status)).toSorted()).toEqual(["200", "404"])
  })

  test("a newer one replaces the older, and using it ends every session", async () => {
    const { id, person } = await newUser("viewer")
    const older = dataOf(await admin.ask(`/users/${id}/link`, { method: "POST" }), passwordLink)
    const newer = dataOf(await admin.ask(`/users/${id}/link`, { method: "POST" }), passwordLink)
    expect((await setPassword(tokenOf(older.path))).status).toBe(404)
    expect((await person.ask("/session")).status).toBe(200)
    expect((await setPassword(tokenOf(newer.path))).status).toBe(200)
    expect((await person.ask("/session")).status).toBe(401)
  })
})

describe("users", () => {
  test("disabling ends every session with the next request and closes the door", async () => {
    const { id, email, person } = await newUser("manager")
    const second = await signInAs(desk.url, email, password)
    expect((await change(id, { disabled: true })).status).toBe(200)
    expect((await person.ask("/program/members")).status).toBe(401)
    expect((await second.ask("/session")).status).toBe(401)
    await expect(signInAs(desk.url, email, password)).rejects.toThrow("wrong_credentials")
    expect((await change(id, { disabled: false })).status).toBe(200)
    expect((await person.ask("/session")).status).toBe(401)
    await expect(signInAs(desk.url, email, password)).resolves.toBeDefined()
  })

  test("another role counts from the next request on", async () => {
    const { id, person } = await newUser("viewer")
    expect((await person.ask("/users")).status).toBe(403)
    await change(id, { role: "admin" })
    expect((await person.ask("/users")).status).toBe(200)
    await change(id, { role: "fulfilment" })
    expect((await person.ask("/program/members?search=ana")).status).toBe(403)
  })

  test("nobody closes their own account, and the last administrator stays", async () => {
    const own = admin.session.user.id
    const refused = await change(own, { disabled: true })
    expect([refused.status, codeOf(refused)]).toEqual([422, "validation"])
    const other = await newUser("admin")
    const [first, second] = await Promise.all([
      other.person.ask(`/users/${own}`, { method: "PATCH", body: { role: "viewer" } }),
      change(other.id, { role: "viewer" }),
    ])
    expect([first.status, second.status]).not.toEqual([200, 200])
    const users = dataOf(await askAnyAdmin(other.person), z.array(deskUser))
    expect(users.some(({ role, disabled }) => role === "admin" && !disabled)).toBe(true)
    await other.person.ask(`/users/${own}`, { method: "PATCH", body: { role: "admin" } })
  })

  test("an address belongs to one user, however it is written", async () => {
    const body = { name: "Another", email: "Manager@Laurel.demo", role: "viewer" }
    expect((await admin.ask("/users", { method: "POST", body })).status).toBe(422)
  })
})

describe("the first administrator", () => {
  test("is made once through the set-up link, and no demo account exists", async () => {
    const fresh = await startDesk(real({}))
    const token = tokenOf(fresh.setUpPath ?? "")
    expect(dataOf(await askDesk(fresh.url, "/about"), about)).toMatchObject({
      set_up_needed: true,
      demo_accounts: [],
    })
    await expect(fresh.signIn("admin")).rejects.toThrow("401")
    expect((await setPassword(token, {}, fresh.url)).status).toBe(422)
    const details = { name: "Helen Park", email: "Helen@program.example" }
    const made = personOf(fresh.url, await setPassword(token, details, fresh.url))
    expect(made.session.user).toMatchObject({ role: "admin", email: "helen@program.example" })
    expect((await setPassword(token, details, fresh.url)).status).toBe(404)
    expect(dataOf(await askDesk(fresh.url, "/about"), about).set_up_needed).toBe(false)
    await fresh.close()
  })

  test("is the one the environment names, where there is none", async () => {
    const env = { ADMIN_EMAIL: "Helen@program.example", ADMIN_PASSWORD: password }
    const fresh = await startDesk(real(env))
    expect(fresh.setUpPath).toBeUndefined()
    const person = await signInAs(fresh.url, "helen@program.example", password)
    expect(person.session.user.role).toBe("admin")
    await fresh.close()
  })
})

test("what happened around signing in stands in the audit log", async () => {
  const { email } = await newUser("viewer")
  await signInAs(desk.url, email, "a-wrong-password").catch(() => undefined)
  const log = dataOf(await admin.ask("/audit?per_page=100"), entries)
  const about = log.filter(({ area }) => area === "desk").map(({ action, outcome }) => `${action} ${outcome}`)
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
  expect(JSON.stringify(log)).not.toContain(password)
})

function stripId(body: unknown): string {
  return JSON.stringify(body).replace(/"requestId":"[^"]*"/, "")
}
