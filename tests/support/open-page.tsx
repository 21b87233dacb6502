import { QueryClientProvider } from "@tanstack/react-query"
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router"
import { render } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { onTestFinished, vi } from "vitest"
import type { Role } from "../../contract/roles.ts"
import type { SettingsName, SettingsValue } from "../../contract/settings.ts"
import type { AppUser } from "../../contract/users.ts"
import { type Core, createCore } from "../../core/app.ts"
import { createEventBus, realClock } from "../../core/runtime.ts"
import type { Store } from "../../core/ports.ts"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import type { SandboxOptions } from "../../sandbox/config.ts"
import { makeQueryClient } from "../../src/api/request.ts"
import { makeRouter } from "../../src/router.tsx"
import { apiRequest } from "./core-request.ts"
import { createMemoryStore } from "./memory-store.ts"
import { quietLog } from "./quiet-log.ts"
import { createSandboxUpstream } from "./sandbox-upstream.ts"
import type { Handlers } from "./test-app.tsx"
import { createFakeAccounts } from "./test-kit.ts"

/** A request that changes something. */
interface Write {
  /** `PATCH /api/users/ana`. */
  readonly line: string
  readonly body: unknown
  readonly headers: Headers
}

interface Opening {
  /** Role of the signed-in user; a manager by default. */
  readonly as?: Role
  readonly sandbox?: Partial<SandboxOptions>
  /** Laurel's users. */
  readonly users?: readonly AppUser[]
  /** Settings that were saved before. */
  readonly settings?: { readonly [Name in SettingsName]?: SettingsValue<Name> }
  /** Responses instead of the core's: what only Express has, a refusal, a moment that a test must hold. */
  readonly answers?: Handlers
}

/** The app of `openPage`, for a second page on the same data. */
export interface Laurel {
  readonly core: Core
  readonly store: Store
  readonly sandbox: Sandbox
}

/** Laurel's core on a sandbox, as the demo has it. */
async function startLaurel({ sandbox: options, users, settings = {} }: Opening): Promise<Laurel> {
  const store = createMemoryStore(realClock)
  for (const [name, value] of Object.entries(settings)) await store.settings.put(name, value)
  const sandbox = createSandbox({ members: 60, rateLimit: 0, giftcardRateLimit: 0, ...options })
  const api = { keyEnd: "1234", rateLimit: 100_000 }
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
    upstream: createSandboxUpstream(sandbox, realClock, 12_000),
    processes: { self: {}, look: async () => "unknown" },
    clock: realClock,
    events: createEventBus((error) => {
      throw error
    }),
    accounts: createFakeAccounts(users),
    metrics: { upstreamCall: () => undefined, budgetWait: () => undefined, cacheRead: () => undefined },
    log: quietLog,
  })
  core.start()
  onTestFinished(async () => {
    await core.stop()
    await store.close()
  })
  return { core, store, sandbox }
}

/**
 * Opens a page of the app over Laurel's own core on a sandbox. Only `answers` are made up; a request that neither
 * they nor the core handle fails the test.
 */
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
    const answer = answers[line]
    if (answer !== undefined) {
      const given = await answer({ query: url.searchParams, body, headers, signal })
      return given instanceof Response ? given : Response.json({ success: true, data: given })
    }
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
    if (response.status >= 500) console.error(`${line} was answered with ${response.status}.`)
    const text = response.body === undefined ? null : JSON.stringify(response.body)
    return new Response(text, { status: response.status, headers: response.headers })
  })
  const queryClient = makeQueryClient()
  const router = makeRouter(queryClient, createMemoryHistory({ initialEntries: [address] }))
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return {
    ...laurel,
    laurel,
    router,
    queryClient,
    requests,
    writes,
    user: userEvent.setup({ delay: null }),
    /** Another manager's request. */
    ask: (line: string, body?: unknown) =>
      core.handle(
        apiRequest(line, { body, user: { ...user, id: "other", role: "manager" }, requestId: "req" }),
      ),
    /** A document of the settings, as it is stored. */
    saved: (name: SettingsName) => laurel.store.settings.get(name),
  }
}
