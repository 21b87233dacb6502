import { can, permissions } from "../contract/roles.ts"
import { budgetHeader, writeBudget } from "../contract/response.ts"
import type { AppEvent } from "../contract/events.ts"
import type { Session, SessionUser } from "../contract/session.ts"
import { createAuditLog } from "./audit/audit-log.ts"
import { Budget } from "./budget/budget.ts"
import { keepDay } from "./books/book-days.ts"
import { Books } from "./books/books.ts"
import { createCache, createFreshCodes } from "./cache/cache.ts"
import type { CoreContext } from "./context.ts"
import { LocalCopy } from "./copy/local-copy.ts"
import type { CoreDeps } from "./deps.ts"
import { AppError, internalError } from "./errors.ts"
import { createServiceCaller } from "./gateway/caller.ts"
import { Reads } from "./gateway/reads.ts"
import { startCardRegister } from "./gift-cards/register.ts"
import { type ApiResponse, type ApiRequest, errorResponse } from "./http.ts"
import { historyLag } from "./jobs/canaries.ts"
import { tagForms } from "./jobs/kinds/kind-rules.ts"
import { createJobEngine } from "./jobs/engine.ts"
import { closeOpenJob } from "./jobs/job-actions.ts"
import { Names } from "./members/member-names.ts"
import { forgetCached } from "./members/erase-member.ts"
import { createMemberVersions } from "./members/member-changes.ts"
import { forgetShipped, sweepAddresses } from "./orders/order-addresses.ts"
import { createOrderClaims } from "./orders/order-claims.ts"
import { createRecipients } from "./orders/recipients.ts"
import { createOrderUpdates } from "./orders/tracking-numbers.ts"
import { createSnapshots, snapshotRetentionMs } from "./leaderboards/board-snapshots.ts"
import { createLive } from "./events/live-events.ts"
import { viewsFor } from "./views/view-routes.ts"
import { handleRequest } from "./router.ts"
import { createKeyedLock } from "./runtime.ts"
import { createSettings } from "./settings/settings.ts"
import { createDriftLog, createMonitor } from "./status/monitor.ts"
import type { Auth } from "./users/accounts.ts"
import { createSessionHandler } from "./users/session-routes.ts"

/** What a shell talks to: Express with a database, or the demo in a browser tab. */
export type Core = ReturnType<typeof createCore>

const flushEveryMs = 5000
const hourMs = 3_600_000
/** The local copy's run lasts until it is stopped; another one begins so long after it, ms. */
const syncStartMs = 1000
/** How often it is asked whether a day has its row, and whether a difference is due for another look, ms. */
const booksMs = 600_000
/** Retention of call counts, ms: the status page shows one day. */
const usageRetentionMs = 172_800_000

export function createCore(deps: CoreDeps) {
  const announced = new WeakSet<AppEvent>()
  const { context, engine } = createContext(deps, (event) => {
    announced.add(event)
    deps.events.publish(event)
  })
  const { budget, clock, config, events, log, reads, settings } = context
  const stopped = new AbortController()
  const register = startCardRegister(context)
  const live = createLive(context)

  // Another instance wrote: cached responses are stale. Own writes arrive here too and change nothing.
  const unsubscribe = events.subscribe((event) => {
    const { topic, id } = event
    context.claims.onEvent(event)
    const ofMember = topic === "member" || topic === "members"
    if (ofMember) context.names.changed(id)
    if (announced.has(event)) return
    if (event.erased === true) {
      void quietly(() => forgetCached(context, id))
      return
    }
    const searches = topic === "members" ? ["members:search"] : []
    if (ofMember) reads.invalidate({ evict: [`member:${id}`, ...searches], stale: ["members"] })
    if (topic === "orders") reads.invalidate({ evict: [], stale: ["orders"] })
  })

  async function flush(): Promise<void> {
    await budget.usage.flush()
    await context.drift.flush()
    await context.names.save()
  }

  /** A failure, such as during a database restart, must not end the loop. */
  async function quietly(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => log.warn({ err: error }, "a step in the background failed"))
  }

  async function every(ms: number, work: () => Promise<unknown>): Promise<void> {
    while (!stopped.signal.aborted) {
      // A sleep only ends early when Laurel stops.
      await clock.sleep(ms, stopped.signal).catch(() => undefined)
      if (!stopped.signal.aborted) await quietly(work)
    }
  }

  /** The session data of a signed-in person's page. */
  async function session(user: SessionUser): Promise<Session> {
    const grants = Object.entries(permissions).map(([name, row]) => [name, row.grants[user.role]])
    return {
      user,
      permissions: Object.fromEntries(grants),
      environment: config.environment,
      program: await settings.get("program"),
      low_stock: (await settings.get("stock")).low,
      views: await viewsFor(context, user),
      shell: await live.shell(user),
    }
  }

  return {
    /** Never throws: errors become responses. */
    async handle(request: ApiRequest): Promise<ApiResponse> {
      const response = await handleRequest(context, request).catch((error: unknown) =>
        failed(context, request, error),
      )
      return withBudget(budget, request.user, response)
    },
    session,
    /** Handles `/api/about` and everything below `/api/session`. Throws AppErrors. */
    sessionHandler: (auth: Auth) =>
      createSessionHandler({
        auth,
        audit: context.audit,
        config,
        events,
        session,
        // If this fails, the job closes at the end of the day.
        closeOpenJob: (userId) => quietly(() => closeOpenJob(context, userId)),
      }),
    /** What changed, for event streams. */
    live,
    /** Takes this instance's place, before the start; the one that has it, if that still runs. */
    claim: () => engine.claim(),
    /** Starts running jobs and duties, and writes this instance's counts to the store every few seconds. */
    start(): void {
      void quietly(() => context.names.load())
      void quietly(flush)
      void every(flushEveryMs, flush)
      void quietly(() => context.caller.chooseKeys())
      void register.fill()
      registerDuties(context, register.fill)
      engine.run()
    },
    /** Ends waits for a permit, starts no further step of a job, and waits for the calls in flight. */
    windDown: (): Promise<void> => windDown(engine, budget),
    /** Waits for calls in flight, ends every wait and writes the last counts to the store. */
    async stop(): Promise<void> {
      stopped.abort()
      await engine.stop()
      unsubscribe()
      live.stop()
      register.stop()
      context.names.stop()
      context.books.stop()
      context.sync?.stop()
      settings.stop()
      budget.stop()
      await quietly(flush)
    },
  }
}

/** What one instance does now and then; more often than daily, because Laurel may be restarted each day. */
function registerDuties(context: CoreContext, fillRegister: () => Promise<void>): void {
  const { clock, config, dispatcher, store, sync } = context
  dispatcher.duty("card register", hourMs, fillRegister)
  dispatcher.duty("order addresses", hourMs, () => sweepAddresses(context))
  dispatcher.duty("shipped orders", hourMs, () => forgetShipped(context))
  dispatcher.duty("snapshot retention", hourMs, () =>
    store.snapshots.forgetBefore(clock.now() - snapshotRetentionMs),
  )
  dispatcher.duty("usage retention", hourMs, () => store.usage.forgetBefore(clock.now() - usageRetentionMs))
  if (sync === undefined || config.apis.program === null) return
  dispatcher.duty("local copy", syncStartMs, (signal) => sync.run(signal))
  dispatcher.duty("book days", booksMs, () => keepDay(context))
  dispatcher.duty("books", booksMs, (signal) => context.books.run(signal))
}

function windDown(engine: ReturnType<typeof createJobEngine>, budget: Budget): Promise<void> {
  const stopped = engine.stop()
  // After the engine's stop: no job asks for a permit again.
  budget.endWaits()
  return stopped
}

/** Adds the remaining budget for roles that may see it; omitted where it cannot be read. */
async function withBudget(budget: Budget, user: SessionUser, response: ApiResponse): Promise<ApiResponse> {
  if (!can(user.role, "status.read")) return response
  const states = await budget.recentStates().catch(() => undefined)
  const text = writeBudget(states?.(user.id) ?? [])
  return text === "" ? response : { ...response, headers: { ...response.headers, [budgetHeader]: text } }
}

/** The client disconnected before there was a response. */
const clientLeft: ApiResponse = { status: 499, headers: {}, body: undefined }

function failed({ log }: CoreContext, request: ApiRequest, error: unknown): ApiResponse {
  const { requestId } = request
  if (error instanceof AppError) {
    if (error.cause !== undefined) log.error({ err: error.cause, requestId }, error.message)
    return errorResponse(error, requestId)
  }
  if (request.signal.aborted) return clientLeft
  log.error({ err: error, requestId }, "a request failed inside")
  return errorResponse(internalError(), requestId)
}

/** Bounds of the read cache: pages of 100 rows and their rows, in some 64 MB. */
const cacheBounds = { entries: 20_000, bytes: 64_000_000 }

function createContext(deps: CoreDeps, announce: CoreContext["announce"]) {
  const { config, store, clock, events, metrics } = deps
  const limits = { program: config.apis.program?.rateLimit, giftcard: config.apis.giftcard?.rateLimit }
  const budget = new Budget({ limits, store, clock, events, metrics })
  const monitor = createMonitor()
  const settings = createSettings(store.settings, events, clock, config.settings)
  const drift = createDriftLog(store.drift, clock)
  const caller = createServiceCaller({ ...deps, budget, monitor })
  const versions = createMemberVersions()
  const cache = createCache(cacheBounds, (response, by) => versions.remember(response.data, by?.data))
  const sync = deps.copy && new LocalCopy({ ...deps, copy: deps.copy, caller, drift, settings })
  const reads = new Reads({ caller, clock, drift, log: deps.log, settings, metrics, cache, sync })
  const audit = createAuditLog(store.audit, events, clock, deps.log)
  const codes = createFreshCodes(clock)
  const engine = createJobEngine({ ...deps, announce, audit, caller, codes, drift, reads, settings, sync })
  const context: CoreContext = {
    ...engine.context,
    books: new Books(engine.context, async () => (await historyLag(store.jobs, tagForms))?.largest_ms ?? 0),
    claims: createOrderClaims(deps),
    budget,
    monitor,
    names: new Names({
      budget,
      caller,
      clock,
      drift,
      events,
      reads,
      log: deps.log,
      store: store.names,
      sync,
    }),
    orderUpdates: createOrderUpdates(store.jobs, clock, () => reads.cachedWithTag("orders")),
    recipients: createRecipients(store.jobs, clock),
    snapshots: createSnapshots({ ...deps, settings }),
    versions,
    locks: createKeyedLock(),
  }
  return { context, engine }
}
