import { queryOptions, type QueryClient } from "@tanstack/react-query"
import { memberListReader, memberReader, type Member } from "../../contract/program/member.ts"
import { fullName } from "../lib/names.ts"
import { membersKey } from "./members.ts"
import { apiPath } from "./path.ts"
import { request } from "./request.ts"

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
