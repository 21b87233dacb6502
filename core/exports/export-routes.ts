import type { AuditEntry } from "../../contract/audit.ts"
import { createExportBody } from "../../contract/response.ts"
import { can } from "../../contract/roles.ts"
import { auditText } from "../audit/audit-log.ts"
import { type CoreContext, route, type Route } from "../context.ts"
import { forbidden, invalid, stored } from "../errors.ts"
import { renderRead } from "../gateway/reads.ts"
import { fetchResponse, planRead } from "../gateway/upstream-read.ts"
import { type ApiResponse, type ApiRequest, success } from "../http.ts"
import type { Match } from "../match.ts"
import { type Operation, queryOf, requirePermission } from "../policy.ts"
import { readBody } from "../validation.ts"

export const exportRoutes: readonly Route[] = [
  // The audit entry is the ticket, so what is not in the log cannot be exported.
  route("POST /exports", "exports.people", [], async ({ audit }, request) => {
    const { kind, member_id, filter = {} } = readBody(request.body, createExportBody)
    const isLedger = kind === "ledger"
    if (Boolean(member_id) !== isLedger) {
      const message = isLedger ? "Choose a member." : "Only a ledger export takes a member."
      throw invalid(422, [{ field: "member_id", message }])
    }
    const id = crypto.randomUUID()
    const filters = Object.entries(filter).map(([name, value]) => [`filter.${name}`, value] as const)
    await audit.recordFirst(request, {
      action: "export.create",
      on: { kind: "export", id, label: isLedger ? `Ledger of ${member_id}` : labels[kind] },
      outcome: "done",
      changes: [["kind", kind] as const, ["member_id", member_id] as const, ...filters]
        .filter(([, value]) => value !== undefined)
        .map(([field, value]) => ({ field, from: null, to: auditText(value) })),
    })
    return success({ id }, { status: 201 })
  }),
]

const labels = {
  members: "Members",
  orders: "Orders",
  cards: "Gift cards",
  rewards: "Rewards",
  books: "Books",
} as const

/** The header by which a read says that it belongs to an export. */
export const exportHeader = "x-laurel-export"

const ticketMs = 3_600_000

const readsOf: Readonly<Record<string, string>> = {
  members: "GET /members",
  ledger: "GET /members/{member_id}/transactions",
  orders: "GET /orders",
}

/** A page of an export, read now and behind people. Not cached: it would push out what people look at. */
export async function readExport(
  context: CoreContext,
  request: ApiRequest,
  { row: operation, params }: Match<Operation>,
  ticket: string,
): Promise<ApiResponse> {
  const { user, search, signal } = request
  if (operation.kind !== "read" || !can(user.role, "exports.people")) {
    throw forbidden("This can’t be exported, or your role doesn’t allow it. Nothing was exported.")
  }
  requirePermission(user.role, operation.permission)
  const query = { action: "export.create", kind: "export", id: ticket, per_page: 1 }
  const [entry] = await stored(context.store.audit.list(query, { actor: user.id }))
  if (entry === undefined || context.clock.now() - Date.parse(entry.at) > ticketMs) {
    throw forbidden(
      "This export isn’t yours or is over an hour old. Nothing was exported. Start the export again.",
    )
  }
  const isSame =
    readsOf[said(entry, "kind") ?? ""] === operation.id &&
    said(entry, "member_id") === params.member_id &&
    entry.changes.every((change) => isFilteredBy(new URLSearchParams(search), change))
  if (!isSame) {
    throw forbidden(
      "This export was started for different data. Nothing was exported. Start the export again.",
    )
  }
  const person = { id: ticket, name: `Export by ${user.name}` }
  const plan = planRead(operation, params, queryOf(operation, user.role, search))
  const response = await fetchResponse(context, plan, { lane: "jobs", person, signal })
  const reader = { role: user.role, ifNoneMatch: undefined, now: context.clock.monotonic() }
  return { ...renderRead({ response }, operation.redacts, reader), personal: true }
}

/** Orders are asked for by wider days than were chosen (docs/open-points.md): of days one is enough. */
function isFilteredBy(search: URLSearchParams, { field, to }: AuditEntry["changes"][number]): boolean {
  if (!field.startsWith("filter.")) return true
  const requested = search.get(field.slice("filter.".length))
  return /\.(from|to)$/.test(field) ? requested !== null : requested === to
}

function said({ changes }: AuditEntry, name: string): string | undefined {
  return changes.find(({ field }) => field === name)?.to ?? undefined
}
