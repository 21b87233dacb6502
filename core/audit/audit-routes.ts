import { type AuditEntry, auditQuery } from "../../contract/audit.ts"
import { limits } from "../../contract/limits.ts"
import { sees, visibleFields } from "../../contract/redaction.ts"
import { type Role, can, grantOf } from "../../contract/roles.ts"
import type { SessionUser } from "../../contract/session.ts"
import { route, type Route } from "../context.ts"
import { stored } from "../errors.ts"
import { type ApiRequest, success } from "../http.ts"
import type { Names } from "../members/member-names.ts"
import type { AuditStore } from "../ports.ts"
import { readQuery } from "../validation.ts"

export const auditRoutes: readonly Route[] = [
  // Newest first, as far as the role reaches. `meta.next` is what the next page asks `before`.
  route("GET /audit", "audit.read", ["people", "query"], async ({ store, names }, request) => {
    const query = readQuery(request.search, auditQuery)
    const per_page = query.per_page ?? limits.perPage.default
    const found = await stored(store.audit.list({ ...query, per_page }, scopeOf(request)))
    const entries = found.slice(0, per_page)
    const next = found.length > per_page ? (entries.at(-1)?.id ?? null) : null
    const shown = entries.map((entry) =>
      auditEntryFor(request.user, withName(names, request.user.role, entry)),
    )
    return success(shown, { meta: { per_page, next } })
  }),
]

function scopeOf({ user }: ApiRequest): Parameters<AuditStore["list"]>[1] {
  switch (grantOf(user.role, "audit.read")) {
    case "yes":
      return {}
    case "program":
      return { actor: user.id, area: "program" }
    default:
      return { actor: user.id }
  }
}

/** The entry with its member's name as far as it is known: an award by the member's id, or its row, has none. */
function withName(names: Names, role: Role, entry: AuditEntry): AuditEntry {
  const { on, changes } = entry
  if (on.kind === "member" && on.label === null)
    return { ...entry, on: { ...on, label: names.known(on.id, role) ?? null } }
  const member = changes.find(({ field }) => field === "member_id")?.to
  if (on.kind !== "job" || on.label === null || !member) return entry
  return { ...entry, on: { ...on, label: on.label.replace(member, (id) => names.known(id, role) ?? id) } }
}

/** An entry as the reader's role, which may have changed since, may see it. */
function auditEntryFor(reader: Pick<SessionUser, "id" | "role">, written: AuditEntry): AuditEntry {
  const { role } = reader
  // Source addresses are for administrators, and for one's own entries.
  const seesSource = can(role, "users.manage") || written.actor.id === reader.id
  const entry = seesSource ? written : { ...written, source: null }
  const { on } = entry
  // An export's filters hold what was searched for, such as an e-mail.
  if (on.kind === "export" && !can(role, "exports.people")) return { ...entry, changes: [] }
  const changes = entry.changes.filter((change) => change.field !== "note" || can(role, "notes.read"))
  if (on.kind === "job") {
    const shown = changes.filter(({ field }) => field !== "points" || sees("member", role, "points_balance"))
    return { ...entry, on: named(role, on), changes: shown }
  }
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
