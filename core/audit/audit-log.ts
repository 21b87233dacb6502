import type { AuditAction, AuditEntry } from "../../contract/audit.ts"
import type { SessionUser } from "../../contract/session.ts"
import { AppError, recorded, stored } from "../errors.ts"
import type { AuditStore, Clock, EventBus, Log } from "../ports.ts"

export type NewAuditEntry = Omit<AuditEntry, "id" | "at">

export interface Act {
  readonly action: AuditAction
  readonly on: AuditEntry["on"]
  readonly outcome: AuditEntry["outcome"]
  readonly note?: string | null
  readonly changes?: AuditEntry["changes"]
}

export type ActContext = Readonly<{ user: SessionUser; requestId: string; source?: string | null }>

export type AuditLog = ReturnType<typeof createAuditLog>

/** Writes the log; `record` throws what the store threw. */
export function createAuditLog(store: AuditStore, events: EventBus, clock: Clock, log: Log) {
  const nextId = createIdMaker(() => clock.now())
  const make = (entry: NewAuditEntry): AuditEntry => ({
    ...entry,
    id: nextId(),
    at: new Date(clock.now()).toISOString(),
  })
  const written = (entry: AuditEntry): void => {
    const { id, actor, action, on, outcome, request_id: requestId, source } = entry
    // By ids: names, notes and values stay in the audit log.
    const line = {
      audit: id,
      userId: actor.id,
      action,
      on: { kind: on.kind, id: on.id },
      outcome,
      requestId,
      source,
    }
    log.info(line, `audit: ${action} ${outcome}`)
    events.publish({ topic: "audit", id })
  }
  const record = async (entry: NewAuditEntry): Promise<void> => {
    const made = make(entry)
    await store.append(made)
    written(made)
  }
  /** About an act before it happens, or a refused one: without the entry there is no act. @throws AppError 503 */
  const recordFirst = (request: ActContext, act: Act): Promise<void> => stored(record(entryOf(request, act)))
  /** About something done: the response must not suggest it failed. @throws AppError 503 */
  const recordDone = (request: ActContext, act: Omit<Act, "outcome">): Promise<void> =>
    recorded(record(entryOf(request, { ...act, outcome: "done" })))
  /** About what has happened already: the response does not depend on it. */
  const recordLate = (request: ActContext, act: Act): Promise<void> =>
    record(entryOf(request, act)).catch((error: unknown) => {
      log.error({ err: error, requestId: request.requestId }, "audit entry lost")
    })
  /** Does something whose entry the store writes in the same transaction: `work` hands it what makes the entry. */
  async function together<Given extends unknown[], T>(
    entryFor: ((...given: Given) => NewAuditEntry) | undefined,
    work: (entry: ((...given: Given) => AuditEntry) | undefined) => Promise<T>,
  ): Promise<T> {
    const entries: AuditEntry[] = []
    const done = await work(
      entryFor &&
        ((...given) => {
          const entry = make(entryFor(...given))
          entries.push(entry)
          return entry
        }),
    )
    entries.forEach(written)
    return done
  }
  /** Shows a secret, of which the log has an entry before; a second one, of what goes wrong, is shown in its place. */
  async function reveal<T>(
    request: ActContext,
    act: Pick<Act, "action" | "on">,
    { reason, notShown }: { readonly reason: string; readonly notShown: string },
    show: () => Promise<T>,
  ): Promise<T> {
    await recordFirst(request, { ...act, outcome: "done", note: reason })
    try {
      return await show()
    } catch (error) {
      const why = error instanceof AppError ? error.message : notShown
      await recordLate(request, { ...act, outcome: "failed", note: `${why} Reason given: ${reason}` })
      throw error
    }
  }
  return { together, record, recordFirst, recordDone, recordLate, reveal }
}

/** The entry of an act. Settings and users are Laurel's own matter, everything else is the program's. */
export function entryOf(
  context: Omit<ActContext, "user"> & { readonly user: AuditEntry["actor"] },
  act: Act,
): NewAuditEntry {
  const { id, name, role } = context.user
  return {
    actor: { id, name, role },
    action: act.action,
    area: /^(session|user|store)\./.test(act.action) ? "app" : "program",
    on: act.on,
    outcome: act.outcome,
    note: act.note ?? null,
    changes: act.changes ?? [],
    request_id: context.requestId,
    source: context.source ?? null,
  }
}

const longestShown = 500

/** A value as the log shows it: text as it is, anything else as JSON, cut when long; null for none. */
export function auditText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}

/** One act around signing in. `user` is undefined where no user was identified. */
export interface SessionAct extends Omit<Act, "on" | "changes">, Omit<ActContext, "user"> {
  readonly user: SessionUser | undefined
  readonly email: string
}

/** The audit entry of an act around signing in. Never carries a password, a token or a cookie. */
export function sessionEntry({ user, email, ...act }: SessionAct): NewAuditEntry {
  const on = { kind: "user", id: user?.id ?? "", label: user?.name ?? email }
  return entryOf({ ...act, user: user ?? { id: "", name: "Not signed in", role: "" } }, { ...act, on })
}

/** Makes ids of lower-case letters and digits that sort as text by the time they were made (`now`: wall time, ms). */
export function createIdMaker(now: () => number): () => string {
  let last = 0
  return () => {
    last = Math.max(last + 1, now() * 1000)
    const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
    return `${last.toString(36).padStart(11, "0")}${random.toString(36).padStart(7, "0")}`
  }
}
