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
import { settingsDocuments } from "../../contract/settings.ts"
import type { AppUser } from "../../contract/users.ts"
import { demoAccount, demoPassword, demoPeople } from "../../sandbox/seed/people.ts"
import { createCore } from "../../core/app.ts"
import { createInProcessDispatcher } from "../../core/dispatch.ts"
import { createEventBus, realClock } from "../../core/runtime.ts"
import type { Auth, OpenSession } from "../../core/users/accounts.ts"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"
import { cardSettings } from "../../sandbox/seed/cards.ts"
import { pastYear } from "../../sandbox/seed/history.ts"
import {
  changeRecorder,
  demoLog,
  fillDemoBooks,
  fillDemoCopy,
  openDemoCopy,
  openDemoStore,
  savedState,
  type SavedState,
  withSeededCodes,
} from "./demo-store.ts"
import { createSandboxUpstream } from "./sandbox-upstream.ts"
import { faultPresets } from "../../sandbox/seed/fault-presets.ts"

/** Requests per minute, as for a real key (docs/api/program.md, Limits). */
const rateLimit = 60
/** Shorter than for a real service, to keep the demo fast. In ms. */
const jobTimes = { settleMs: 15_000, recheckMs: 5000, leaseMs: 30_000, callMs: 12_000 }

/** The whole product in one tab: both services, the server's core, and its users. */
export type DemoWorld = Awaited<ReturnType<typeof buildWorld>>

/**
 * Assembles the world with the saved state of an earlier visit, not validated yet; it starts afresh if that is damaged
 * or of another version.
 */
export async function openDemoWorld(options: { sqlite: SqlJsStatic; version: string; saved?: unknown }) {
  const { sqlite, version, saved } = options
  const parsed = savedState.safeParse(saved)
  if (parsed.success) {
    try {
      const sandbox = newSandbox()
      const store = await openDemoStore(sqlite, parsed.data.store)
      if (sandbox.restore(withSeededCodes(parsed.data.sandbox)))
        return await buildWorld(version, sandbox, store, sqlite, parsed.data)
    } catch {
      // A record does not match this version, so the saved state is discarded.
    }
  }
  const sandbox = newSandbox()
  const store = await openDemoStore(sqlite)
  await storeHistory(store.engine, () => pastYear(sandbox.store))
  return buildWorld(version, sandbox, store, sqlite, undefined)
}

function newSandbox(): Sandbox {
  return createSandbox({ rateLimit, giftcardRateLimit: rateLimit })
}

async function buildWorld(
  version: string,
  sandbox: Sandbox,
  store: Awaited<ReturnType<typeof openDemoStore>>,
  sqlite: SqlJsStatic,
  saved: SavedState | undefined,
) {
  const events = createEventBus((error) => demoLog.error({ err: error }, "A listener failed."))
  const auth = await createDemoAuth(store.engine)
  const copy = await openDemoCopy(sqlite)
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
    copy,
    upstream: createSandboxUpstream(sandbox, realClock, jobTimes.callMs),
    // Only one tab at a time runs the demo, so any previous process has ended.
    processes: { self: { instance: "This tab" }, alone: true, hasEnded: () => true },
    clock: realClock,
    dispatcher: createInProcessDispatcher(realClock, demoLog),
    events,
    accounts: auth.accounts,
    metrics: { upstreamCall() {}, budgetWait() {}, cacheRead() {}, runTakenOver() {} },
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
  const over = new AbortController()
  fillDemoCopy(copy, sandbox, over.signal)
    .then(() => fillDemoBooks(store.books, copy, settingsDocuments.program.initial.time_zone))
    .catch((error: unknown) => {
      if (!over.signal.aborted) demoLog.error({ err: error }, "The local copy could not be filled.")
    })
  const world = {
    sandbox,
    core,
    events,
    auth,
    handleSession: core.sessionHandler(auth),
    /** Id of the signed-in user: one session per browser, like a cookie. */
    session: saved?.session ?? undefined,
    faults: () => [...rules.keys()],
    setFault,
    snapshot: () =>
      store.exported((file): SavedState => ({
        version: 5,
        session: world.session ?? null,
        sandbox: changes(),
        store: file,
      })),
    /** Ends what works in the background. */
    async stop() {
      over.abort()
      await core.stop()
    },
  }
  return world
}

/** Stored in place of a password hash: no password is stored. */
const noHash = ""

function openedFor({ id, name, email, role }: AppUser, cookies: readonly string[]): OpenSession {
  return { user: { id, name, email, role }, sessionId: id, cookies }
}

const unlimited = async () => ({ succeeded: async () => {} })

/** The server's accounts over the demo's store. A session's cookie is the id of its user. */
async function createDemoAuth(engine: Engine): Promise<Auth> {
  const { db } = engine
  const accounts = createAccounts(engine)
  /** Passwords set in this tab, lost when it closes. */
  const passwords = new Map<string, string>()
  const passwordOf = (id: string) => passwords.get(id) ?? demoPassword
  for (const person of demoPeople) await insertUser(db, person, noHash)

  const canSignIn = async () => (await accounts.list()).filter((user) => user.has_password && !user.disabled)
  async function read(id: string | undefined, how: "use" | "watch") {
    const user = id ? await accounts.get(id) : undefined
    if (user === undefined || user.disabled) return undefined
    const seen = db.updateTable("app_user").set({ last_seen_at: Date.now() }).where("id", "=", user.id)
    if (how === "use") await seen.execute()
    return openedFor(user, [])
  }
  return {
    accounts,
    sessions: {
      read,
      async signIn(email, password) {
        const user = (await canSignIn()).find((one) => one.email === email.toLowerCase())
        return user && passwordOf(user.id) === password ? openedFor(user, [user.id]) : undefined
      },
      end: (id) => read(id, "watch"),
      // The demo has only this tab's session.
      async list({ sessionId: id }) {
        const signIns = db
          .selectFrom("audit")
          .where("actor_id", "=", id)
          .where("action", "=", "session.sign_in")
        const last = await signIns.select("at").orderBy("seq", "desc").limit(1).executeTakeFirst()
        const created_at = new Date(last?.at ?? Date.now()).toISOString()
        const last_seen_at = new Date().toISOString()
        return [{ id, current: true, browser: navigator.userAgent, created_at, last_seen_at }]
      },
      endOtherSessions: async () => {},
      cleared: async () => [""],
    },
    throttle: { signIn: unlimited, link: unlimited, ownPassword: unlimited, browserCookie: () => "" },
    linkPurpose: (token) => readLinkPurpose(engine, token),
    async setPassword({ token, password }) {
      const link = await consumeLink(db, token, await engine.now())
      const user = link?.userId ? await readUser(db, link.userId) : undefined
      if (user === undefined || user.disabled) return "link_unknown"
      await writePassword(db, user.id, noHash)
      passwords.set(user.id, password)
      return { email: user.email, userId: user.id }
    },
    async changePassword({ user }, body) {
      if (passwordOf(user.id) !== body.current_password) return "wrong_password"
      passwords.set(user.id, body.new_password)
      await db.deleteFrom("one_time_link").where("user_id", "=", user.id).execute()
      return "changed"
    },
    /** Users that the sign-in page offers with one click; those with their own password must type it. */
    async signInHelp() {
      const users = await canSignIn()
      const offered = demoPeople.flatMap(({ id }) =>
        users.filter((user) => user.id === id && !passwords.has(id)),
      )
      return { set_up_needed: false, demo_accounts: offered.map(demoAccount) }
    },
  }
}
