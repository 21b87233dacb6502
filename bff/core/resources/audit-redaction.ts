import type { AuditEntry } from "../../../contract/desk/audit.ts"
import { sees, visibleFields } from "../../../contract/redaction.ts"
import { can, type Role } from "../../../contract/roles.ts"

/**
 * An entry as `role` may see it. Entries are read long after they were written: whoever edited a member as a manager
 * and ships orders today sees the member's name in them and nothing beside it.
 */
export function auditEntryFor(role: Role, entry: AuditEntry): AuditEntry {
  const { on } = entry
  const changes = entry.changes.filter((change) => change.field !== "note" || can(role, "notes.read"))
  if (on.kind !== "member" || visibleFields.member[role] === "all") return { ...entry, changes }
  return {
    ...entry,
    // A member without a name is called by the e-mail.
    on: on.label?.includes("@") === true && !sees("member", role, "email") ? { ...on, label: null } : on,
    // A service's words may name the e-mail or the phone it refused.
    note: null,
    changes: changes.filter((change) => sees("member", role, change.field.split(".", 1)[0] ?? "")),
  }
}
