import type { AuditEntry } from "../../contract/audit.ts"
import { sees, visibleFields } from "../../contract/redaction.ts"
import { can, type Role } from "../../contract/roles.ts"
import type { SessionUser } from "../../contract/users.ts"

/**
 * An entry as `role` may see it. Entries are read long after they were written: whoever edited a member as a manager
 * and ships orders today sees the member's name in them and nothing beside it.
 */
export function auditEntryFor(reader: Pick<SessionUser, "id" | "role">, written: AuditEntry): AuditEntry {
  const { role } = reader
  // Where somebody sits is for administrators, and for oneself.
  const seesSource = can(role, "users.manage") || written.actor.id === reader.id
  const entry = seesSource ? written : { ...written, source: null }
  const { on } = entry
  // An export's filters hold what was searched for, such as an e-mail.
  if (on.kind === "export" && !can(role, "exports.people")) return { ...entry, changes: [] }
  const changes = entry.changes.filter((change) => change.field !== "note" || can(role, "notes.read"))
  if (on.kind === "job") return { ...entry, on: named(role, on), changes }
  if (on.kind !== "member" || visibleFields.member[role] === "all") return { ...entry, changes }
  return {
    ...entry,
    on: named(role, on),
    // A service's words may name the e-mail or the phone it refused.
    note: null,
    changes: changes.filter((change) => sees("member", role, change.field.split(".", 1)[0] ?? "")),
  }
}

/** A member without a name is called by the e-mail, in a job's row too. */
function named(role: Role, on: AuditEntry["on"]): AuditEntry["on"] {
  return on.label?.includes("@") === true && !sees("member", role, "email") ? { ...on, label: null } : on
}
