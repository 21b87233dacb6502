import { afterAll, beforeAll, describe, expect, test } from "vitest"
import "../support/patience.ts"
import { about } from "../../contract/desk/session.ts"
import { newPassword, setPassword, tokenOf } from "../support/new-user.ts"
import { askDesk, codeOf, dataOf, personOf, type Person, signInAs } from "../support/person.ts"
import { type DeskOptions, startDesk, type TestDesk } from "../support/server.ts"

let desk: TestDesk
let admin: Person

beforeAll(async () => {
  desk = await startDesk()
  admin = await desk.signIn("admin")
})
afterAll(() => desk.close())

function guess(url: string, email: string) {
  return askDesk(url, "/session", { method: "POST", body: { email, password: "a-wrong-password" } })
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

describe("the first administrator", () => {
  test("is made once through the set-up link, and no demo account exists", async () => {
    const fresh = await startDesk(real({}))
    const token = tokenOf(fresh.setUpPath ?? "")
    expect(dataOf(await askDesk(fresh.url, "/about"), about)).toMatchObject({
      set_up_needed: true,
      demo_accounts: [],
    })
    await expect(fresh.signIn("admin")).rejects.toThrow("401")
    expect((await setPassword(fresh.url, token)).status).toBe(422)
    const details = { name: "Helen Park", email: "Helen@program.example" }
    const made = personOf(fresh.url, await setPassword(fresh.url, token, details))
    expect(made.session.user).toMatchObject({ role: "admin", email: "helen@program.example" })
    expect((await setPassword(fresh.url, token, details)).status).toBe(404)
    expect(dataOf(await askDesk(fresh.url, "/about"), about).set_up_needed).toBe(false)
    await fresh.close()
  })

  test("is the one the environment names, where there is none", async () => {
    const env = { ADMIN_EMAIL: "Helen@program.example", ADMIN_PASSWORD: newPassword }
    const fresh = await startDesk(real(env))
    expect(fresh.setUpPath).toBeUndefined()
    const person = await signInAs(fresh.url, "helen@program.example", newPassword)
    expect(person.session.user.role).toBe("admin")
    await fresh.close()
  })
})

function stripId(body: unknown): string {
  return JSON.stringify(body).replace(/"requestId":"[^"]*"/, "")
}
