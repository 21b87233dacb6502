import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query"
import * as z from "zod/mini"
import { limits } from "../../contract/limits.ts"
import {
  type Member,
  type MemberListQuery,
  memberListReader,
  memberNames,
  memberReader,
  type UpdateMemberBody,
} from "../../contract/program/member.ts"
import { registerTopic } from "./events.ts"
import { type EveryRow, type PageProgress, readEveryPage, seedRecords } from "./paging.ts"
import { type Answer, apiPath, type ReadHow, request } from "./request.ts"
import { ApiError } from "../lib/errors.ts"
import { markChanged } from "../lib/external-value.ts"
import { fullName } from "../lib/names.ts"

/** Every cached list of members starts with this key. */
export const membersKey = ["members"] as const

/** Everything the cache holds about one member's points starts with this key. */
export function pointsKey(memberId: string) {
  return ["points", memberId] as const
}

registerTopic("members", membersKey)
registerTopic("member", (id) => memberQuery(id).queryKey)

/** What narrows the list; the page is not part of it. */
export type MemberFilter = Pick<MemberListQuery, "search" | "status" | "tier">

/**
 * One member. Pages of the list seed it, so opening a member from a list that is still fresh asks nothing
 * (docs/api/program.md, Members).
 */
export function memberQuery(id: string, { fresh }: ReadHow = {}) {
  return queryOptions({
    queryKey: ["member", id],
    queryFn: ({ signal }): Promise<Answer<Member>> =>
      request({ path: apiPath("program", "members", id), schema: memberReader.tolerant, signal, fresh }),
  })
}

/** One page of members. While another page is read the one before stays, marked as placeholder. */
export function membersQuery(query: MemberListQuery, { fresh }: ReadHow = {}) {
  return queryOptions({
    queryKey: [...membersKey, "page", query],
    queryFn: async ({ signal, client }): Promise<Answer<Member[]>> => {
      const answer = await readMembersPage(query, { signal, fresh })
      seedRecords(client, answer, keyOf)
      return answer
    },
    placeholderData: keepPreviousData,
    // The route asks before the page is there; one that comes after a failure says so and does not ask again.
    retryOnMount: false,
  })
}

/**
 * Every member a filter matches, once somebody asked for them; it is never read by itself, because it costs a
 * request for every 100 members. `load-all` fills it.
 */
export function everyMemberQuery(filter: MemberFilter) {
  return queryOptions<EveryRow<Member> | null>({
    queryKey: [...membersKey, "every", filter],
    queryFn: () => null,
    enabled: false,
    staleTime: Infinity,
  })
}

/**
 * Reads every member a filter matches, 100 a request.
 * @throws KeptMoving when the list changes faster than it is read; what `request` throws
 */
export async function readEveryMember(
  client: QueryClient,
  filter: MemberFilter,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: PageProgress) => void },
): Promise<EveryRow<Member>> {
  const every = await readEveryPage({
    perPage: limits.perPage.max,
    signal,
    onProgress,
    idOf: (member: Member) => member.id,
    read: async (page, perPage, fresh) => {
      const answer = await readMembersPage({ ...filter, page, per_page: perPage }, { signal, fresh })
      seedRecords(client, answer, keyOf)
      return answer
    },
  })
  client.setQueryData(everyMemberQuery(filter).queryKey, every)
  return every
}

function readMembersPage(query: MemberListQuery, { signal, fresh }: ReadHow): Promise<Answer<Member[]>> {
  return request({
    path: apiPath("program", "members"),
    query,
    schema: memberListReader.tolerant,
    signal,
    fresh,
  })
}

const keyOf = ({ id }: Member) => memberQuery(id).queryKey

const pagesKey = [...membersKey, "page"] as const
const wholesKey = [...membersKey, "every"] as const

/** Every member in the lists this browser holds; some more than once. */
export function membersInCache(client: QueryClient): Member[] {
  const pages = client.getQueriesData<Answer<Member[]>>({ queryKey: pagesKey })
  const wholes = client.getQueriesData<EveryRow<Member>>({ queryKey: wholesKey })
  return [
    ...pages.flatMap(([, answer]) => answer?.data ?? []),
    ...wholes.flatMap(([, every]) => every?.rows ?? []),
  ]
}

/**
 * Takes over what the service answered to a write: the member's own page and every list that has them show it at
 * once. Lists of pages are read again besides; one that was loaded as a whole never is by itself.
 */
export function putMember(client: QueryClient, answer: Answer<Member>): void {
  const { data } = answer
  client.setQueryData(memberQuery(data.id).queryKey, answer)
  changeRows(client, data.id, [data])
  markChanged(data.id)
}

/** Takes a member that is no more out of every list. */
export function dropMember(client: QueryClient, id: string): void {
  changeRows(client, id, [])
}

/** Puts other rows, or none, in the place of a member's row. Lists without it stay the same. */
function changeRows(client: QueryClient, id: string, instead: readonly Member[]): void {
  const changed = (rows: readonly Member[]) => rows.flatMap((row) => (row.id === id ? instead : [row]))
  const has = (rows: readonly Member[]) => rows.some((row) => row.id === id)
  client.setQueriesData<Answer<Member[]>>({ queryKey: pagesKey }, (answer) =>
    answer !== undefined && has(answer.data) ? { ...answer, data: changed(answer.data) } : undefined,
  )
  client.setQueriesData<EveryRow<Member> | null>({ queryKey: wholesKey }, (every) =>
    every != null && has(every.rows) ? { ...every, rows: changed(every.rows) } : undefined,
  )
}

/** How many members there are in all, if a page of the unfiltered list that this browser holds says so. */
export function knownMemberTotal(client: QueryClient): number | undefined {
  const pages = client.getQueriesData<Answer<unknown>>({ queryKey: [...membersKey, "page"] })
  const totals = pages.flatMap(([key, answer]) =>
    isUnfiltered(key.at(-1)) && answer?.meta?.total !== undefined
      ? [{ at: answer.at, total: answer.meta.total }]
      : [],
  )
  return totals.toSorted((a, b) => b.at - a.at)[0]?.total
}

const narrowing: readonly (keyof MemberListQuery)[] = ["search", "status", "tier"]

function isUnfiltered(query: unknown): boolean {
  return typeof query === "object" && query !== null && !narrowing.some((name) => name in query)
}

/** How many members one search shows. */
const most = 8

/**
 * Members whose name or e-mail holds `text`, a few at most: one upstream request, unless the server still has the
 * answer (docs/api/program.md, Members).
 */
export function memberSearchQuery(text: string) {
  return queryOptions({
    queryKey: [...membersKey, "search", text],
    queryFn: ({ signal }) =>
      request({
        path: apiPath("program", "members"),
        query: { search: text, per_page: most },
        schema: memberListReader.tolerant,
        signal,
      }),
    gcTime: 60_000,
  })
}

/**
 * Members this browser has read already and whose name or e-mail holds every word of `text`: shown at once, while
 * the search is under way. Names that begin with the text come first.
 */
export function cachedMembers(queryClient: QueryClient, text: string): Member[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const found = new Map<string, Member>()
  for (const query of queryClient.getQueryCache().getAll()) {
    if (query.queryKey[0] !== membersKey[0] && query.queryKey[0] !== "member") continue
    for (const member of membersIn(query.state.data)) {
      const told = `${fullName(member)} ${member.email ?? ""}`.toLocaleLowerCase()
      if (words.every((word) => told.includes(word))) found.set(member.id, member)
    }
  }
  const begins = (member: Member) =>
    fullName(member)
      .toLocaleLowerCase()
      .startsWith(words[0] ?? "")
  return [...found.values()].toSorted((a, b) => Number(begins(b)) - Number(begins(a))).slice(0, most)
}

/** The members in a cached answer, whatever its shape: a list, one record, pages of lists, or none. */
function membersIn(answer: unknown): Member[] {
  if (typeof answer !== "object" || answer === null) return []
  if ("pages" in answer && Array.isArray(answer.pages)) return answer.pages.flatMap(membersIn)
  if (!("data" in answer)) return []
  const list = memberListReader.tolerant.safeParse(answer.data)
  if (list.success) return list.data
  const one = memberReader.tolerant.safeParse(answer.data)
  return one.success ? [one.data] : []
}

/**
 * Everybody's first page, as large as the service gives it: how many there are in all, and a sample of their tiers. One
 * upstream request, which the list of members finds again: its own first page is the beginning of this one.
 */
export function memberOverviewQuery({ fresh }: ReadHow = {}) {
  return queryOptions({
    queryKey: [...membersKey, "overview"],
    queryFn: async ({ client }): Promise<Answer<Member[]>> => {
      const page = membersQuery({ page: 1, per_page: limits.perPage.max }, { fresh })
      const answer = await client.fetchQuery({ ...page, ...(fresh === true && { staleTime: 0 }) })
      seedFirstPage(client, answer)
      return answer
    },
    retryOnMount: false,
  })
}

/** The first page that the list shows for a filter: its total is how many there are, and the list finds it again. */
export function membersCountQuery(filter: Pick<MemberListQuery, "status" | "tier">, how: ReadHow = {}) {
  return membersQuery({ ...filter, page: 1, per_page: limits.perPage.default }, how)
}

/**
 * How many members each of these tiers has. The service does not say it at once, so it costs a request for each: it is
 * read on somebody's word and kept for an hour.
 */
export function tierCountsQuery(tiers: readonly string[]) {
  return queryOptions({
    queryKey: [...membersKey, "tiers", tiers],
    queryFn: async ({ client }): Promise<ReadonlyMap<string, number>> => {
      const answers = await Promise.all(tiers.map((tier) => client.fetchQuery(membersCountQuery({ tier }))))
      return new Map(tiers.map((tier, at) => [tier, answers[at]?.meta?.total ?? 0]))
    },
    enabled: false,
    staleTime: Infinity,
    gcTime: 3_600_000,
  })
}

/** Puts the beginning of a large first page where the list looks for its own; a newer copy stays. */
function seedFirstPage(client: QueryClient, { data, meta, age, at, stale }: Answer<Member[]>): void {
  const per_page = limits.perPage.default
  const { queryKey } = membersQuery({ page: 1, per_page })
  const known = client.getQueryData(queryKey)
  if (meta?.total === undefined || (known !== undefined && known.at >= at)) return
  const first = { data: data.slice(0, per_page), meta: { ...meta, per_page }, age, at, stale }
  client.setQueryData(queryKey, first, { updatedAt: at })
}

/** One of the members asked for: as the service answered, or why it did not. */
type ChosenMember =
  | { readonly answer: Answer<Member>; readonly error: null }
  | { readonly answer: undefined; readonly error: Error }

/**
 * Members by their ids, in that order. A list or a page has read most of them already; those cost nothing. One that
 * cannot be read does not keep the others from being shown.
 */
export function chosenMembersQuery(client: QueryClient, ids: readonly string[]) {
  const known = ids.flatMap((id) => client.getQueryData(memberQuery(id).queryKey) ?? [])
  const whole = known.length === ids.length && ids.length > 0
  return queryOptions({
    queryKey: [...membersKey, "chosen", ids],
    queryFn: (): Promise<ChosenMember[]> => Promise.all(ids.map((id) => readOne(client, id))),
    ...(whole
      ? {
          initialData: known.map((answer): ChosenMember => ({ answer, error: null })),
          initialDataUpdatedAt: Math.min(...known.map(({ at }) => at)),
        }
      : {}),
  })
}

async function readOne(client: QueryClient, id: string): Promise<ChosenMember> {
  try {
    return { answer: await client.fetchQuery({ ...memberQuery(id), staleTime: 30_000 }), error: null }
  } catch (error) {
    return { answer: undefined, error: error instanceof Error ? error : new Error(String(error)) }
  }
}

/**
 * Reads a member past every cache and puts the answer where every page looks for it: before an edit, and on the
 * refresh button. One upstream request.
 * @throws what `request` throws; what was read before stays
 */
export function readMemberFresh(queryClient: QueryClient, id: string): Promise<Answer<Member>> {
  return queryClient.fetchQuery({ ...memberQuery(id, { fresh: true }), staleTime: 0 })
}

/**
 * A member as it is when somebody begins to change it: read past every cache, once for each time the form is opened.
 * A form must not change under somebody's hands.
 */
export function memberToEditQuery(id: string) {
  return queryOptions({
    queryKey: ["member-to-edit", id],
    queryFn: ({ client }) => readMemberFresh(client, id),
    staleTime: Infinity,
    gcTime: 0,
  })
}

const namesKey = ["member-names"] as const

registerTopic("names", namesKey)

/** Names of members as far as they are known. */
export interface KnownNames {
  /** Name by member id. */
  readonly names: ReadonlyMap<string, string>
  /** There are no members of these ids. */
  readonly missing: ReadonlySet<string>
}

/**
 * Names of at most 100 members. What the server knows costs nothing; what it does not know comes from requests that
 * nobody else needs, and the event `names` has this read again (docs/api/laurel.md, Members' names).
 */
export function memberNamesQuery(ids: readonly string[]) {
  const asked = [...new Set(ids)].filter((id) => id !== "").toSorted()
  return queryOptions({
    queryKey: [...namesKey, asked],
    queryFn: async ({ signal }): Promise<KnownNames> => {
      const path = apiPath("members", "names")
      const { data } = await request({
        method: "POST",
        path,
        body: { ids: asked },
        schema: memberNames,
        signal,
      })
      return {
        names: new Map(data.names.map(({ id, name }) => [id, name])),
        missing: new Set(data.missing),
      }
    },
    enabled: asked.length > 0,
    staleTime: 5 * 60_000,
    placeholderData: keepPreviousData,
  })
}

/** An edited member, and whether the service kept the metadata as it was sent. */
export interface SavedMember {
  readonly member: Member
  /** Keys that were sent and are not in the service's copy. */
  readonly missing: readonly string[]
  /** Keys that were taken out and are still in the service's copy. */
  readonly kept: readonly string[]
}

/** What changes a member, and the copy it was changed from. */
interface MemberChange {
  readonly changes: UpdateMemberBody
  /** `updated_at` of that copy: when the service's is another, nothing is changed and `conflict` comes back. */
  readonly seen: string | null | undefined
}

const metadataMeta = z.looseObject({
  metadata_missing: z.optional(z.array(z.string())),
  metadata_kept: z.optional(z.array(z.string())),
})
const conflictDetails = z.looseObject({ current: memberReader.tolerant })

/**
 * Changes fields of a member. The page shows the answer at once.
 * Rejects with ApiError `conflict` when somebody else changed the member meanwhile (`currentOf`).
 */
export function useUpdateMember(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({
      changes,
      seen,
    }: MemberChange): Promise<SavedMember & { answer: Answer<Member> }> => {
      const answer = await request({
        method: "PATCH",
        path: apiPath("program", "members", id),
        body: changes,
        schema: memberReader.tolerant,
        ifMatch: seen ?? undefined,
      })
      const meta = metadataMeta.safeParse(answer.meta ?? {}).data
      return {
        answer,
        member: answer.data,
        missing: meta?.metadata_missing ?? [],
        kept: meta?.metadata_kept ?? [],
      }
    },
    onSuccess: ({ answer }) => takeMember(queryClient, answer),
    onError: (error) => {
      const current = currentOf(error)
      if (current !== null) {
        takeMember(queryClient, { data: current, age: 0, at: Date.now(), stale: false })
      }
    },
  })
}

/**
 * Sets one member inactive, the recommended alternative to deleting (docs/api/program.md, Members, rule 3). One
 * upstream request; the lists are read again by whoever does a number of these, once.
 * @throws ApiError; `outcome_unknown`, Offline and UnreadableAnswer mean that it is not known whether it was done
 */
export async function deactivateMember(queryClient: QueryClient, id: string): Promise<void> {
  const body: UpdateMemberBody = { status: "inactive" }
  const path = apiPath("program", "members", id)
  putMember(queryClient, await request({ method: "PATCH", path, body, schema: memberReader.tolerant }))
}

/** Deletes a member for good (docs/api/program.md, Members, rule 3). The server checks the typed e-mail again. */
export function useDeleteMember(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (email: string): Promise<void> => {
      await request({
        method: "DELETE",
        path: apiPath("program", "members", id),
        body: { email },
        schema: z.unknown(),
      })
    },
    onSuccess: () => forgetMember(queryClient, id),
  })
}

/** The member as it is now, when a change met another; null for every other error. */
export function currentOf(error: unknown): Member | null {
  if (!(error instanceof ApiError) || error.code !== "conflict") return null
  return conflictDetails.safeParse(error.details).data?.current ?? null
}

/** Not awaited: what was done is said at once, however long the lists wait for the budget to be read again. */
function takeMember(queryClient: QueryClient, answer: Answer<Member>): void {
  putMember(queryClient, answer)
  void queryClient.invalidateQueries({ queryKey: membersKey })
}

/** Nothing of a deleted member is taken for fresh: what the page still shows is not asked for while it is left. */
async function forgetMember(queryClient: QueryClient, id: string): Promise<void> {
  for (const queryKey of [memberQuery(id).queryKey, pointsKey(id)]) {
    queryClient.removeQueries({ queryKey, type: "inactive" })
    await queryClient.invalidateQueries({ queryKey, refetchType: "none" })
  }
  dropMember(queryClient, id)
  void queryClient.invalidateQueries({ queryKey: membersKey })
}
