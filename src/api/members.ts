import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query"
import { useMemo } from "react"
import * as z from "zod/mini"
import { copyMeta, type CopyMeta } from "../../contract/copy.ts"
import { memberMergeView, type MemberMergeView } from "../../contract/kinds/member-merge.ts"
import { limits } from "../../contract/limits.ts"
import {
  erasedMember,
  memberFacets,
  type MemberFacetsQuery,
  type MemberSearchQuery,
  recipients,
  type RecipientsQuery,
} from "../../contract/members.ts"
import type { ResponseMeta } from "../../contract/response.ts"
import { searchedText } from "../../contract/typed-text.ts"
import {
  type Member,
  memberListReader,
  memberNames,
  memberReader,
  type UpdateMemberBody,
} from "../../contract/program/member.ts"
import { pollEvery, registerEventHandler, registerTopic } from "./events.ts"
import { programResource, readEveryPage, requestParts, reviseQueries, cacheData, useWrite } from "./paging.ts"
import {
  type ApiResponse,
  apiPath,
  dataQuery,
  fetchAwaited,
  request,
  requestData,
  responseQuery,
} from "./request.ts"
import { useCan } from "./session.ts"
import { ApiError, Offline } from "../lib/errors.ts"
import { markChanged } from "../lib/recent-records.ts"
import { fullName, loadTabNames, saveTabNames } from "../lib/names.ts"

const members = programResource<Member, MemberSearchQuery>({
  name: "member",
  plural: "members",
  schema: memberReader.tolerant,
  listSchema: memberListReader.tolerant,
  idOf: ({ id }) => id,
  listPath: ["members"],
})

/** One member; with `fresh` past every cache (one upstream request). Pages of the list seed it. */
export const memberQuery = members.one

/** Every cached record of a member starts with this key. */
const memberKey = ["member"] as const

/** The id in an event that names no single record. */
export const allMembersId = "all"

/** One page of members: from the local copy, or one upstream request until it is complete. */
export const membersQuery = members.page

/** Every cached member; may contain duplicates. */
export const membersInCache = members.cached

/** Every cached list of members starts with this key. */
export const membersKey = ["members"] as const

/** Everything the cache holds about one member's points starts with this key. */
export function pointsKey(memberId: string) {
  return ["points", memberId] as const
}

registerTopic("members", membersKey)
// The local copy of this kind of record changed: its name begins the keys of its lists.
registerTopic("copy", (kind) => [kind])
registerEventHandler("members", (client) => {
  dropSearches(client)
  return false
})
// A job changed several members, so any record may be stale, including inactive ones.
registerTopic("members", (id) => (id === allMembersId ? memberKey : memberQuery(id).queryKey))
registerTopic("member", (id) => memberQuery(id).queryKey)

/** Removes inactive searches: they may lack a member that was created or renamed. */
function dropSearches(client: QueryClient): void {
  client.removeQueries({
    queryKey: members.pagesKey,
    type: "inactive",
    predicate: ({ queryKey }) => Object.hasOwn(Object(queryKey.at(-1)), "search"),
  })
}

/** A member was created, so every list is invalidated. */
export function onMemberCreated(client: QueryClient): void {
  dropSearches(client)
  void client.invalidateQueries({ queryKey: membersKey })
}

/** What the `meta` of a list says about the local copy; undefined before the first response. */
export function copyMetaOf(meta: ResponseMeta | undefined): CopyMeta | undefined {
  return copyMeta.safeParse(meta).data
}

/** Members of the local copy by status, tier and company. No upstream request. */
export function memberFacetsQuery(filter: MemberFacetsQuery = {}) {
  return responseQuery(
    [...membersKey, "facets", filter],
    {
      path: ["members", "facets"],
      query: filter,
      schema: memberFacets,
    },
    { placeholderData: keepPreviousData },
  )
}

/** Everybody whom a saved view or a filter matches, from the complete local copy: no upstream request. */
export function recipientsOf(query: RecipientsQuery) {
  const read = { path: ["members", "recipients"], query, schema: recipients }
  return responseQuery(["recipients", query], read, {
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

/**
 * Every member that matches a filter, from the complete local copy: no upstream request.
 * @throws ListChangedError when the list changes faster than it is read; what `request` throws
 */
export async function readEveryMember(filter: MemberFacetsQuery): Promise<readonly Member[]> {
  const { rows } = await readEveryPage({
    perPage: limits.copyPage,
    idOf: ({ id }: Member) => id,
    read: (page, per_page) => members.readPage({ ...filter, page, per_page }, {}),
  })
  return rows
}

/** Caches the response to a write, in the member's record and in every list. */
export function cacheMember(client: QueryClient, response: ApiResponse<Member>): void {
  const { data } = response
  cacheData(client, memberQuery(data.id).queryKey, response)
  changeRows(client, data.id, [data])
  markChanged(data.id)
}

/** Removes a deleted member from every list. */
export function dropMember(client: QueryClient, id: string): void {
  changeRows(client, id, [])
}

/** Replaces or removes a member's row in every list that contains it. */
function changeRows(client: QueryClient, id: string, instead: readonly Member[]): void {
  const has = (rows: readonly Member[]) => rows.some((row) => row.id === id)
  const changed = (rows: readonly Member[]) => rows.flatMap((row) => (row.id === id ? instead : [row]))
  reviseQueries<ApiResponse<Member[]>>(client, members.pagesKey, (page) =>
    has(page.data) ? { ...page, data: changed(page.data) } : page,
  )
}

/** The total number of members, if a page of the unfiltered list is cached. */
export function knownMemberTotal(client: QueryClient): number | undefined {
  return client
    .getQueriesData<ApiResponse<Member[]>>({ queryKey: members.pagesKey })
    .filter(([key]) => Object.keys(key.at(-1) ?? {}).every((name) => name === "page" || name === "per_page"))
    .flatMap(([, page]) => (page?.meta?.total === undefined ? [] : [{ at: page.at, total: page.meta.total }]))
    .toSorted((a, b) => b.at - a.at)[0]?.total
}

const mostFound = 8

/** The first members that match `text`, at most eight. */
export function memberSearchQuery(text: string) {
  return {
    ...membersQuery({ search: searchedText(text), sort: "match", per_page: mostFound }),
    gcTime: 60_000,
    retryOnMount: true,
  }
}

/**
 * Reads a member past every cache and caches the response: before an edit, and on the refresh button. One upstream
 * request.
 * @throws what `request` throws; the cached record is unchanged
 */
export function readMemberFresh(client: QueryClient, id: string): Promise<ApiResponse<Member>> {
  return fetchAwaited(client, { ...memberQuery(id, { fresh: true }), staleTime: 0 })
}

/**
 * A member as of when a form opens, read only once so that the form does not change during input. The record is read
 * past every cache before the change is sent; changes by others meanwhile are a conflict.
 */
export function memberToEditQuery(id: string) {
  return queryOptions({
    queryKey: ["member-to-edit", id],
    queryFn: ({ client }) => fetchAwaited(client, memberQuery(id, { update: false })),
    staleTime: Infinity,
    gcTime: 0,
  })
}

const namesKey = ["member-names"] as const

registerTopic("names", namesKey)
registerTopic("copy", namesKey)

/** Names of members by id, as far as they are known, and the ids that no member has. */
export interface KnownNames {
  readonly names: ReadonlyMap<string, string>
  readonly missing: ReadonlySet<string>
}

/**
 * Names of members, 100 in a request. What the server knows costs nothing; what it does not know it reads as far as the
 * minute has room, and the event `names` has this read again (docs/reads.md, Names of members).
 */
export function memberNamesQuery(memberIds: readonly string[]) {
  const ids = [...new Set(memberIds)].filter((id) => id !== "").toSorted()
  return queryOptions({
    queryKey: [...namesKey, ids],
    queryFn: async ({ signal, client }): Promise<KnownNames> => {
      const read = {
        method: "POST",
        asks: true,
        path: apiPath("members", "names"),
        schema: memberNames,
      } as const
      const parts = requestParts(ids, limits.perPage.max)
      const known = await Promise.all(
        parts.map((part) => requestData({ ...read, signal, body: { ids: part } })),
      ).catch((error: unknown) => {
        const seen = error instanceof Offline ? loadTabNames(ids) : []
        if (seen.length === 0) throw error
        return [{ names: seen, missing: [], coming: [] }]
      })
      const names = new Map(known.flatMap((part) => part.names.map(({ id, name }) => [id, name] as const)))
      const missing = new Set(known.flatMap((part) => part.missing))
      // While the server reads a name, the cached name is shown, not the id.
      const seen = client.getQueriesData<KnownNames>({ queryKey: namesKey }).map(([, read]) => read?.names)
      for (const id of ids) {
        const name = names.get(id) ?? seen.find((read) => read?.has(id))?.get(id)
        if (name !== undefined && !missing.has(id)) names.set(id, name)
      }
      saveTabNames(names, missing)
      return { names, missing }
    },
    enabled: ids.length > 0,
    staleTime: 5 * 60_000,
    placeholderData: keepPreviousData,
  })
}

const noNames: ReadonlyMap<string, string> = new Map()

/** Rows of a ranking, with the member's name where only an id came; needs `members.read`. */
export function useNamedPlaces<T extends { readonly name: string | null; readonly memberId: string | null }>(
  rows: readonly T[],
): readonly T[] {
  const ids = rows.flatMap(({ name, memberId }) => (name === null && memberId !== null ? [memberId] : []))
  const enabled = useCan("members.read") && ids.length > 0
  const names = useQuery({ ...memberNamesQuery(ids), enabled }).data?.names ?? noNames
  return useMemo(
    () =>
      names.size === 0
        ? rows
        : rows.map((row) => ({ ...row, name: row.name ?? names.get(row.memberId ?? "") ?? null })),
    [rows, names],
  )
}

/** An edited member, and whether the service kept the metadata as it was sent. */
export interface SavedMember {
  readonly member: Member
  /** Keys that were sent but are missing at the service. */
  readonly missing: readonly string[]
  /** Keys that were removed but still exist at the service. */
  readonly notRemoved: readonly string[]
}

/** Changes to a member. */
interface MemberChange {
  readonly changes: UpdateMemberBody
  /** `updated_at` as displayed. If the service has another, nothing is changed and `conflict` is returned. */
  readonly seen: string | null | undefined
}

const keys = z.catch(z.array(z.string()), [])
const metadataMeta = z.looseObject({ metadata_missing: keys, metadata_kept: keys })
const conflictDetails = z.looseObject({ current: memberReader.tolerant })

function patchMember(id: string, body: UpdateMemberBody, ifMatch?: string) {
  const path = apiPath("program", "members", id)
  return request({ method: "PATCH", path, body, schema: memberReader.tolerant, ifMatch })
}

/**
 * Changes fields of a member and updates the cache. Rejects with ApiError `conflict` when the member was changed
 * meanwhile (`currentOf`).
 */
export async function updateMember(
  client: QueryClient,
  id: string,
  { changes, seen }: MemberChange,
): Promise<SavedMember> {
  try {
    const response = await patchMember(id, changes, seen ?? undefined)
    cacheAndInvalidate(client, response)
    const { metadata_missing: missing, metadata_kept: notRemoved } = metadataMeta.parse(response.meta ?? {})
    return { member: response.data, missing, notRemoved }
  } catch (error) {
    const data = currentOf(error)
    if (data !== null) cacheAndInvalidate(client, { data, age: 0, at: Date.now(), stale: false })
    throw error
  }
}

/** `updateMember` for a form. */
export function useUpdateMember(id: string) {
  const client = useQueryClient()
  return useMutation({ mutationFn: (change: MemberChange) => updateMember(client, id, change) })
}

/** Deletes a member for good (docs/api/program.md, Members, rule 3). The server checks the typed e-mail again. */
export function useDeleteMember(id: string) {
  return useWrite(
    (email: string) => {
      const path = apiPath("program", "members", id)
      return request({ method: "DELETE", path, body: { email }, schema: z.unknown() })
    },
    async (client) => {
      // Marks them stale without a refetch: the page that shows them is about to close.
      for (const queryKey of [memberQuery(id).queryKey, pointsKey(id)]) {
        client.removeQueries({ queryKey, type: "inactive" })
        await client.invalidateQueries({ queryKey, refetchType: "none" })
      }
      dropMember(client, id)
      void client.invalidateQueries({ queryKey: membersKey })
    },
  )
}

/** Erases what this server keeps of a member (docs/security.md). No upstream request unless an order still needs an address. */
export function useEraseMember() {
  return useWrite(
    (id: string) =>
      requestData({ method: "POST", path: apiPath("members", id, "erase"), schema: erasedMember }),
    (client) => {
      client.removeQueries({ queryKey: memberKey, type: "inactive" })
      void client.invalidateQueries({ queryKey: membersKey })
    },
  )
}

/** The current member when a change failed with `conflict`; null for every other error. */
export function currentOf(error: unknown): Member | null {
  if (!(error instanceof ApiError) || error.code !== "conflict") return null
  return conflictDetails.safeParse(error.details).data?.current ?? null
}

/**
 * Invalidates the lists whose filter the change may affect. Not awaited: the result is shown immediately, however long
 * they wait for the budget.
 */
function cacheAndInvalidate(client: QueryClient, response: ApiResponse<Member>): void {
  const { data } = response
  const before = client.getQueryData(memberQuery(data.id).queryKey)?.data
  cacheMember(client, response)
  const moved = [
    before?.status === data.status ? [] : "status",
    before?.company === data.company ? [] : "company",
    JSON.stringify(before?.metadata) === JSON.stringify(data.metadata) ? [] : "field",
    before !== undefined && fullName(before) === fullName(data) ? [] : "search",
  ].flat()
  if (moved.includes("search")) dropSearches(client)
  void client.invalidateQueries({
    queryKey: membersKey,
    predicate: ({ queryKey: [, part, filter] }) =>
      part === "facets" || ["sort", ...moved].some((name) => Object.hasOwn(Object(filter), name)),
  })
}

const mergeKey = ["member-merge"] as const

registerTopic("members", mergeKey)

const mergeMoves: ReadonlySet<string> = new Set(["deducting", "awarding", "deactivating"])

/** How far the merge of a member into another one is; `ledger.read` only. No upstream request. */
export function memberMergeQuery(id: string) {
  return {
    ...dataQuery([...mergeKey, id], { path: ["members", id, "merge"], schema: memberMergeView }),
    refetchInterval: ({ state }: { state: { data: MemberMergeView | undefined } }) =>
      mergeMoves.has(state.data?.step ?? "") ? pollEvery : false,
  }
}
