import type { AuditAction, AuditEntry } from "../contract/audit.ts"
import type { SessionUser } from "../contract/users.ts"
import type { AuditStore, Clock, EventBus, Log } from "./ports.ts"

export type NewAuditEntry = Omit<AuditEntry, "id" | "at">

/** What an act says about itself; the rest follows from the request. */
export interface Act {
  readonly action: AuditAction
  readonly on: AuditEntry["on"]
  readonly outcome: AuditEntry["outcome"]
  readonly note?: string | null
  readonly changes?: AuditEntry["changes"]
}

export interface ActContext {
  readonly user: SessionUser
  readonly requestId: string
  readonly source?: string | null
}

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
    log.info(lineOf(entry), `audit: ${entry.action} ${entry.outcome}`)
    events.publish({ topic: "audit", id: entry.id })
  }
  const record = async (entry: NewAuditEntry): Promise<void> => {
    const made = make(entry)
    await store.append(made)
    written(made)
  }
  return {
    make,
    written,
    record,
    /** About what has happened already: the response does not depend on it. */
    recordLate: (request: ActContext, act: Act): Promise<void> =>
      record(entryOf(request, act)).catch((error: unknown) => {
        log.error({ err: error, requestId: request.requestId }, "audit entry lost")
      }),
  }
}

/** An entry as a log line has it: who did what on what, by ids. Names, notes and values stay in the audit log. */
function lineOf({ id, actor, action, on, outcome, request_id, source }: AuditEntry) {
  return {
    audit: id,
    userId: actor.id,
    action,
    on: { kind: on.kind, id: on.id },
    outcome,
    requestId: request_id,
    source,
  }
}

/** The entry of an act. Settings and users are Laurel's own matter, everything else is the program's. */
export function entryOf(context: ActContext, act: Act): NewAuditEntry {
  const { id, name, role } = context.user
  const desk = /^(session|user|store)\./.test(act.action)
  return {
    actor: { id, name, role },
    action: act.action,
    area: desk ? "desk" : "program",
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

/** One act around signing in. `user` is undefined where nobody was recognised. */
export interface SessionAct {
  readonly action: AuditAction
  readonly outcome: AuditEntry["outcome"]
  readonly user: SessionUser | undefined
  readonly email: string
  readonly requestId: string
  readonly source: string | null
  readonly note?: string
}

/** The audit entry of an act around signing in. Never carries a password, a token or a cookie. */
export function sessionEntry(act: SessionAct): NewAuditEntry {
  const { user } = act
  return {
    actor: { id: user?.id ?? "", name: user?.name ?? "Not signed in", role: user?.role ?? "" },
    action: act.action,
    area: "desk",
    on: { kind: "user", id: user?.id ?? "", label: user?.name ?? act.email },
    outcome: act.outcome,
    note: act.note ?? null,
    changes: [],
    request_id: act.requestId,
    source: act.source,
  }
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
