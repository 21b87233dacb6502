import { keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query"
import { limits } from "../../contract/limits.ts"
import {
  memberListReader,
  memberReader,
  type Member,
  type MemberListQuery,
} from "../../contract/program/member.ts"
import { registerTopic } from "./events.ts"
import { readEveryPage, type EveryRow, type PageProgress } from "./paging.ts"
import { apiPath } from "./path.ts"
import { request, type Answer } from "./request.ts"

/** Every cached list of members starts with this key. */
export const membersKey = ["members"] as const

registerTopic("members", membersKey)
registerTopic("member", (id) => memberQuery(id).queryKey)

/** What narrows the list; the page is not part of it. */
export type MemberFilter = Pick<MemberListQuery, "search" | "status" | "tier">

/** How a read is made. */
interface ReadHow {
  readonly signal?: AbortSignal | undefined
  /** Asks the service itself, past every cache. */
  readonly fresh?: boolean | undefined
}

/**
 * One member. Pages of the list seed it, so opening a member from a list that is still fresh asks nothing
 * (docs/api/program.md, Members).
 */
export function memberQuery(id: string, { fresh = false }: { fresh?: boolean } = {}) {
  return queryOptions({
    queryKey: ["member", id],
    queryFn: ({ signal }): Promise<Answer<Member>> =>
      request({ path: apiPath("program", "members", id), schema: memberReader.tolerant, signal, fresh }),
  })
}

/** One page of members. While another page is read the one before stays, marked as placeholder. */
export function membersQuery(query: MemberListQuery, { fresh = false }: { fresh?: boolean } = {}) {
  return queryOptions({
    queryKey: [...membersKey, "page", query],
    queryFn: async ({ signal, client }): Promise<Answer<Member[]>> => {
      const answer = await readMembersPage(query, { signal, fresh })
      seedMembers(client, answer)
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
      seedMembers(client, answer)
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

/** Puts each member of a page where its own page looks, as old as the answer; a newer copy stays. */
function seedMembers(client: QueryClient, answer: Answer<Member[]>): void {
  for (const member of answer.data) {
    const key = memberQuery(member.id).queryKey
    const known = client.getQueryData(key)
    if (known !== undefined && known.at >= answer.at) continue
    const { age, at, stale } = answer
    client.setQueryData(key, { data: member, age, at, stale }, { updatedAt: at })
  }
}
