import { userEvent, type UserEvent } from "@testing-library/user-event"
import { onTestFinished, vi } from "vitest"
import type { Role } from "../../contract/roles.ts"
import type { SettingsName, SettingsValue } from "../../contract/settings.ts"
import type { AppUser } from "../../contract/users.ts"
import { createCore } from "../../core/app.ts"
import { createInProcessDispatcher } from "../../core/dispatch.ts"
import { createEventBus, realClock } from "../../core/runtime.ts"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import type { SandboxOptions } from "../../sandbox/config.ts"
import type { MemberRecord } from "../../sandbox/store/records.ts"
import { apiRequest } from "./core-request.ts"
import { createMemoryStore } from "./memory-store.ts"
import { quietLog } from "./quiet-log.ts"
import { fillDemoCopy } from "../../src/demo/demo-store.ts"
import { createMemoryCopy } from "./memory-copy.ts"
import { createSandboxUpstream } from "../../src/demo/sandbox-upstream.ts"
import { type Handlers, renderAt } from "./test-app.tsx"
import { createFakeAccounts } from "./test-kit.ts"

/** Ana Silva, whom every sandbox has: active, Gold, with a long ledger. */
export const ana = {
  id: "mem_8Fq2Lx41",
  email: "ana.silva@coastalclimate.com.au",
  company: "Coastal Climate Co",
}

/** Changes Ana Silva in a sandbox. */
export const setAna = (changes: Partial<MemberRecord>) => (sandbox: Sandbox) => {
  const member = sandbox.store.members.get(ana.id)
  if (member !== undefined) sandbox.store.members.put({ ...member, ...changes })
}

/** A request that changes something. */
interface Write {
  /** `PATCH /api/users/ana`. */
  readonly line: string
  readonly body: unknown
  readonly headers: Headers
}

type Request = Parameters<Handlers[string]>[0]

interface Opening {
  /** Role of the signed-in user; a manager by default. */
  readonly as?: Role
  readonly sandbox?: Partial<SandboxOptions>
  /** Changes what the sandbox has. */
  readonly prepare?: (sandbox: Sandbox) => void
  /** Laurel's rate limit, requests a minute: estimates depend on it. */
  readonly rateLimit?: number
  /** With a complete local copy; off otherwise. */
  readonly copied?: boolean
  /** Laurel's users. */
  readonly users?: readonly AppUser[]
  /** Settings that were saved before. */
  readonly settings?: { readonly [Name in SettingsName]?: SettingsValue<Name> }
  /** Responses instead of the core's: what only Express has, a refusal, a moment that a test must hold. */
  readonly answers?: Handlers
  /** Responds to paths that `answers` lacks; undefined leaves it to the core. */
  readonly handle?: (request: Request & { readonly method: string; readonly path: string }) => unknown
}

/** Laurel's core, and what it runs on. */
export type Laurel = Awaited<ReturnType<typeof startLaurel>>

/** Laurel's core on a sandbox, as the demo has it. It stops with the test. */
export async function startLaurel(opening: Opening = {}) {
  const { sandbox: options, prepare, rateLimit = 100_000, copied = false, users, settings = {} } = opening
  const store = createMemoryStore(realClock)
  for (const [name, value] of Object.entries(settings)) await store.settings.put(name, value)
  const sandbox = createSandbox({ members: 60, rateLimit: 0, giftcardRateLimit: 0, ...options })
  prepare?.(sandbox)
  const copy = copied ? await createMemoryCopy(realClock) : undefined
  if (copy !== undefined) await fillDemoCopy(copy, sandbox)
  const api = { keyEnd: "1234", rateLimit }
  const core = createCore({
    config: {
      version: "1.0.0",
      environment: "sandbox",
      startedAt: realClock.now(),
      apis: {
        program: { ...api, baseUrl: "https://program.test/v1" },
        giftcard: { ...api, baseUrl: "https://cards.test/api/v1/external" },
      },
      jobs: { settleMs: 120_000, recheckMs: 60_000, leaseMs: 30_000, callMs: 12_000 },
    },
    store,
    copy,
    upstream: createSandboxUpstream(sandbox, realClock, 12_000),
    processes: { self: {}, hasEnded: () => false },
    clock: realClock,
    dispatcher: createInProcessDispatcher(realClock, quietLog),
    events: createEventBus((error) => {
      throw error
    }),
    accounts: createFakeAccounts(users),
    metrics: {
      upstreamCall: () => undefined,
      budgetWait: () => undefined,
      cacheRead: () => undefined,
      runTakenOver: () => undefined,
    },
    log: quietLog,
  })
  core.start()
  onTestFinished(async () => {
    await core.stop()
    await copy?.close()
    await store.close()
  })
  const tom = { id: "tom", name: "Tom Whitlock", email: "tom@laurel.test", role: "manager" } as const
  return {
    core,
    sandbox,
    /** A request of another manager: `PUT /settings/program`. */
    ask: (line: string, body?: unknown) =>
      core.handle(apiRequest(line, { body, user: tom, requestId: "req_tom" })),
    /** A document of the settings, as it is stored. */
    saved: (name: SettingsName) => store.settings.get(name),
  }
}

/** Opens a page of the app over Laurel's own core on a sandbox. Only `answers` are made up; a 500 fails the test. */
export async function openPage(address: string, opening: Opening & { readonly on?: Laurel } = {}) {
  const { as = "manager", answers = {} } = opening
  const laurel = opening.on ?? (await startLaurel(opening))
  const { core } = laurel
  const id = `user-${as}`
  const user = { id, name: "Priya Nair", email: `${as}@laurel.demo`, role: as }
  const requests: string[] = []
  const writes: Write[] = []
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    const { method = "GET", signal } = init
    const url = new URL(path, "http://app.test")
    const line = `${method} ${url.pathname}`
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : undefined
    const headers = new Headers(init.headers)
    requests.push(`${method} ${path}`)
    if (method !== "GET") writes.push({ line, body, headers })
    const request = { query: url.searchParams, body, headers, signal }
    const given = await (answers[line] ?? opening.handle)?.({ ...request, method, path: url.pathname })
    if (given instanceof Response) return given
    if (given !== undefined || line in answers) return Response.json({ success: true, data: given })
    if (line === "GET /api/session") return Response.json({ success: true, data: await core.session(user) })
    const response = await core.handle(
      apiRequest(`${method} ${path.replace(/^\/api/, "")}`, {
        body,
        headers: Object.fromEntries(headers),
        user,
        requestId: `req_${requests.length}`,
        signal: signal ?? undefined,
      }),
    )
    // oxlint-disable-next-line no-console -- fails the test, see tests/support/setup-node.ts
    if (response.status === 500) console.error(`${line} was answered with ${response.status}.`)
    const text = response.body === undefined ? null : JSON.stringify(response.body)
    return new Response(text, { status: response.status, headers: response.headers })
  })
  return {
    ...laurel,
    laurel,
    ...renderAt(address),
    requests,
    writes,
    /** Bodies of the requests `PATCH /api/…`, in order. */
    bodies: (line: string) => writes.filter((write) => write.line === line).map(({ body }) => body),
    user: userEvent.setup({ delay: null }),
  }
}

/** Adds a whole text to a field. A page renders for each typed key, which only a test of typing needs. */
export async function fill(user: Pick<UserEvent, "click" | "paste">, field: Element, text: string) {
  await user.click(field)
  await user.paste(text)
}
