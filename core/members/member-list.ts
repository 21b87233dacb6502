import type { CopyMeta } from "../../contract/copy.ts"
import { limits } from "../../contract/limits.ts"
import {
  filtersOfView,
  hiddenMemberField,
  type MemberFacets,
  memberFacetsQuery,
  type MemberFacetsQuery,
  memberSearchQuery,
  type MemberSearchQuery,
  memberSearchScope,
  memberSortOf,
  type Recipients,
  recipientsQuery,
} from "../../contract/members.ts"
import { type MemberFieldName, memberFields } from "../../contract/program/member-fields.ts"
import type { Member } from "../../contract/program/member.ts"
import { redact, sees } from "../../contract/redaction.ts"
import type { Role } from "../../contract/roles.ts"
import type { ListView } from "../../contract/views.ts"
import type { CoreContext } from "../context.ts"
import { copiedPage, copyState, listRequested, servicePage } from "../copy/copied-list.ts"
import { conflict, forbidden, notFound, notSynced, stored } from "../errors.ts"
import { type ApiRequest, type ApiResponse, success } from "../http.ts"
import { yieldToEventLoop } from "../jobs/engine-context.ts"
import { readQuery } from "../validation.ts"
import { viewsFor } from "../views/view-routes.ts"
import { namesOfCompany } from "./merged-companies.ts"

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
    const filter = await filterOf(context, role, query)
    const found = await stored(copy.members.list({ ...filter, sort, page, perPage }))
    return copiedPage(context, request, "member", found, query, meta)
  }
  const { company, field, value: _value, sort: _sort, ...documented } = query
  if (company !== undefined || field !== undefined) {
    throw notSynced(
      "Members can be filtered by company and custom field once all of them are synced. Nothing was read. Search or filter by something else until then.",
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
  const facets =
    copy === undefined ? noFacets : await stored(copy.members.facets(await filterOf(context, role, query)))
  return success(visibleFacets(role, facets), { meta: { ...meta } })
}

/**
 * `GET /api/members/recipients`: the members that a saved view or filters match now, for the rows of a job. Only from a
 * complete copy, or some would be left out unnoticed. @throws AppError
 */
export async function listRecipients(context: CoreContext, request: ApiRequest): Promise<ApiResponse> {
  const { view: id, ...filters } = readQuery(request.search, recipientsQuery)
  const { role } = request.user
  const view = id === undefined ? undefined : await requireView(context, request.user, id)
  const query = view === undefined ? filters : filtersOfView(view)
  if (query === undefined)
    throw conflict(
      "This view has a filter that recipients can’t be chosen by. Nothing was read. Open it in the members list, and save it again.",
    )
  requireVisible(role, query)
  const { copy, meta } = await copyState(context, "members")
  if (copy === undefined)
    throw notSynced(
      `${progressOf(meta)} Recipients can be chosen by a view or a company once all of them are. Nothing was read. Until then, choose members in the list or use a file.`,
    )
  const ids = await stored(copy.members.ids(await filterOf(context, role, query)))
  if (ids.length > limits.jobRows)
    throw conflict(
      `More than ${limits.jobRows} members match, and a job takes no more rows. Nothing was read.`,
    )
  const members: Recipients["members"] = []
  for (let at = 0; at < ids.length; at += limits.copyPage) {
    const part = ids.slice(at, at + limits.copyPage)
    const held = new Map((await stored(copy.members.get(part))).map((member) => [member.id, member]))
    for (const each of part) {
      const member = held.get(each)
      if (member !== undefined) members.push(toRecipient(role, member))
    }
    await yieldToEventLoop()
  }
  return success({ name: view?.name ?? null, members }, { meta: { ...meta } })
}

async function requireView(context: CoreContext, user: ApiRequest["user"], id: string): Promise<ListView> {
  const { all } = await viewsFor(context, user)
  const view = all.find((each) => each.id === id)
  if (view !== undefined) return view
  throw notFound("This view was deleted, or isn’t shared with you. Nothing was read.")
}

function progressOf({ synced }: CopyMeta): string {
  if (synced === null) return "Members aren’t synced by this server."
  const { live, total } = synced
  return total === null
    ? `${live} members are synced so far.`
    : `${live} of ${total} members are synced so far.`
}

function toRecipient(role: Role, member: Member): Recipients["members"][number] {
  const { id, first_name, last_name, email, status } = redact("member", role, member)
  return { id, first_name, last_name, email, status }
}

function requireVisible(role: Role, query: MemberSearchQuery): void {
  const hidden = hiddenMemberField(role, query)
  if (hidden === undefined) return
  const { label } = memberFields[hidden]
  throw forbidden(
    `Your role doesn’t see the field ${label}, so members can’t be filtered or sorted by it. Nothing was read.`,
  )
}

/** A company is all its names. */
async function filterOf(context: CoreContext, role: Role, query: MemberFacetsQuery) {
  const { search, status, tier, company, field, value } = query
  const custom = field === undefined ? undefined : { name: field, value }
  const companies = company === undefined ? undefined : await namesOfCompany(context, company)
  return { search, status, tier, company: companies, custom, scope: memberSearchScope(role) }
}

const noFacets: MemberFacets = {
  total: 0,
  statuses: [],
  tiers: [],
  companies: [],
  metadata_keys: [],
  field_values: [],
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
    field_values: has("metadata") ? facets.field_values : [],
    points: has("points_balance") ? facets.points : noFacets.points,
  }
}
