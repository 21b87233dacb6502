import type { AuditEntry } from "../../../contract/audit.ts"
import type { DeskContext } from "../../context.ts"
import { forbidden, stored } from "../../errors.ts"
import type { DeskRequest } from "../../http.ts"
import type { Match } from "../../match.ts"

/** The header by which a read says that it belongs to an export. */
export const exportHeader = "x-laurel-export"

/** An export that takes longer asks again, in ms. */
const ticketMs = 3_600_000

/** The reads that each kind of export is made of. */
const readsOf: Readonly<Record<string, string>> = {
  members: "GET /members",
  ledger: "GET /members/{member_id}/transactions",
  orders: "GET /orders",
}

/**
 * Whether this read belongs to an export the same person asked for within the hour.
 * @throws DeskFailure 403
 */
export async function requireTicket(
  { store, clock }: DeskContext,
  { user }: DeskRequest,
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
