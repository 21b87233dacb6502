import { auditQuery } from "../../contract/audit.ts"
import { limits } from "../../contract/limits.ts"
import { grantOf } from "../../contract/roles.ts"
import { type DeskRequest, success } from "../http.ts"
import type { AuditStore } from "../ports.ts"
import { readQuery } from "../validation.ts"
import type { OwnHandler } from "../routes.ts"
import { auditEntryFor } from "./audit-redaction.ts"
import { stored } from "../errors.ts"

/**
 * `GET /api/audit`: newest first, as far as the person's role reaches. `meta.next` is what the next page asks `before`.
 */
export const listAudit: OwnHandler = async ({ store }, request) => {
  const query = readQuery(request.search, auditQuery)
  const per_page = query.per_page ?? limits.perPage.default
  const found = await stored(store.audit.list({ ...query, per_page }, scopeOf(request)))
  const entries = found.slice(0, per_page)
  const next = found.length > per_page ? (entries.at(-1)?.id ?? null) : null
  const shown = entries.map((entry) => auditEntryFor(request.user, entry))
  return success(shown, { meta: { per_page, next } })
}

function scopeOf({ user }: DeskRequest): Parameters<AuditStore["list"]>[1] {
  switch (grantOf(user.role, "audit.read")) {
    case "yes":
      return {}
    case "program":
      return { actor: user.id, area: "program" }
    default:
      return { actor: user.id }
  }
}
