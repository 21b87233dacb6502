import type { AppEvent } from "../../contract/events.ts"
import type { SessionUser } from "../../contract/session.ts"
import type { AppUser } from "../../contract/users.ts"
import type { Role } from "../../contract/roles.ts"
import type { AppConfig } from "../../core/deps.ts"
import type { CopyStore } from "../../core/copy/copy-store.ts"
import { createInProcessDispatcher } from "../../core/dispatch.ts"
import { createCore, type Core } from "../../core/app.ts"
import { createEventBus } from "../../core/runtime.ts"
import type { ApiResponse } from "../../core/http.ts"
import type { Log, Metrics, Processes, Store, Upstream } from "../../core/ports.ts"
import type { Accounts } from "../../core/users/accounts.ts"
import { createMemoryStore } from "./memory-store.ts"
import { createFakeClock, type FakeClock } from "./fake-clock.ts"
import { createFakeUpstream, type FakeUpstream } from "./fake-upstream.ts"
import { apiRequest } from "./core-request.ts"

/** Parts of a request; the rest has defaults. */
interface TestRequest {
  readonly role?: Role
  /** Name of the user; the same name is the same user. */
  readonly name?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** The core on a fake clock and a fake service. */
export interface TestKit {
  readonly app: Core
  readonly clock: FakeClock
  readonly upstream: FakeUpstream
  readonly store: Store
  readonly events: AppEvent[]
  readonly logged: { readonly level: "info" | "warn" | "error"; readonly text: string }[]
  /** Publishes an event as another instance would. */
  readonly publish: (event: AppEvent) => void
  /** `ask("GET /program/members?page=2")`. */
  readonly ask: (line: string, request?: TestRequest) => Promise<ApiResponse>
}

/** Overrides of a kit's parts. */
export interface KitOptions {
  readonly config?: Partial<AppConfig>
  readonly rateLimit?: number
  readonly clock?: FakeClock
  readonly store?: Store
  /** Without it the local copy is off. */
  readonly copy?: CopyStore
  /** Replaces the fake service. */
  readonly upstream?: Upstream
  readonly accounts?: Accounts
  readonly processes?: Processes
}

/** No-op metrics. */
const noMetrics: Metrics = {
  upstreamCall: () => undefined,
  budgetWait: () => undefined,
  cacheRead: () => undefined,
  runTakenOver: () => undefined,
}

/** A user with a role. */
function person(role: Role, name: string = role): SessionUser {
  return { id: `usr_${name}`, name, email: `${name}@laurel.test`, role }
}

/** Creates an app for a test. */
export function createTestKit(options: KitOptions = {}): TestKit {
  const clock = options.clock ?? createFakeClock()
  const upstream = createFakeUpstream(clock)
  const store = options.store ?? createMemoryStore(clock)
  const logged: TestKit["logged"] = []
  const write = (level: "info" | "warn" | "error") => (_: unknown, text: string) => {
    logged.push({ level, text })
  }
  const log: Log = { info: write("info"), warn: write("warn"), error: write("error") }
  const bus = createEventBus((error) => {
    throw error
  })
  const events: AppEvent[] = []
  bus.subscribe((event) => events.push(event))
  const rateLimit = options.rateLimit ?? 60
  const app = createCore({
    config: {
      version: "1.0.0",
      environment: "sandbox",
      startedAt: clock.now(),
      apis: {
        program: { baseUrl: "http://program.test/v1", keyEnd: "1234", rateLimit },
        giftcard: { baseUrl: "http://giftcard.test/api/v1/external", keyEnd: "5678", rateLimit },
      },
      jobs: { settleMs: 120_000, recheckMs: 60_000, leaseMs: 30_000, callMs: 12_000 },
      ...options.config,
    },
    store,
    copy: options.copy,
    upstream: options.upstream ?? upstream,
    processes: options.processes ?? { self: {}, hasEnded: () => false },
    clock,
    dispatcher: createInProcessDispatcher(clock, log),
    events: bus,
    accounts: options.accounts ?? createFakeAccounts(),
    metrics: noMetrics,
    log,
  })
  let requests = 0
  return {
    app,
    clock,
    upstream,
    store,
    events,
    logged,
    publish: (event) => bus.publish(event),
    ask(line, request = {}) {
      requests += 1
      const { body, headers, signal } = request
      const user = person(request.role ?? "admin", request.name)
      return app.handle(apiRequest(line, { body, headers, signal, user, requestId: `req_${requests}` }))
    },
  }
}

/** In-memory accounts that follow the port's rules. */
export function createFakeAccounts(users: readonly AppUser[] = []): Accounts {
  const known = new Map(users.map((user) => [user.id, user]))
  const link = { path: "/set-password#made-up", expires_at: "2026-11-21T00:00:00.000Z" }
  return {
    list: async () => [...known.values()],
    get: async (id) => known.get(id),
    async create(body) {
      if ([...known.values()].some((user) => user.email === body.email)) return "email_taken"
      const user: AppUser = {
        id: `usr_${known.size + 1}`,
        ...body,
        disabled: false,
        has_password: false,
        created_at: "2026-11-20T00:00:00.000Z",
        last_seen_at: null,
      }
      known.set(user.id, user)
      return { user, link }
    },
    async update(id, body, by) {
      const user = known.get(id)
      if (user === undefined) return "not_found"
      if (id === by && body.disabled === true) return "self"
      const after: AppUser = {
        ...user,
        name: body.name ?? user.name,
        role: body.role ?? user.role,
        disabled: body.disabled ?? user.disabled,
      }
      const admins = [...known.values()].filter(
        (other) => other.id !== id && other.role === "admin" && !other.disabled,
      )
      const wasAdmin = user.role === "admin" && !user.disabled
      if (wasAdmin && admins.length === 0 && (after.role !== "admin" || after.disabled)) return "last_admin"
      known.set(id, after)
      return after
    },
    link: async (id) => (known.has(id) ? link : "not_found"),
  }
}
