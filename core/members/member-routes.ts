import type { MemberMergeView } from "../../contract/kinds/member-merge.ts"
import { memberNamesBody } from "../../contract/program/member.ts"
import { type CoreContext, route, type Route } from "../context.ts"
import { stored } from "../errors.ts"
import { success } from "../http.ts"
import type { RowRecord } from "../jobs/job-store.ts"
import { followingRow, mergeOf } from "../jobs/kinds/member-merge.ts"
import { eraseMember } from "./erase-member.ts"
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
