import type { CopyMeta } from "../../contract/copy.ts"
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
import type { CopyStore } from "../copy/copy-store.ts"
import { conflict, forbidden, stored } from "../errors.ts"
import { notConnected } from "../gateway/caller.ts"
import { renderRead } from "../gateway/reads.ts"
import { planRead } from "../gateway/upstream-read.ts"
import { type ApiRequest, type ApiResponse, success } from "../http.ts"
import { operationById } from "../match.ts"
import { queryOf, requirePermission } from "../policy.ts"
import type { Clock } from "../ports.ts"
import { isoTimeOrNull } from "../runtime.ts"
import { canonicalQuery, readQuery } from "../validation.ts"

/** `GET /api/members`: from the copy once it is complete; until then one request to the service. @throws AppError */
export async function listMembers(context: CoreContext, request: ApiRequest): Promise<ApiResponse> {
  const query = readQuery(request.search, memberSearchQuery)
  const { role } = request.user
  requireVisible(role, query)
  if ((query.per_page ?? 0) > limits.perPage.max)
    requirePermission(role, "exports.people", "Nothing was read.")
  context.budget.personActive()
  if (isFresh(request)) context.sync?.passNow()
  const { copy, meta } = await copyState(context)
  return copy === undefined
    ? fromService(context, request, query, meta)
    : fromCopy(context, copy, request, query, meta)
}

/** `GET /api/members/facets`: counts of the copy; empty until it is complete. @throws AppError */
export async function countMembers(context: CoreContext, request: ApiRequest): Promise<ApiResponse> {
  const query = readQuery(request.search, memberFacetsQuery)
  const { role } = request.user
  requireVisible(role, query)
  const { copy, meta } = await copyState(context)
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

function isFresh({ header }: ApiRequest): boolean {
  return header("cache-control")?.includes("no-cache") ?? false
}

/** The copy, if every member is in it and it can be read, and what lists say about it. */
async function copyState({ log, sync }: CoreContext): Promise<{ copy?: CopyStore; meta: CopyMeta }> {
  const none: CopyMeta = { complete: false, synced_at: null, syncing: false, synced: null }
  if (sync === undefined) return { meta: none }
  try {
    await sync.settled()
    const { copy, isSweeping: syncing } = sync
    const { complete, syncedAt, total } = await copy.members.progress()
    const state = { complete, synced_at: isoTimeOrNull(syncedAt), syncing }
    if (complete) return { copy, meta: { ...state, synced: null } }
    return { meta: { ...state, synced: { live: await copy.members.count(), total } } }
  } catch (error) {
    log.warn({ err: error }, "the local copy could not be read: the list comes from the service")
    return { meta: none }
  }
}

function filterOf(role: Role, { search, status, tier, company }: MemberFacetsQuery) {
  return { search, status, tier, company, scope: memberSearchScope(role) }
}

async function fromCopy(
  { clock }: CoreContext,
  copy: CopyStore,
  request: ApiRequest,
  query: MemberSearchQuery,
  state: CopyMeta,
): Promise<ApiResponse> {
  const { role } = request.user
  const { page = 1, per_page = limits.perPage.default } = query
  // The order that the role may see.
  const sort = memberSortOf(query.sort ?? (sees("member", role, "created_at") ? "-created_at" : "name"))
  const filter = filterOf(role, query)
  const found = await stored(copy.members.list({ ...filter, sort, page, perPage: per_page }))
  const at = state.synced_at === null ? clock.now() : Date.parse(state.synced_at)
  const answeredAt = clock.monotonic() - Math.max(0, clock.now() - at)
  const meta = { page, per_page, total: found.total, ...state }
  const response = { data: found.rows, meta, at, answeredAt, requestedAt: answeredAt, tags: [], size: 0 }
  return render(clock, request, { response })
}

/** The documented parameters only: the service neither sorts nor filters by company. */
async function fromService(
  context: CoreContext,
  request: ApiRequest,
  query: MemberSearchQuery,
  state: CopyMeta,
): Promise<ApiResponse> {
  const { clock, config, reads } = context
  if (config.apis.program === null) throw notConnected("program")
  const { company, sort: _sort, per_page, ...documented } = query
  if (company !== undefined) {
    throw conflict(
      "Members can be filtered by company once all of them are synced. Nothing was read. Search or filter by something else until then.",
    )
  }
  const operation = operationById("GET /members")
  if (operation.kind !== "read") throw new Error("GET /members is not a read.")
  const size = per_page === undefined ? {} : { per_page: Math.min(per_page, limits.perPage.max) }
  const sent = canonicalQuery({ ...documented, ...size })
  const plan = planRead(operation, {}, queryOf(operation, request.user.role, sent.toString()))
  const options = { person: request.user, fresh: isFresh(request), signal: request.signal }
  const { response, ...stale } = await reads.read(plan, options)
  return render(clock, request, { response: { ...response, meta: { ...response.meta, ...state } }, ...stale })
}

function render(clock: Clock, request: ApiRequest, result: Parameters<typeof renderRead>[0]): ApiResponse {
  const ifNoneMatch = request.header("if-none-match")
  return renderRead(result, "member", { role: request.user.role, ifNoneMatch, now: clock.monotonic() })
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
