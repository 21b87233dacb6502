import type { Session, SessionUser } from "../contract/users.ts"
import { permissions } from "../contract/roles.ts"
import { failureAnswer } from "./answer.ts"
import { keepRegister } from "./cards/keep-register.ts"
import type { NewAuditEntry } from "./audit-log.ts"
import type { DeskContext, DeskDeps } from "./context.ts"
import { createContext } from "./create-context.ts"
import { DeskFailure } from "./failure.ts"
import type { DeskAnswer, DeskRequest } from "./http.ts"
import { sweepAddresses } from "./orders/address-sweep.ts"
import { handleRequest } from "./routes.ts"

/** What a shell talks to: Express with a database, or the demo in a browser tab. */
export interface Desk {
  /** Answers a request. Never throws: what goes wrong is an answer too. */
  handle(request: DeskRequest): Promise<DeskAnswer>
  /** What a signed-in person's page has to know. */
  session(user: SessionUser): Promise<Session>
  /** Writes an entry of the shell's own into the audit log, such as a sign-in. */
  record(entry: NewAuditEntry): Promise<void>
  /** Carries jobs out from now on, and hands counts over to the store every few seconds. */
  start(): void
  /** Begins no further step of a job, and sees the calls under way through. */
  stopJobs(): Promise<void>
  /** Sees calls under way through, ends every wait and hands the last counts over. */
  stop(): Promise<void>
}

const flushEveryMs = 5000
const forgetEveryMs = 3_600_000
const registerEveryMs = 3_600_000
/** Oftener than each day, because a desk may be started anew each day. */
const sweepEveryMs = 3_600_000
/** Counted calls are kept for two days, in ms: the status page shows one. */
const usageKeptMs = 172_800_000

/** Makes the desk. */
export function createDesk(deps: DeskDeps): Desk {
  const context = createContext(deps)
  const { budget, clock, config, events, log, reads, settings, store } = context
  const stopped = new AbortController()
  const register = keepRegister(context)

  // Another instance wrote: what this one holds about it is old. Its own writes arrive here too and change nothing.
  const unsubscribe = events.subscribe((event) => {
    if (event.topic === "member") {
      reads.invalidate({ gone: [`member:${event.id}`], old: ["members"] })
      context.names.changed(event.id)
    }
    if (event.topic === "orders") reads.invalidate({ gone: [], old: ["orders"] })
    if (event.topic === "members") reads.invalidate({ gone: [], old: ["members"] })
  })

  async function flush(): Promise<void> {
    await budget.usage.flush()
    await context.drift.flush()
  }

  /** Failing once, such as while the database restarts, must not end it. */
  async function quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      log.warn({ err: error }, "counts could not be stored")
    }
  }

  async function every(ms: number, work: () => Promise<void>): Promise<void> {
    while (!stopped.signal.aborted) {
      // The only reason for a sleep to end early is that the desk stops.
      await clock.sleep(ms, stopped.signal).catch(() => undefined)
      if (!stopped.signal.aborted) await quietly(work)
    }
  }

  return {
    async handle(request) {
      try {
        return await handleRequest(context, request)
      } catch (error) {
        return failed(context, request, error)
      }
    },
    async session(user) {
      const grants = Object.entries(permissions).map(([name, row]) => [name, row.grants[user.role]])
      return {
        user,
        permissions: Object.fromEntries(grants),
        environment: config.environment,
        program: await settings.get("program"),
      }
    },
    record: (entry) => context.audit.record(entry),
    start() {
      void quietly(flush)
      void every(flushEveryMs, flush)
      context.jobs.run()
      void register.fill()
      void every(registerEveryMs, () => register.fill())
      void every(sweepEveryMs, async () => void (await sweepAddresses(context)))
      void every(forgetEveryMs, () => store.usage.forgetBefore(clock.now() - usageKeptMs))
    },
    stopJobs: () => context.jobs.stop(),
    async stop() {
      stopped.abort()
      await context.jobs.stop()
      unsubscribe()
      register.stop()
      context.names.stop()
      settings.stop()
      budget.stop()
      await quietly(flush)
    },
  }
}

/** Nobody reads this answer: the person left before there was one. */
const clientLeft: DeskAnswer = { status: 499, headers: {}, body: undefined }

function failed({ log }: DeskContext, request: DeskRequest, error: unknown): DeskAnswer {
  const { requestId } = request
  if (error instanceof DeskFailure) {
    if (error.cause !== undefined) log.error({ err: error.cause, requestId }, error.message)
    return failureAnswer(error, requestId)
  }
  if (request.signal.aborted) return clientLeft
  log.error({ err: error, requestId }, "a request failed inside")
  const failure = new DeskFailure({
    status: 500,
    code: "internal",
    message:
      "Something went wrong on Laurel’s server, so this wasn’t finished. Details are in the server log under the request id. Try again.",
  })
  return failureAnswer(failure, requestId)
}
