import type { SqlJsStatic } from "sql.js"
import { createCore, type Core } from "../../core/app.ts"
import type { JobStore } from "../../core/jobs/job-store.ts"
import type { EventBus, Log } from "../../core/ports.ts"
import { createEventBus, realClock } from "../../core/runtime.ts"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import { demoKey } from "../../sandbox/config.ts"
import { cardSettings } from "../../sandbox/seed/cards.ts"
import { createDemoAccounts, type DemoAccounts } from "./demo-accounts.ts"
import { type DemoStore, openDemoStore } from "./demo-store.ts"
import { createSandboxUpstream } from "./sandbox-upstream.ts"
import {
  type ChangeRecorder,
  createChangeRecorder,
  savedState,
  type SavedState,
  withSeededCodes,
} from "./saved-state.ts"
import { faultPresets } from "./service-switches.ts"

/** Requests a minute, as a real key has them (docs/api/program.md, Limits). */
const rateLimit = 60

/** The whole product in one tab: both services, the desk's server over them, its people. */
export interface DemoWorld {
  readonly version: string
  readonly sandbox: Sandbox
  readonly core: Core
  readonly events: EventBus
  /** Finds a job, for who may hear of it. */
  readonly jobs: Pick<JobStore, "get">
  readonly accounts: DemoAccounts
  /** Id of who is signed in: one session for the browser, as one cookie would be. */
  session: string | null
  /** Ids of the faults that are switched on. */
  readonly faults: () => readonly string[]
  readonly setFault: (id: string, on: boolean) => void
  /** Everything to keep for the next visit. */
  snapshot(): Promise<SavedState>
}

/** What the core would write into a server's log; in a tab only its faults are worth a line. */
export const demoLog: Log = {
  info() {},
  warn() {},
  // oxlint-disable-next-line no-console -- the console is the demo's log
  error: (fields, text) => console.error(text, fields),
}

interface WorldOptions {
  readonly sqlite: SqlJsStatic
  readonly version: string
  /** What was saved at an earlier visit, unchecked; undefined at the first. */
  readonly saved?: unknown
}

/** A world, and whether what was saved had to be left behind: damaged, or of another version. */
export interface OpenedWorld {
  readonly world: DemoWorld
  readonly discarded: boolean
}

/** Puts the world together, with what was saved if it can be read as a whole. */
export async function openDemoWorld(options: WorldOptions): Promise<OpenedWorld> {
  const { saved } = options
  const parsed = savedState.safeParse(saved)
  const restored = parsed.success ? await restoredWorld(options, parsed.data) : undefined
  if (restored !== undefined) return { world: restored, discarded: false }
  const fresh = { sandbox: newSandbox(), store: await openDemoStore(options.sqlite) }
  return { world: buildWorld(options, fresh, undefined), discarded: saved !== undefined }
}

interface Stores {
  readonly sandbox: Sandbox
  readonly store: DemoStore
}

function newSandbox(): Sandbox {
  return createSandbox({ rateLimit, giftcardRateLimit: rateLimit })
}

async function restoredWorld(options: WorldOptions, saved: SavedState): Promise<DemoWorld | undefined> {
  const sandbox = newSandbox()
  try {
    if (!sandbox.restore(withSeededCodes(saved.sandbox))) return undefined
    return buildWorld(options, { sandbox, store: await openDemoStore(options.sqlite, saved.store) }, saved)
  } catch {
    // One record is not what this version writes: nothing of it is trusted.
    return undefined
  }
}

/** Shorter than for a real service: nobody watches a demo for minutes. In ms. */
const jobTimes = { settleMs: 15_000, recheckMs: 5000, leaseMs: 30_000, callMs: 12_000 }

function buildWorld(
  { version }: WorldOptions,
  { sandbox, store }: Stores,
  saved: SavedState | undefined,
): DemoWorld {
  const events = createEventBus((error) => demoLog.error({ err: error }, "A listener failed."))
  const accounts = createDemoAccounts({ events, now: Date.now, kept: saved?.accounts })
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
  const changes = createChangeRecorder(sandbox, saved?.sandbox ?? [])
  const switches = createSwitches(sandbox, saved?.faults ?? [])
  const world: DemoWorld = {
    version,
    sandbox,
    core,
    events,
    jobs: store.jobs,
    accounts,
    session: saved?.session ?? null,
    faults: switches.on,
    setFault: switches.set,
    snapshot: () => snapshotOf(world, store, changes),
  }
  return world
}

function snapshotOf(world: DemoWorld, store: DemoStore, changes: ChangeRecorder): Promise<SavedState> {
  return store.exported((file) => ({
    version: 2,
    accounts: world.accounts.kept(),
    session: world.session,
    faults: [...world.faults()],
    sandbox: changes.all(),
    store: file,
  }))
}

/** The fault switches over the sandbox's rules: one preset may be several. */
function createSwitches({ faults }: Sandbox, atFirst: readonly string[]) {
  const on = new Map<string, string[]>()
  const set = (id: string, wanted: boolean) => {
    for (const rule of on.get(id) ?? []) faults.remove(rule)
    on.delete(id)
    const preset = faultPresets.find((one) => one.id === id)
    if (wanted && preset !== undefined)
      on.set(
        id,
        preset.rules.map((rule) => faults.add(rule).id),
      )
  }
  for (const id of atFirst) set(id, true)
  return { on: () => [...on.keys()], set }
}
