import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { demoPassword, demoPeople } from "../../sandbox/seed/people.ts"
import { quietLog } from "../../tests/support/quiet-log.ts"
import type { Auth } from "../../core/users/accounts.ts"
import type { Engine } from "../store/engine.ts"
import { migrate } from "../store/migrations.ts"
import { openSqlite } from "../store/sqlite.ts"
import { createAuth, ensureFirstAdmin } from "./auth.ts"
import { addDemoAccounts, closeDemoAccounts } from "./demo-accounts.ts"
import { refreshSeconds, sessionSeconds } from "./sessions.ts"

const options = {
  secret: "a-secret-of-the-tests-0123456789-abcdef",
  publicOrigin: undefined,
  log: quietLog,
  environment: "sandbox",
} as const
const [helen, priya] = demoPeople.map((person) => ({ ...person, password: demoPassword }))

let folder: string
let engine: Engine
let auth: Auth
let files = 0

/** A store with the demo accounts, whose password hashes take long; each test has a copy. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "laurel-auth-"))
  const seeded = openSqlite(join(folder, "seeded.db"), quietLog)
  await migrate(seeded)
  await addDemoAccounts(seeded)
  await seeded.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeEach(() => {
  const file = join(folder, `app-${++files}.db`)
  copyFileSync(join(folder, "seeded.db"), file)
  engine = openSqlite(file, quietLog)
  auth = createAuth({ engine, ...options })
})
afterEach(async () => {
  await engine.close()
})

/** Signs Priya in; her cookie header. */
async function cookieOfPriya(from: Auth = auth): Promise<string> {
  const opened = await from.sessions.signIn(priya?.email ?? "", priya?.password ?? "")
  return opened?.cookies.map((cookie) => cookie.split(";", 1)[0]).join("; ") ?? ""
}

/** Sets the expiry of every session to `seconds` from now. */
async function letSessionsEndIn(seconds: number): Promise<void> {
  const expires_at = new Date(Date.now() + seconds * 1000).toISOString()
  await engine.db.updateTable("app_session").set({ expires_at }).execute()
}

describe("a session", () => {
  test("in use is lengthened every few minutes; watching events does not lengthen it", async () => {
    const cookie = await cookieOfPriya()
    expect((await auth.sessions.read(cookie, "use"))?.cookies).toEqual([])
    await letSessionsEndIn(sessionSeconds - refreshSeconds - 1)
    expect((await auth.sessions.read(cookie, "watch"))?.cookies).toEqual([])
    const renewedFrom = Date.now() - 1
    const used = await auth.sessions.read(cookie, "use")
    expect(used?.cookies.join()).toContain(`Max-Age=${sessionSeconds}`)
    const rows = await engine.db.selectFrom("app_session").select("expires_at").execute()
    const leftMs = new Date(rows[0]?.expires_at ?? 0).getTime() - Date.now()
    expect(leftMs).toBeGreaterThan((sessionSeconds - 60) * 1000)
    const user = (await auth.accounts.list()).find(({ email }) => email === priya?.email)
    expect(Date.parse(user?.last_seen_at ?? "")).toBeGreaterThan(renewedFrom)
  })

  test("ends when it was not used for its time", async () => {
    const cookie = await cookieOfPriya()
    expect(await auth.sessions.read(cookie, "watch")).toBeDefined()
    await letSessionsEndIn(-1)
    expect(await auth.sessions.read(cookie, "use")).toBeUndefined()
    expect(await auth.sessions.read(cookie, "watch")).toBeUndefined()
  })

  test("is deleted after its end when the next session opens", async () => {
    await cookieOfPriya()
    await cookieOfPriya()
    await letSessionsEndIn(-1)
    const cookie = await cookieOfPriya()
    expect(await engine.db.selectFrom("app_session").select("id").execute()).toHaveLength(1)
    expect(await auth.sessions.read(cookie, "use")).toBeDefined()
  })

  test("ends after its longest time, however much it is used", async () => {
    const cookie = await cookieOfPriya()
    const begin = (daysAgo: number) =>
      engine.db
        .updateTable("app_session")
        .set({ created_at: new Date(Date.now() - daysAgo * 86_400_000).toISOString() })
        .execute()
    await begin(6.9)
    expect(await auth.sessions.read(cookie, "use")).toBeDefined()
    await begin(7)
    const longer = createAuth({ engine, ...options, longestSession: 8 * 86_400 })
    expect(await longer.sessions.read(cookie, "use")).toBeDefined()
    expect(await auth.sessions.read(cookie, "use")).toBeUndefined()
    expect(await auth.sessions.read(cookie, "watch")).toBeUndefined()
    // The same for a process that sees the cookie for the first time.
    expect(await createAuth({ engine, ...options }).sessions.read(cookie, "use")).toBeUndefined()
    expect(await engine.db.selectFrom("app_session").select("id").execute()).toEqual([])
  })

  test("that the store cannot read is logged with the store's error", async () => {
    const errors: unknown[] = []
    const log = { ...quietLog, error: (fields: object) => void errors.push(fields) }
    const logged = createAuth({ engine, ...options, log })
    const cookie = await cookieOfPriya(logged)
    await engine.db.schema.dropTable("app_session").execute()
    await expect(logged.sessions.read(cookie, "use")).rejects.toThrow("Failed to get session")
    expect(errors).toMatchObject([{ err: { message: expect.stringContaining("app_session") } }])
  })

  test("is worth nothing under another secret", async () => {
    const other = createAuth({ engine, ...options, secret: "another-secret-of-the-tests-0123456789" })
    expect(await other.sessions.read(await cookieOfPriya(), "use")).toBeUndefined()
  })

  test("of a user who was disabled behind everybody's back ends, too", async () => {
    const cookie = await cookieOfPriya()
    await engine.db
      .updateTable("app_user")
      .set({ disabled_at: "2026-01-01T00:00:00.000Z" })
      .where("email", "=", priya?.email ?? "")
      .execute()
    expect(await auth.sessions.read(cookie, "use")).toBeUndefined()
    expect(await cookieOfPriya()).toBe("")
  })
})

describe("wrong passwords", () => {
  const signInLimits = { perAccount: 3, perPerson: 100, perAddress: 100 }
  const attempt = (from: Auth, address: string, email = priya?.email ?? "") =>
    from.throttle.signIn({ email, address, cookieHeader: undefined })
  const waitOf = async (from: Auth, address: string) => {
    const taken = await attempt(from, address)
    return "waitMs" in taken ? taken.waitMs : 0
  }

  test("of one account delay the next attempt, longer each time, up to half a minute, on every instance", async () => {
    let now = 1_800_000_000_000
    const clocked: Engine = {
      ...engine,
      now: async () => now,
      lock: async (within, name) => {
        await engine.lock(within, name)
        return now
      },
    }
    const one = createAuth({ ...options, engine: clocked, signInLimits })
    const other = createAuth({ ...options, engine: clocked, signInLimits })
    // Twenty parallel guesses count the same as twenty in a row.
    const atOnce = await Promise.all(Array.from({ length: 20 }, (_, at) => waitOf(one, `192.0.2.${at}`)))
    expect(atOnce.filter((wait) => wait === 0)).toHaveLength(3)
    const waits = []
    for (let at = 0; at < 8; at += 1) {
      const wait = await waitOf(at % 2 === 0 ? other : one, `198.51.100.${at}`)
      waits.push(wait / 1000)
      // The next one is accepted exactly at the announced time, and counted.
      now += wait
      expect(await waitOf(one, `203.0.113.${at}`)).toBe(0)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30])
    // Other accounts and other cases of the same one.
    expect(await attempt(other, "192.0.2.99", helen?.email)).toHaveProperty("succeeded")
    expect(await attempt(other, "192.0.2.99", priya?.email.toUpperCase())).toHaveProperty("waitMs")
    // One is forgotten each minute: half an hour after the last of an attack there is no delay.
    now += 31 * 60_000
    expect(await waitOf(other, "192.0.2.99")).toBe(0)
  })

  test("are forgotten with the right one", async () => {
    const limited = createAuth({ engine, ...options, signInLimits })
    for (let at = 0; at < 2; at += 1) await attempt(limited, "192.0.2.1")
    const right = await attempt(limited, "192.0.2.1")
    if ("succeeded" in right) await right.succeeded()
    for (let at = 0; at < 3; at += 1) expect(await waitOf(limited, "192.0.2.1")).toBe(0)
    expect(await waitOf(limited, "192.0.2.1")).toBeGreaterThan(0)
  })

  test("from one IPv6 network count as one address, and nothing readable is stored", async () => {
    const strict = createAuth({ engine, ...options, signInLimits: { ...signInLimits, perAddress: 2 } })
    expect(await waitOf(strict, "2001:db8:1:100::1")).toBe(0)
    expect(await waitOf(strict, "2001:db8:1:1ff:aaaa::2")).toBe(0)
    expect(await waitOf(strict, "2001:db8:1:142::3")).toBeGreaterThan(60_000)
    expect(await waitOf(strict, "2001:db8:1:200::1")).toBe(0)
    const rows = JSON.stringify(await engine.db.selectFrom("sign_in_attempt").selectAll().execute())
    expect(rows).not.toMatch(/db8|laurel\.demo/)
  })
})

describe("administrators", () => {
  test("who demote each other in parallel: one of them stays administrator", async () => {
    const made = await auth.accounts.create({ name: "Lea Moor", email: "lea@laurel.example", role: "admin" })
    const users = await auth.accounts.list()
    const first = users.find(({ email }) => email === helen?.email)
    if (typeof made === "string" || first === undefined) throw new Error("Both administrators are needed.")
    const token = made.link.path.split("token=")[1] ?? ""
    await auth.setPassword({ token, password: "a-long-enough-password" })
    const results = await Promise.all([
      auth.accounts.update(first.id, { role: "viewer" }, made.user.id),
      auth.accounts.update(made.user.id, { disabled: true }, first.id),
    ])
    expect(results.filter((result) => result === "last_admin")).toHaveLength(1)
  })

  test("one without a password does not count: the start offers a link", async () => {
    expect(await ensureFirstAdmin(engine, undefined)).toBeUndefined()
    await closeDemoAccounts(engine)
    await auth.accounts.create({ name: "Lea Moor", email: "lea@laurel.example", role: "admin" })
    expect(await ensureFirstAdmin(engine, undefined)).toMatchObject({
      path: expect.stringMatching(/^\/set-password#token=[\da-f]{64}$/),
    })
  })
})

test("ADMIN_PASSWORD is checked when the account is about to be made, and not before", async () => {
  const weak = { email: "helen.park@program.example", password: "Welcome2026!" }
  // With an administrator, the environment's one is not created.
  expect(await ensureFirstAdmin(engine, weak)).toBeUndefined()
  await closeDemoAccounts(engine)
  await expect(ensureFirstAdmin(engine, weak)).rejects.toThrow(/^ADMIN_PASSWORD: .*easy to guess/)
  await expect(ensureFirstAdmin(engine, { ...weak, password: "short" })).rejects.toThrow(/At least/)
  await ensureFirstAdmin(engine, { ...weak, password: "three teal umbrellas" })
  expect(await ensureFirstAdmin(engine, weak)).toBeUndefined()
})

test("a one-time link is kept as a hash, and too old a one opens nothing", async () => {
  const users = await auth.accounts.list()
  const link = await auth.accounts.link(users[0]?.id ?? "")
  if (typeof link === "string") throw new Error("There was no link.")
  const token = link.path.split("token=")[1] ?? ""
  const rows = await engine.db.selectFrom("one_time_link").selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(await auth.linkPurpose(token)).toEqual({ purpose: "password", email: users[0]?.email })
  await engine.db
    .updateTable("one_time_link")
    .set({ expires_at: Date.now() - 1 })
    .execute()
  expect(await auth.linkPurpose(token)).toBeUndefined()
  expect(await auth.setPassword({ token, password: "a-long-enough-password" })).toBe("link_unknown")
})

test("demo accounts are closed in a store that is not the sandbox's", async () => {
  const cookie = await cookieOfPriya()
  await closeDemoAccounts(engine)
  expect(await auth.sessions.read(cookie, "use")).toBeUndefined()
  expect(await cookieOfPriya()).toBe("")
  expect((await auth.signInHelp()).demo_accounts).toEqual([])
})
