import type { SqlJsStatic } from "sql.js"
import {
  consumeLink,
  createAccounts,
  insertUser,
  readLinkPurpose,
  readUser,
  writePassword,
} from "../../bff/auth/users.ts"
import type { Engine } from "../../bff/store/engine.ts"
import { storeHistory } from "../../bff/store/history.ts"
import { type AppUser, type ChangePasswordBody, demoPassword, demoPeople } from "../../contract/users.ts"
import { createCore } from "../../core/app.ts"
import { createEventBus, realClock } from "../../core/runtime.ts"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"
import { cardSettings } from "../../sandbox/seed/cards.ts"
import { pastYear } from "../../sandbox/seed/history.ts"
import { demoLog, openDemoStore } from "./demo-store.ts"
import { createSandboxUpstream } from "./sandbox-upstream.ts"
import { changeRecorder, savedState, type SavedState, withSeededCodes } from "./saved-state.ts"
import { faultPresets } from "../../sandbox/seed/fault-presets.ts"

/** Requests per minute, as for a real key (docs/api/program.md, Limits). */
const rateLimit = 60
/** Shorter than for a real service, to keep the demo fast. In ms. */
const jobTimes = { settleMs: 15_000, recheckMs: 5000, leaseMs: 30_000, callMs: 12_000 }

/** The whole product in one tab: both services, the server's core, and its users. */
export type DemoWorld = Awaited<ReturnType<typeof buildWorld>>

/**
 * Assembles the world with the saved state of an earlier visit, not validated yet; `discarded`: it could not be used,
 * because it is damaged or of another version.
 */
export async function openDemoWorld(options: { sqlite: SqlJsStatic; version: string; saved?: unknown }) {
  const { sqlite, version, saved } = options
  const parsed = savedState.safeParse(saved)
  if (parsed.success) {
    try {
      const sandbox = newSandbox()
      const store = await openDemoStore(sqlite, parsed.data.store)
      if (sandbox.restore(withSeededCodes(parsed.data.sandbox)))
        return { world: await buildWorld(version, sandbox, store, parsed.data), discarded: false }
    } catch {
      // A record does not match this version, so the saved state is discarded.
    }
  }
  const sandbox = newSandbox()
  const store = await openDemoStore(sqlite)
  await storeHistory(store.engine, () => pastYear(sandbox.store))
  const world = await buildWorld(version, sandbox, store, undefined)
  return { world, discarded: saved !== undefined }
}

function newSandbox(): Sandbox {
  return createSandbox({ rateLimit, giftcardRateLimit: rateLimit })
}

async function buildWorld(
  version: string,
  sandbox: Sandbox,
  store: Awaited<ReturnType<typeof openDemoStore>>,
  saved: SavedState | undefined,
) {
  const events = createEventBus((error) => demoLog.error({ err: error }, "A listener failed."))
  const accounts = await createDemoAccounts(store.engine)
  const inThisTab = { baseUrl: "the sandbox in this tab", keyEnd: demoKey.slice(-4), rateLimit }
  const core = createCore({
    config: {
      version,
      environment: "sandbox",
      startedAt: Date.now(),
      apis: { program: inThisTab, giftcard: inThisTab },
      jobs: jobTimes,
      settings: cardSettings,
    },
    store,
    upstream: createSandboxUpstream((request) => sandbox.fetch(request)),
    // Only one tab at a time runs the demo, so any previous process has ended.
    processes: { self: {}, look: async () => "gone" },
    clock: realClock,
    events,
    accounts,
    metrics: { upstreamCall() {}, budgetWait() {}, cacheRead() {} },
    log: demoLog,
  })
  const changes = changeRecorder(sandbox, saved?.sandbox ?? [])
  // A preset may consist of several sandbox rules.
  const rules = new Map<string, readonly string[]>()
  const setFault = (id: string, on: boolean) => {
    for (const rule of rules.get(id) ?? []) sandbox.faults.remove(rule)
    rules.delete(id)
    const preset = faultPresets.find((one) => one.id === id)
    const added = on ? preset?.rules.map((rule) => sandbox.faults.add(rule).id) : undefined
    if (added !== undefined) rules.set(id, added)
  }
  const world = {
    version,
    sandbox,
    core,
    events,
    accounts,
    /** Id of the signed-in user: one session per browser, like a cookie. */
    session: saved?.session ?? null,
    faults: () => [...rules.keys()],
    setFault,
    snapshot: () =>
      store.exported((file): SavedState => ({
        version: 5,
        session: world.session,
        sandbox: changes(),
        store: file,
      })),
  }
  return world
}

/** Stored in place of a password hash: no password is stored. */
const noHash = ""

/** The server's accounts over the demo's store, with sign-in and the demo's users. */
async function createDemoAccounts(engine: Engine) {
  const { db } = engine
  const accounts = createAccounts(engine)
  /** Passwords set in this tab, lost when it closes. */
  const passwords = new Map<string, string>()
  const passwordOf = (id: string) => passwords.get(id) ?? demoPassword
  for (const person of demoPeople) await insertUser(db, person, noHash)

  const opening = async () => (await accounts.list()).filter((user) => user.has_password && !user.disabled)
  const forgetLinks = (id: string) => db.deleteFrom("one_time_link").where("user_id", "=", id).execute()
  return {
    ...accounts,
    /** The user with these credentials; undefined if they are wrong or the account is disabled. */
    async check(email: string, password: string) {
      const user = (await opening()).find((one) => one.email === email.toLowerCase())
      return user !== undefined && passwordOf(user.id) === password ? user : undefined
    },
    /** The user if they are active; records their activity. */
    async active(id: string | null): Promise<AppUser | undefined> {
      const user = id === null ? undefined : await accounts.get(id)
      if (user === undefined || user.disabled) return undefined
      await db.updateTable("app_user").set({ last_seen_at: Date.now() }).where("id", "=", user.id).execute()
      return user
    },
    /** When the user last signed in, in ms since the epoch. */
    async signedInAt(id: string): Promise<number | undefined> {
      const signIns = db
        .selectFrom("audit")
        .where("actor_id", "=", id)
        .where("action", "=", "session.sign_in")
      return (await signIns.select("at").orderBy("seq", "desc").limit(1).executeTakeFirst())?.at
    },
    linkPurpose: (token: string) => readLinkPurpose(engine, token),
    /** Sets a password through a one-time link and returns the user; undefined if the link is invalid. */
    async setPassword(token: string, password: string) {
      const link = await consumeLink(db, token, await engine.now())
      const user = link?.userId ? await readUser(db, link.userId) : undefined
      if (user === undefined || user.disabled) return undefined
      await writePassword(db, user.id, noHash)
      passwords.set(user.id, password)
      return user
    },
    /** Changes a user's own password; false if the current one is wrong. */
    async changePassword(id: string, body: ChangePasswordBody) {
      if (passwordOf(id) !== body.current_password) return false
      passwords.set(id, body.new_password)
      await forgetLinks(id)
      return true
    },
    /** Users that the sign-in page offers with one click; those with their own password must type it. */
    offered: async () => {
      const open = await opening()
      return demoPeople.flatMap(({ id }) => open.filter((user) => user.id === id && !passwords.has(id)))
    },
  }
}
