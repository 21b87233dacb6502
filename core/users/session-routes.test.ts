import { describe, expect, it } from "vitest"
import { madeUpJob, madeUpRow, makerOf } from "../../tests/support/made-up-jobs.ts"
import { createFakeAccounts, createTestKit } from "../../tests/support/test-kit.ts"
import type { Auth, OpenSession } from "./accounts.ts"

const tom = { id: "usr_tom", name: "tom", email: "tom@laurel.test", role: "fulfilment" } as const
const password = "a password of Tom"

/** Tom's browser, signed in with the cookie `tom`. */
async function kit(overrides: Partial<Auth["sessions"]> = {}) {
  const { app, ask, events, store } = createTestKit()
  const open: OpenSession = { user: tom, sessionId: "s1", cookies: [] }
  const read = async (cookies: string | undefined) => (cookies === "tom" ? open : undefined)
  const allowed = async () => ({ succeeded: async () => undefined })
  const handle = app.sessionHandler({
    accounts: createFakeAccounts(),
    sessions: {
      read,
      signIn: async (email, given) =>
        email === tom.email && given === password ? { ...open, cookies: ["tom"] } : undefined,
      end: read,
      list: async () => [],
      endOtherSessions: async () => undefined,
      cleared: async () => [""],
      ...overrides,
    },
    throttle: {
      signIn: async ({ address }) => (address === "192.0.2.9" ? { waitMs: 1500 } : allowed()),
      link: allowed,
      ownPassword: allowed,
      browserCookie: () => "known",
    },
    linkPurpose: async () => undefined,
    setPassword: async () => "link_unknown",
    changePassword: async () => "changed",
    signInHelp: async () => ({ set_up_needed: false, demo_accounts: [] }),
  })
  const browser = { cookies: "tom" }
  const send = (line: string, body?: unknown, source = "192.0.2.1") => {
    const [method = "", path = ""] = line.split(" ")
    const setCookies = ([cookie = ""]: readonly string[]) =>
      void (browser.cookies = cookie || browser.cookies)
    const sent = { method, path, body, source, requestId: "r", header: () => undefined, onSession() {} }
    return handle({ ...sent, cookies: browser.cookies, setCookies })
  }
  const closesAt = (await store.jobs.now()) + 60_000
  const job = madeUpJob({ kind: "order-update", createdBy: makerOf("tom", "fulfilment"), closesAt })
  const made = await store.jobs.create(job, [madeUpRow({ points: null })])
  if (typeof made === "string") throw new Error(made)
  const isJobOpen = async () => (await store.jobs.get(made.job.id))?.isOpen
  const acts = async () => {
    const { body } = await ask("GET /audit", { role: "admin" })
    return body
  }
  return { send, isJobOpen, acts, events }
}

describe("session routes", () => {
  it("sign-out closes the user's open job and is audited", async () => {
    const { send, isJobOpen, acts, events } = await kit()
    expect(await isJobOpen()).toBe(true)
    expect((await send("DELETE /session")).status).toBe(204)
    expect(await isJobOpen()).toBe(false)
    expect(await acts()).toMatchObject({ data: [{ action: "session.sign_out", actor: { id: tom.id } }] })
    expect(events).toContainEqual({ topic: "session", id: tom.id })
  })

  it("sign-in ends the browser's earlier session and closes its open job", async () => {
    const { send, isJobOpen, acts } = await kit()
    const response = await send("POST /session", { email: tom.email, password })
    expect(response).toMatchObject({ status: 200, body: { data: { user: { id: tom.id } } } })
    expect(await isJobOpen()).toBe(false)
    expect(await acts()).toMatchObject({
      data: [
        { action: "session.sign_in", outcome: "done" },
        { action: "session.sign_out", note: "Ended by a new sign-in in the same browser." },
      ],
    })
  })

  it("a wrong password is audited and leaves the session and its job open", async () => {
    const { send, isJobOpen, acts } = await kit()
    await expect(send("POST /session", { email: tom.email, password: "no" })).rejects.toMatchObject({
      status: 401,
      code: "wrong_credentials",
    })
    expect(await isJobOpen()).toBe(true)
    expect(await acts()).toMatchObject({ data: [{ action: "session.sign_in_refused", outcome: "refused" }] })
  })

  it("a throttled sign-in is refused with Retry-After, its password is not checked", async () => {
    const { send } = await kit({
      signIn: () => Promise.reject(new Error("The password was checked.")),
    })
    await expect(send("POST /session", { email: tom.email, password }, "192.0.2.9")).rejects.toMatchObject({
      status: 429,
      headers: { "Retry-After": "2" },
    })
  })

  it("sign-out with a failing store says that the session is still open", async () => {
    const { send, isJobOpen } = await kit({ end: () => Promise.reject(new Error("disk full")) })
    await expect(send("DELETE /session")).rejects.toMatchObject({ status: 503 })
    expect(await isJobOpen()).toBe(true)
  })

  it("refuse unknown paths and methods", async () => {
    const { send } = await kit()
    await expect(send("GET /session/lists")).rejects.toMatchObject({ status: 404 })
    await expect(send("PUT /session")).rejects.toMatchObject({ status: 405 })
  })
})
