import { createExportBody, type CreateExportBody } from "../../../contract/response.ts"
import { success } from "../../http.ts"
import { auditText, entryOf } from "../../audit-log.ts"
import { noQuery, readBody } from "../../validation.ts"
import { invalid, stored } from "../../errors.ts"
import type { OwnHandler } from "../../routes.ts"

/**
 * `POST /api/exports`: puts the export in the audit log and answers its ticket. The entry is the ticket: every
 * instance finds it there, and what is not in the log cannot be exported.
 */
export const createExport: OwnHandler = async (context, request) => {
  noQuery(request.search)
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

/** A ledger is one member's, the list is everybody's. */
function requireWhose({ kind, member_id }: CreateExportBody): void {
  const named = member_id !== undefined && member_id !== ""
  if (named === (kind === "ledger")) return
  const message = kind === "ledger" ? "Choose a member." : "Only a ledger export takes a member."
  throw invalid(422, [{ field: "member_id", message }])
}

function prefixed(filter: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).map(([name, value]) => [`filter.${name}`, value]))
}
