import { can } from "../../../contract/roles.ts"
import type { DeskContext } from "../../context.ts"
import { forbidden } from "../../errors.ts"
import { fetchResponse, planRead } from "../../gateway/upstream-read.ts"
import { queryOf, requirePermission } from "../../gateway/gateway.ts"
import { renderRead } from "../../gateway/render.ts"
import type { DeskAnswer, DeskRequest } from "../../http.ts"
import { matchOperation } from "../../match.ts"
import { requireTicket } from "./export-ticket.ts"

/**
 * A page of an export: read from the service now, behind the people at the desk, and nobody counts as present for it.
 * It leaves no copy behind, because an export of everybody would push out what people look at.
 * @throws DeskFailure
 */
export async function handleExportRead(
  context: DeskContext,
  request: DeskRequest,
  ticket: string,
): Promise<DeskAnswer> {
  const { user } = request
  const match = matchOperation(request.method, request.path)
  if ("allowed" in match || match.operation.kind !== "read" || !can(user.role, "exports.people")) {
    throw forbidden("This can’t be exported, or your role doesn’t allow it. Nothing was exported.")
  }
  const { operation, params } = match
  requirePermission(request, operation)
  await requireTicket(context, request, ticket, match)
  const response = await fetchResponse(context, planRead(operation, params, queryOf(request, operation)), {
    lane: "jobs",
    person: { id: ticket, name: `Export by ${user.name}` },
    signal: request.signal,
  })
  const reader = { role: user.role, ifNoneMatch: undefined, now: context.clock.monotonic() }
  return { ...renderRead({ response }, operation.redacts, reader), personal: true }
}
