import { limits } from "../../contract/limits.ts"
import type { CopyMeta } from "../../contract/copy.ts"
import { ledgerSearchQuery, ledgerSortOf } from "../../contract/ledgers.ts"
import { timeOf } from "../../contract/program/common.ts"
import { type CoreContext, route, type Route } from "../context.ts"
import { copiedPage, fromCopy, noCopy, servicePage } from "../copy/copied-list.ts"
import { ledgerOperation } from "../copy/ledger-sync.ts"
import { conflict, stored } from "../errors.ts"
import { planById } from "../gateway/upstream-read.ts"
import { type ApiRequest, type ApiResponse, readOptionsOf } from "../http.ts"
import { isoTimeOrNull } from "../runtime.ts"
import { readQuery } from "../validation.ts"

export const ledgerRoutes: readonly Route[] = [
  route("GET /transactions", "ledger.read", ["people", "query"], listTransactions),
]

/**
 * `GET /api/transactions`: one member's ledger, from the copy where that ends with the member's balance; otherwise one
 * request to the service. @throws AppError
 */
async function listTransactions(context: CoreContext, request: ApiRequest): Promise<ApiResponse> {
  const query = readQuery(request.search, ledgerSearchQuery)
  const { member_id, search, sort, ...documented } = query
  context.budget.personActive()
  const params = { member_id }
  if (context.sync !== undefined && readOptionsOf(request).fresh) {
    // What it responds with reaches the copy.
    const plan = planById(ledgerOperation, params, { page: 1, per_page: limits.perPage.max })
    await context.reads.read(plan, readOptionsOf(request))
  }
  const meta = await ledgerState(context, member_id)
  if (meta.complete && context.sync !== undefined) {
    const { type, from, to, page = 1, per_page: perPage = limits.perPage.default } = documented
    const filter = { memberId: member_id, search, type, from: timeOf(from), to: timeOf(to) }
    const found = await stored(
      context.sync.copy.ledgers.list({ ...filter, sort: ledgerSortOf(sort ?? "-created_at"), page, perPage }),
    )
    return copiedPage(context, request, undefined, found, query, meta)
  }
  if (search !== undefined) {
    throw conflict("This ledger can be searched once it is synced. Nothing was read. Try again in a minute.")
  }
  return servicePage(context, request, { operation: ledgerOperation, params }, documented, meta)
}

/** Whether the copy has a member's whole ledger, as of the balance that the copy has. */
async function ledgerState(context: CoreContext, memberId: string): Promise<CopyMeta> {
  const state = await fromCopy(context, async ({ copy }) => {
    const [owner, { held, syncedAt }] = await Promise.all([
      copy.ledgers.owner(memberId),
      copy.members.progress(),
    ])
    const { readFrom = null, balance } = owner?.state ?? {}
    if (readFrom === null || held !== null || owner?.balance !== balance) return noCopy
    // Another balance would have been seen since.
    const at = Math.max(readFrom, syncedAt ?? readFrom)
    return { complete: true, synced_at: isoTimeOrNull(at), syncing: false, synced: null }
  })
  return state ?? noCopy
}
