import type { AuditEntry } from "../../contract/audit.ts"
import { type CreateExportBody, createExportBody } from "../../contract/response.ts"
import { can } from "../../contract/roles.ts"
import { auditText, entryOf } from "../audit-log.ts"
import type { CoreContext, Handler } from "../context.ts"
import { forbidden, invalid, stored } from "../errors.ts"
import { renderRead } from "../gateway/reads.ts"
import { fetchResponse, planRead } from "../gateway/upstream-read.ts"
import { type ApiResponse, type ApiRequest, success } from "../http.ts"
import { type Match, matchOperation } from "../match.ts"
import { queryOf, requirePermission } from "../policy.ts"
import { readBody } from "../validation.ts"

/** `POST /api/exports`: the audit entry is the ticket, so what is not in the log cannot be exported. */
export const createExport: Handler = async (context, request) => {
  const body = readBody(request.body, createExportBody)
  requireWhose(body)
  const id = crypto.randomUUID()
  const { kind, member_id, filter } = body
  const told = { kind, member_id, ...prefixed(filter ?? {}) }
  await stored(
    context.audit.record(
      entryOf(request, {
        action: "export.create",
        on: { kind: "export", id, label: labels[kind](member_id) },
        outcome: "done",
        changes: Object.entries(told)
          .filter(([, value]) => value !== undefined)
          .map(([field, value]) => ({ field, from: null, to: auditText(value) })),
      }),
    ),
  )
  return success({ id }, { status: 201 })
}

const labels: Readonly<Record<CreateExportBody["kind"], (memberId: string | undefined) => string>> = {
  members: () => "Members",
  ledger: (memberId) => `Ledger of ${memberId}`,
  orders: () => "Orders",
  cards: () => "Gift cards",
}

function requireWhose({ kind, member_id }: CreateExportBody): void {
  const named = member_id !== undefined && member_id !== ""
  if (named === (kind === "ledger")) return
  const message = kind === "ledger" ? "Choose a member." : "Only a ledger export takes a member."
  throw invalid(422, [{ field: "member_id", message }])
}

function prefixed(filter: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).map(([name, value]) => [`filter.${name}`, value]))
}

/**
 * A page of an export, read now and behind people. Not cached: it would push out what people look at. @throws AppError
 */
export async function readExport(
  context: CoreContext,
  request: ApiRequest,
  ticket: string,
): Promise<ApiResponse> {
  const { user } = request
  const match = matchOperation(request.method, request.path)
  if ("allowed" in match || match.operation.kind !== "read" || !can(user.role, "exports.people")) {
    throw forbidden("This can’t be exported, or your role doesn’t allow it. Nothing was exported.")
  }
  const { operation, params } = match
  requirePermission(user.role, operation.permission)
  await requireTicket(context, request, ticket, match)
  const response = await fetchResponse(
    context,
    planRead(operation, params, queryOf(operation, user.role, request.search)),
    {
      lane: "jobs",
      person: { id: ticket, name: `Export by ${user.name}` },
      signal: request.signal,
    },
  )
  const reader = { role: user.role, ifNoneMatch: undefined, now: context.clock.monotonic() }
  return { ...renderRead({ response }, operation.redacts, reader), personal: true }
}

/** The header by which a read says that it belongs to an export. */
export const exportHeader = "x-laurel-export"

const ticketMs = 3_600_000

const readsOf: Readonly<Record<string, string>> = {
  members: "GET /members",
  ledger: "GET /members/{member_id}/transactions",
  orders: "GET /orders",
}

/** Whether this read belongs to an export the same person asked for within the hour. @throws AppError 403 */
async function requireTicket(
  { store, clock }: CoreContext,
  { user }: ApiRequest,
  ticket: string,
  { operation, params }: Match,
): Promise<void> {
  const query = { action: "export.create", kind: "export", id: ticket, per_page: 1 }
  const [entry] = await stored(store.audit.list(query, { actor: user.id }))
  if (entry === undefined || clock.now() - Date.parse(entry.at) > ticketMs) {
    throw forbidden(
      "This export isn’t yours or is over an hour old. Nothing was exported. Start the export again.",
    )
  }
  const sameRead = readsOf[said(entry, "kind") ?? ""] === operation.id
  if (!sameRead || said(entry, "member_id") !== params.member_id) {
    throw forbidden(
      "This export was started for different data. Nothing was exported. Start the export again.",
    )
  }
}

function said({ changes }: AuditEntry, name: string): string | undefined {
  return changes.find(({ field }) => field === name)?.to ?? undefined
}
