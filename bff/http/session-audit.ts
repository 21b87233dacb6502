import type { AuditAction, AuditEntry } from "../../contract/audit.ts"
import type { SessionUser } from "../../contract/users.ts"
import type { NewAuditEntry } from "../../core/audit-log.ts"

/** One act around signing in. `user` is undefined where nobody was recognised. */
export interface SessionAct {
  readonly action: AuditAction
  readonly outcome: AuditEntry["outcome"]
  readonly user: SessionUser | undefined
  /** The address that was typed. */
  readonly email: string
  readonly requestId: string
  /** Address the request came from. */
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
