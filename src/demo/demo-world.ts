import type { SqlJsStatic } from "sql.js"
import {
  consumeLink,
  createAccounts,
  insertUser,
  readLinkPurpose,
  readUser,
  writePassword,
} from "../../bff/auth/users.ts"
import { writePastWork } from "../../bff/past-work.ts"
import type { Engine } from "../../bff/store/engine.ts"
import { moveOn } from "../../bff/store/move-on.ts"
import { type AppUser, type ChangePasswordBody, demoPassword, demoPeople } from "../../contract/users.ts"
import { createCore } from "../../core/app.ts"
import { createEventBus, realClock } from "../../core/runtime.ts"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"
import { shiftedChanges } from "../../sandbox/restore.ts"
import { cardSettings } from "../../sandbox/seed/cards.ts"
import { demoLog, openDemoStore } from "./demo-store.ts"
import { createSandboxUpstream } from "./sandbox-upstream.ts"
import { changeRecorder, savedState, type SavedState, withSeededCodes } from "./saved-state.ts"
import { faultPresets } from "./service-switches.ts"

/** Requests a minute, as a real key has them (docs/api/program.md, Limits). */
const rateLimit = 60
/** Shorter than for a real service: nobody watches a demo for minutes. In ms. */
const jobTimes = { settleMs: 15_000, recheckMs: 5000, leaseMs: 30_000, callMs: 12_000 }

/** The whole product in one tab: both services, the server's core over them, its people. */
export type DemoWorld = Awaited<ReturnType<typeof buildWorld>>

/**
 * Assembles the world with what was saved at an earlier visit, unchecked; `discarded`: it could not be used, because it
 * is damaged or of another version.
 */
export async function openDemoWorld(options: { sqlite: SqlJsStatic; version: string; saved?: unknown }) {
  const { sqlite, version, saved } = options
  const parsed = savedState.safeParse(saved)
  if (parsed.success) {
    try {
      const sandbox = newSandbox()
      const store = await openDemoStore(sqlite, parsed.data.store)
      let changes = parsed.data.sandbox
      await moveOn(store.engine, (ms) => (changes = shiftedChanges(changes, ms)))
      if (sandbox.restore(withSeededCodes(changes))) {
        const kept = { ...parsed.data, sandbox: changes }
        return { world: await buildWorld(version, sandbox, store, kept), discarded: false }
      }
    } catch {
      // One record is not what this version writes: nothing of it is trusted.
    }
  }
  const sandbox = newSandbox()
  const store = await openDemoStore(sqlite)
  await writePastWork(store.engine, sandbox.store)
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
    // One tab at a time has the demo: whoever wrote before is gone.
    processes: { self: {}, look: async () => "gone" },
    clock: realClock,
    events,
    accounts,
    metrics: { upstreamCall() {}, budgetWait() {}, cacheRead() {} },
    log: demoLog,
  })
  const changes = changeRecorder(sandbox, saved?.sandbox ?? [])
  // One preset may be several rules of the sandbox.
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
    /** Id of who is signed in: one session for the browser, as one cookie would be. */
    session: saved?.session ?? null,
    faults: () => [...rules.keys()],
    setFault,
    snapshot: () =>
      store.exported((file): SavedState => ({
        version: 4,
        session: world.session,
        sandbox: changes(),
        store: file,
      })),
  }
  return world
}

/** Stands in the store where a server has a hash: no password is kept. */
const noHash = ""

/** The server's accounts over the demo's store, and what signing in needs beside them; the demo's people are added. */
async function createDemoAccounts(engine: Engine) {
  const { db } = engine
  const accounts = createAccounts(engine)
  /** Passwords set in this tab. They are forgotten with it. */
  const passwords = new Map<string, string>()
  const passwordOf = (id: string) => passwords.get(id) ?? demoPassword
  for (const person of demoPeople) await insertUser(db, person, noHash)

  const opening = async () => (await accounts.list()).filter((user) => user.has_password && !user.disabled)
  const forgetLinks = (id: string) => db.deleteFrom("one_time_link").where("user_id", "=", id).execute()
  return {
    ...accounts,
    /** The user these credentials open; undefined when they are wrong or the account is disabled. */
    async check(email: string, password: string) {
      const user = (await opening()).find((one) => one.email === email.toLowerCase())
      return user !== undefined && passwordOf(user.id) === password ? user : undefined
    },
    /** The user, if they may work here now; notes that they were seen. */
    async active(id: string | null): Promise<AppUser | undefined> {
      const user = id === null ? undefined : await accounts.get(id)
      if (user === undefined || user.disabled) return undefined
      await db.updateTable("desk_user").set({ last_seen_at: Date.now() }).where("id", "=", user.id).execute()
      return user
    },
    /** When the user signed in last, in ms since the epoch: what is kept beside it moves on to the day of a visit with it. */
    async signedInAt(id: string): Promise<number | undefined> {
      const signIns = db
        .selectFrom("audit")
        .where("actor_id", "=", id)
        .where("action", "=", "session.sign_in")
      return (await signIns.select("at").orderBy("seq", "desc").limit(1).executeTakeFirst())?.at
    },
    linkPurpose: (token: string) => readLinkPurpose(engine, token),
    /** Sets a password through a one-time link and returns whose it is; undefined when the link opens nothing. */
    async setPassword(token: string, password: string) {
      const link = await consumeLink(db, token, await engine.now())
      const user = link?.userId ? await readUser(db, link.userId) : undefined
      if (user === undefined || user.disabled) return undefined
      await writePassword(db, user.id, noHash)
      passwords.set(user.id, password)
      return user
    },
    /** Changes a user's own password; false when the current one is not right. */
    async changePassword(id: string, body: ChangePasswordBody) {
      if (passwordOf(id) !== body.current_password) return false
      passwords.set(id, body.new_password)
      await forgetLinks(id)
      return true
    },
    /** Users the sign-in page offers with one click: a password of one's own is typed. */
    offered: async () => {
      const open = await opening()
      return demoPeople.flatMap(({ id }) => open.filter((user) => user.id === id && !passwords.has(id)))
    },
  }
}
