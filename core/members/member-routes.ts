import type { MemberMergeView } from "../../contract/kinds/member-merge.ts"
import type { ErasedMember } from "../../contract/members.ts"
import { memberNamesBody } from "../../contract/program/member.ts"
import { type CoreContext, route, type Route } from "../context.ts"
import type { LocalCopy } from "../copy/local-copy.ts"
import { stored } from "../errors.ts"
import { type ApiRequest, type ApiResponse, success } from "../http.ts"
import type { RowRecord } from "../jobs/job-store.ts"
import { followingRow, mergeOf } from "../jobs/kinds/member-merge.ts"
import { forgetAddresses } from "../orders/order-addresses.ts"
import { countMembers, listMembers, listRecipients } from "./member-list.ts"
import { readBody } from "../validation.ts"

/** What Laurel adds to the service's own member paths, which are rows of the policy. */
export const memberRoutes: readonly Route[] = [
  route("GET /members", "members.read", ["people", "query"], listMembers),
  route("GET /members/facets", "members.read", ["query"], countMembers),
  route("GET /members/recipients", "points.write", ["people", "query"], listRecipients),
  route("POST /members/names", "members.read", [], async ({ names }, request) => {
    const { ids } = readBody(request.body, memberNamesBody)
    return success(await names.find(ids, request.user.role))
  }),
  route("POST /members/{id}/erase", "members.delete", [], eraseMember),
  // How far the merge of a member into another one is, from our own store.
  route("GET /members/{id}/merge", "ledger.read", ["people"], async (context, _, { id = "" }) =>
    success(await viewMerge(context, id)),
  ),
]

async function viewMerge({ store }: CoreContext, memberId: string): Promise<MemberMergeView> {
  const rows = await stored(store.jobs.rowsAbout("member-merge", { memberId }))
  const row = rows.find(({ confirmedAt }) => confirmedAt !== null) ?? rows[0]
  if (row === undefined) return null
  const following = await stored(followingRow({ store }, row))
  const { into, points } = mergeOf(row)
  const { jobId: job, row: number } = following ?? row
  return {
    into,
    points,
    step: stepOf(row, following),
    deducted: row.confirmedAt !== null,
    message: row.outcome?.message ?? null,
    next: { job, row: number },
  }
}

function stepOf(
  { state, outcome }: RowRecord,
  following: RowRecord | undefined,
): NonNullable<MemberMergeView>["step"] {
  if (state === "planned" || state === "sent" || state === "unknown") return "deducting"
  if (outcome?.code === "merged") return "done"
  if (state !== "confirmed" || outcome !== null) return "stopped"
  return following === undefined || following.points !== null ? "awarding" : "deactivating"
}

/**
 * `POST /api/members/{id}/erase`: empties what this server keeps of a member besides its own history: the copied record
 * and ledger, the name, cached responses, and addresses that no open order needs. The service is not changed; a member
 * who still exists there comes back with the next pass. May be repeated. @throws AppError 503
 */
async function eraseMember(
  context: CoreContext,
  request: ApiRequest,
  { id = "" }: Readonly<Record<string, string>>,
): Promise<ApiResponse> {
  const { audit, events, names, reads, sync } = context
  const erased = await stored(eraseCopy(sync, id))
  await stored(names.forget(id))
  await stored(forgetAddresses(context, request.user, id))
  reads.invalidate({ evict: [`member:${id}`, "members", "members:search"], stale: [] })
  // Not the event of a single member: that one would be read again.
  events.publish({ topic: "members", id })
  const on = { kind: "member", id, label: null } as const
  const note = `${erased.record ? "The copied record" : "No copied record"} and ${erased.entries} ledger entries.`
  await audit.recordDone(request, { action: "member.erase", on, note })
  return success(erased)
}

async function eraseCopy(sync: LocalCopy | undefined, id: string): Promise<ErasedMember> {
  if (sync === undefined) return { record: false, entries: 0 }
  // Records of earlier responses would bring the member back.
  await sync.settled()
  const { copy } = sync
  const [found, { total }] = await Promise.all([
    copy.members.get([id]),
    copy.ledgers.list({
      memberId: id,
      sort: { field: "created_at", descending: true },
      page: 1,
      perPage: 1,
    }),
  ])
  await copy.members.drop([id], (await copy.now()) + 1)
  return { record: found.length > 0, entries: total }
}
