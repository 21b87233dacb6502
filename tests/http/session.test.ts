import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as z from "zod/mini"
import { appError } from "../../contract/response.ts"
import { auditEntry } from "../../contract/audit.ts"
import { about } from "../../contract/session.ts"
import { ownSession, passwordLink } from "../../contract/users.ts"
import { newPassword, newUser, setPassword, tokenOf } from "../support/new-user.ts"
import {
  type TestResponse,
  requestCore,
  codeOf,
  dataOf,
  personOf,
  type Person,
  signInAs,
} from "../support/person.ts"
import { type CoreOptions, startApp, type TestApp } from "../support/server.ts"

const ownSessions = z.array(ownSession)
const data = mkdtempSync(join(tmpdir(), "laurel-session-"))
let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await startApp({ dataDir: data })
  admin = await app.signIn("admin")
})
afterAll(async () => {
  await app.close()
  rmSync(data, { recursive: true, force: true })
})

function guess(url: string, email: string) {
  return requestCore(url, "/session", { method: "POST", body: { email, password: "a-wrong-password" } })
}

/** An app on a real service, without demo accounts. */
function real(env: Readonly<Record<string, string>>): CoreOptions {
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
  test("returns the user and sets an HttpOnly cookie", async () => {
    const body = { email: "MANAGER@laurel.demo", password: "laurel-sandbox" }
    const answer = await requestCore(app.url, "/session", { method: "POST", body })
    const person = personOf(app.url, answer)
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

  test("gives the same error for an unknown address and a wrong password", async () => {
    const responses = ["manager@laurel.demo", "nobody@laurel.example"].map((email) =>
      requestCore(app.url, "/session", { method: "POST", body: { email, password: "not-the-password" } }),
    )
    const [known, unknown] = await Promise.all(responses)
    expect([known?.status, known && codeOf(known)]).toEqual([401, "wrong_credentials"])
    expect(stripId(unknown?.body)).toEqual(stripId(known?.body))
  })

  test("validates the request body", async () => {
    const answer = await requestCore(app.url, "/session", { method: "POST", body: { email: "manager" } })
    expect([answer.status, codeOf(answer)]).toEqual([422, "validation"])
  })

  test("lists the demo accounts and needs no set-up in the sandbox", async () => {
    const known = dataOf(await requestCore(app.url, "/about"), about)
    expect(known).toMatchObject({ environment: "sandbox", set_up_needed: false })
    for (const account of known.demo_accounts) {
      const person = await signInAs(app.url, account.email, account.password)
      expect(person.session.user.role).toBe(account.role)
    }
    expect(known.demo_accounts).toHaveLength(4)
  })

  test("is required without a cookie, with a forged or an altered one", async () => {
    const [name = "", value = ""] = admin.cookie.split(";", 1)[0]?.split("=", 2) ?? []
    const altered = `${name}=${value.slice(0, -6)}AAAA%3D`
    for (const cookie of ["", "laurel.session_token=abc.def", altered]) {
      const answer = await requestCore(app.url, "/program/members", { headers: { Cookie: cookie } })
      expect([answer.status, codeOf(answer)]).toEqual([401, "session_required"])
    }
  })

  test("a request that names another user is refused", async () => {
    const person = await app.signIn("viewer")
    const as = (id: string) => person.ask("/jobs", { headers: { "X-Laurel-User": id } })
    expect((await as(person.session.user.id)).status).toBe(200)
    const refused = await as("somebody-else")
    expect([refused.status, codeOf(refused)]).toEqual([401, "session_required"])
  })

  test("signing out ends the session on the server", async () => {
    const viewer = await app.signIn("viewer")
    const answer = await viewer.ask("/session", { method: "DELETE" })
    expect(answer.status).toBe(204)
    expect(answer.headers.getSetCookie().join()).toMatch(/session_token=;/)
    expect((await viewer.ask("/session")).status).toBe(401)
    expect((await viewer.ask("/session", { method: "DELETE" })).status).toBe(204)
  })
})

describe("signing out and in again", () => {
  test("signing out with a read-only store fails with a message and keeps the session", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "laurel-full-"))
    const full = await startApp({ dataDir })
    const viewer = await full.signIn("viewer")
    const file = new DatabaseSync(join(dataDir, "sandbox.db"))
    file.exec(
      "create trigger no_room before delete on app_session begin select raise(abort, 'database or disk is full'); end",
    )
    const refused = await viewer.ask("/session", { method: "DELETE" })
    expect([refused.status, codeOf(refused)]).toEqual([503, "store_unavailable"])
    expect(JSON.stringify(refused.body)).toContain("still signed in")
    expect(refused.headers.getSetCookie()).toEqual([])
    expect((await viewer.ask("/session")).status).toBe(200)
    file.exec("drop trigger no_room")
    file.close()
    expect((await viewer.ask("/session", { method: "DELETE" })).status).toBe(204)
    expect((await viewer.ask("/session")).status).toBe(401)
    await full.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test("a user lists their sessions and ends one or all others", async () => {
    const { email, person: here } = await newUser(app.url, admin, "viewer")
    const phone = await signInAs(app.url, email, newPassword)
    const other = await signInAs(app.url, email, newPassword)
    const listed = dataOf(await here.ask("/session/list"), ownSessions)
    expect(listed.filter(({ current }) => current)).toHaveLength(1)
    expect(listed.every(({ browser }) => browser === "node")).toBe(true)
    const left = dataOf(await phone.ask("/session/list"), ownSessions).find(({ current }) => current)
    expect((await here.ask(`/session/list/${left?.id}`, { method: "DELETE" })).status).toBe(200)
    expect((await phone.ask("/session")).status).toBe(401)
    expect((await other.ask("/session")).status).toBe(200)
    // Ending another user's session has no effect.
    const own = dataOf(await admin.ask("/session/list"), ownSessions).find(({ current }) => current)
    await here.ask(`/session/list/${own?.id}`, { method: "DELETE" })
    expect((await admin.ask("/session")).status).toBe(200)
    expect(dataOf(await here.ask("/session/list", { method: "DELETE" }), ownSessions)).toHaveLength(1)
    expect((await other.ask("/session")).status).toBe(401)
    expect((await here.ask("/session")).status).toBe(200)
  })

  test("concurrent sign-outs both succeed", async () => {
    const viewer = await app.signIn("viewer")
    const both = await Promise.all([1, 2].map(() => viewer.ask("/session", { method: "DELETE" })))
    expect(both.map(({ status }) => status)).toEqual([204, 204])
    expect((await viewer.ask("/session")).status).toBe(401)
  })

  test("signing in ends the browser's previous session of any user; a wrong password does not", async () => {
    const manager = await app.signIn("manager")
    const headers = { Cookie: manager.cookie }
    const wrong = { email: "viewer@laurel.demo", password: "a-wrong-password" }
    await requestCore(app.url, "/session", { method: "POST", headers, body: wrong })
    expect((await manager.ask("/session")).status).toBe(200)
    const body = { email: "viewer@laurel.demo", password: "laurel-sandbox" }
    const viewer = personOf(
      app.url,
      await requestCore(app.url, "/session", { method: "POST", headers, body }),
    )
    expect((await manager.ask("/session")).status).toBe(401)
    expect(viewer.session.user.role).toBe("viewer")
    expect((await viewer.ask("/session")).status).toBe(200)
  })
})

describe("password guessing", () => {
  const limits = { perAccount: 5, perPerson: 3, perAddress: 8 }
  const email = "manager@laurel.demo"
  /** Trusts proxies, so that a test sets the source address. */
  const env = { TRUST_PROXY: "loopback" }
  const from = (address: string) => ({ "X-Forwarded-For": address })

  test("is limited per account, then per address, with Retry-After", async () => {
    const guarded = await startApp({ signInLimits: limits })
    for (let at = 0; at < limits.perPerson; at++) expect((await guess(guarded.url, email)).status).toBe(401)
    const limited = await guess(guarded.url, email)
    expect([limited.status, codeOf(limited)]).toEqual([429, "too_many_attempts"])
    expect(Number(limited.headers.get("Retry-After"))).toBeGreaterThan(60)
    // The correct password is refused as well; other users may sign in.
    await expect(signInAs(guarded.url, email, "laurel-sandbox")).rejects.toThrow("429")
    await expect(guarded.signIn("viewer")).resolves.toBeDefined()
    const statuses = []
    for (let at = 0; at < limits.perAddress; at++) {
      statuses.push((await guess(guarded.url, `nobody-${at}@laurel.example`)).status)
    }
    expect(statuses).toContain(429)
    await guarded.close()
  })

  test("from many addresses delays every browser except one that has signed in before", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "laurel-guessed-"))
    const guarded = await startApp({ signInLimits: limits, env, dataDir })
    const body = { email, password: "laurel-sandbox" }
    const known = await requestCore(guarded.url, "/session", {
      method: "POST",
      body,
      headers: from("192.0.2.1"),
    })
    const { cookie } = personOf(guarded.url, known)
    const guesses = () =>
      Array.from({ length: 5 }, (_, at) =>
        requestCore(guarded.url, "/session", {
          method: "POST",
          body: { email, password: "a-wrong-password" },
          headers: from(`198.51.100.${at}`),
        }),
      )
    expect((await Promise.all(guesses())).map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
    simulateAttack(dataDir)
    expect((await Promise.all(guesses())).map(({ status }) => status)).toEqual([429, 429, 429, 429, 429])
    const elsewhere = await requestCore(guarded.url, "/session", {
      method: "POST",
      body,
      headers: from("203.0.113.1"),
    })
    expect(elsewhere.status).toBe(429)
    const wait = Number(elsewhere.headers.get("Retry-After"))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(30)
    // The user's known browser, from any address. Its cookie proves nothing for another account.
    const headers = { ...from("203.0.113.1"), Cookie: cookie }
    expect((await requestCore(guarded.url, "/session", { method: "POST", body, headers })).status).toBe(200)
    const another = cookie.replace(
      /(laurel\.browser=[^.]+\.)(.)/,
      (_, start: string, first: string) => start + (first === "A" ? "B" : "A"),
    )
    expect(another).not.toBe(cookie)
    const altered = { ...from("203.0.113.1"), Cookie: another }
    expect(
      (await requestCore(guarded.url, "/session", { method: "POST", body, headers: altered })).status,
    ).toBe(429)
    await guarded.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test("successful sign-ins are never counted", async () => {
    const guarded = await startApp({ signInLimits: { perAccount: 2, perPerson: 1, perAddress: 3 } })
    for (let at = 0; at < 4; at++) {
      await expect(guarded.signIn("manager")).resolves.toBeDefined()
    }
    await guarded.close()
  })
})

describe("changing one's password", () => {
  const next = "quite another sentence"
  const put = (person: Person, current_password: string, new_password = next) =>
    person.ask("/session/password", { method: "PUT", body: { current_password, new_password } })

  test("needs the current password and ends other sessions and open links", async () => {
    const { id, email, person } = await newUser(app.url, admin, "viewer")
    const other = await signInAs(app.url, email, newPassword)
    const link = dataOf(await admin.ask(`/users/${id}/link`, { method: "POST" }), passwordLink)
    const wrong = await put(person, "not-the-password")
    expect([wrong.status, fieldsOf(wrong)]).toEqual([422, ["current_password"]])
    expect((await other.ask("/session")).status).toBe(200)
    const changed = await put(person, newPassword)
    expect(changed.status).toBe(204)
    expect((await person.ask("/session")).status).toBe(200)
    expect((await other.ask("/session")).status).toBe(401)
    expect((await setPassword(app.url, tokenOf(link.path))).status).toBe(404)
    await expect(signInAs(app.url, email, newPassword)).rejects.toThrow("401")
    await expect(signInAs(app.url, email, next)).resolves.toBeDefined()
    const log = dataOf(await admin.ask("/audit?action=session.password_change"), z.array(auditEntry))
    expect(log.map(({ outcome, actor }) => [outcome, actor.id])).toEqual([
      ["done", id],
      ["refused", id],
    ])
    expect(JSON.stringify(log)).not.toContain(next)
  })

  test("refuses an easily guessed password, here and through a link", async () => {
    const { id, person } = await newUser(app.url, admin, "viewer")
    const easy = await put(person, newPassword, "Password2026!")
    expect([easy.status, fieldsOf(easy)]).toEqual([422, ["new_password"]])
    const link = dataOf(await admin.ask(`/users/${id}/link`, { method: "POST" }), passwordLink)
    const byLink = await setPassword(app.url, tokenOf(link.path), { password: "qwertyuiop12" })
    expect([byLink.status, fieldsOf(byLink)]).toEqual([422, ["password"]])
    // The link is still valid.
    expect((await setPassword(app.url, tokenOf(link.path))).status).toBe(200)
  })

  test("limits wrong current passwords", async () => {
    const { person } = await newUser(app.url, admin, "viewer")
    expect(fieldsOf(await put(person, "a guess"))).toEqual(["current_password"])
    simulateAttack(data)
    const right = await put(person, newPassword)
    expect(right.status).toBe(422)
    expect(JSON.stringify(right.body)).toMatch(/Too many wrong passwords\. Wait \d+ seconds/)
  })

  test("needs a session and the guard header", async () => {
    const body = { current_password: newPassword, new_password: next }
    expect((await requestCore(app.url, "/session/password", { method: "PUT", body })).status).toBe(401)
    const headers = { "X-Laurel": "0" }
    expect((await admin.ask("/session/password", { method: "PUT", body, headers })).status).toBe(403)
  })
})

describe("the first administrator", () => {
  test("is created once through the set-up link, without demo accounts", async () => {
    const fresh = await startApp(real({}))
    const token = tokenOf(fresh.setUpPath ?? "")
    expect(dataOf(await requestCore(fresh.url, "/about"), about)).toMatchObject({
      set_up_needed: true,
      demo_accounts: [],
    })
    await expect(fresh.signIn("admin")).rejects.toThrow("401")
    expect((await setPassword(fresh.url, token)).status).toBe(422)
    const details = { name: "Helen Park", email: "Helen@program.example" }
    const made = personOf(fresh.url, await setPassword(fresh.url, token, details))
    expect(made.session.user).toMatchObject({ role: "admin", email: "helen@program.example" })
    expect((await setPassword(fresh.url, token, details)).status).toBe(404)
    expect(dataOf(await requestCore(fresh.url, "/about"), about).set_up_needed).toBe(false)
    await fresh.close()
  })

  test("is created from the environment if there is none", async () => {
    const env = { ADMIN_EMAIL: "Helen@program.example", ADMIN_PASSWORD: newPassword }
    const fresh = await startApp(real(env))
    expect(fresh.setUpPath).toBeUndefined()
    const person = await signInAs(fresh.url, "helen@program.example", newPassword)
    expect(person.session.user.role).toBe("admin")
    await fresh.close()
  })
})

/** Simulates a long attack that continues now, so that the longest delay applies on any machine. */
function simulateAttack(dataDir: string): void {
  const file = new DatabaseSync(join(dataDir, "sandbox.db"))
  file.exec("pragma busy_timeout = 5000")
  file.exec("update sign_in_attempt set failures = 30, last_at = cast(unixepoch('subsec') * 1000 as integer)")
  file.close()
}

function fieldsOf(answer: TestResponse): string[] | undefined {
  return appError.safeParse(answer.body).data?.error.details?.fields?.map(({ field }) => field)
}

function stripId(body: unknown): string {
  return JSON.stringify(body).replace(/"requestId":"[^"]*"/, "")
}
