import { limits } from "../../contract/limits.ts"
import {
  hiddenMemberField,
  type MemberFacets,
  memberFacetsQuery,
  type MemberFacetsQuery,
  memberSearchQuery,
  type MemberSearchQuery,
  memberSearchScope,
  memberSortOf,
} from "../../contract/members.ts"
import { type MemberFieldName, memberFields } from "../../contract/program/member-fields.ts"
import { sees } from "../../contract/redaction.ts"
import type { Role } from "../../contract/roles.ts"
import type { CoreContext } from "../context.ts"
import { copiedPage, copyState, listRequested, servicePage } from "../copy/copied-list.ts"
import { conflict, forbidden, stored } from "../errors.ts"
import { type ApiRequest, type ApiResponse, success } from "../http.ts"
import { readQuery } from "../validation.ts"

/** `GET /api/members`: from the copy once it is complete; until then one request to the service. @throws AppError */
export async function listMembers(context: CoreContext, request: ApiRequest): Promise<ApiResponse> {
  const query = readQuery(request.search, memberSearchQuery)
  const { role } = request.user
  requireVisible(role, query)
  listRequested(context, request, "members", query)
  const { copy, meta } = await copyState(context, "members")
  if (copy !== undefined) {
    const { page = 1, per_page: perPage = limits.perPage.default } = query
    // The order that the role may see.
    const sort = memberSortOf(query.sort ?? (sees("member", role, "created_at") ? "-created_at" : "name"))
    const found = await stored(copy.members.list({ ...filterOf(role, query), sort, page, perPage }))
    return copiedPage(context, request, "member", found, query, meta)
  }
  const { company, sort: _sort, ...documented } = query
  if (company !== undefined) {
    throw conflict(
      "Members can be filtered by company once all of them are synced. Nothing was read. Search or filter by something else until then.",
    )
  }
  return servicePage(context, request, { operation: "GET /members", redacts: "member" }, documented, meta)
}

/** `GET /api/members/facets`: counts of the copy; empty until it is complete. @throws AppError */
export async function countMembers(context: CoreContext, request: ApiRequest): Promise<ApiResponse> {
  const query = readQuery(request.search, memberFacetsQuery)
  const { role } = request.user
  requireVisible(role, query)
  const { copy, meta } = await copyState(context, "members")
  const facets = copy === undefined ? noFacets : await stored(copy.members.facets(filterOf(role, query)))
  return success(visibleFacets(role, facets), { meta: { ...meta } })
}

function requireVisible(role: Role, query: MemberSearchQuery): void {
  const hidden = hiddenMemberField(role, query)
  if (hidden === undefined) return
  const { label } = memberFields[hidden]
  throw forbidden(
    `Your role doesn’t see the field ${label}, so members can’t be filtered or sorted by it. Nothing was read.`,
  )
}

function filterOf(role: Role, { search, status, tier, company }: MemberFacetsQuery) {
  return { search, status, tier, company, scope: memberSearchScope(role) }
}

const noFacets: MemberFacets = {
  total: 0,
  statuses: [],
  tiers: [],
  companies: [],
  metadata_keys: [],
  points: { sum: 0, without: 0 },
}

function visibleFacets(role: Role, facets: MemberFacets): MemberFacets {
  const has = (field: MemberFieldName) => sees("member", role, field)
  return {
    total: facets.total,
    statuses: has("status") ? facets.statuses : [],
    tiers: has("tier") ? facets.tiers : [],
    companies: has("company") ? facets.companies : [],
    metadata_keys: has("metadata") ? facets.metadata_keys : [],
    points: has("points_balance") ? facets.points : noFacets.points,
  }
}
