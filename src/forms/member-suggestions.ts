import { useDebouncedValue } from "@mantine/hooks"
import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query"
import type { Member } from "../../contract/program/member.ts"
import { cachedMembers, memberQuery, memberSearchQuery } from "../api/members.ts"
import type { ApiResponse } from "../api/request.ts"

/** Minimum length of a search text. */
const shortestSearch = 2

/** Members that match the input, from `useMemberSuggestions`. */
export type MemberSuggestions = ReturnType<typeof useMemberSuggestions>

/**
 * Members whose name or e-mail contains a text: cached ones immediately, then those of one request, sent 200 ms after
 * the last key. `answered`: the response is for exactly this text, `age` seconds old (0: a request was spent).
 */
export function useMemberSuggestions(text: string, allowed = true) {
  const queryClient = useQueryClient()
  const [rested] = useDebouncedValue(text, 200)
  const search = useQuery({
    ...memberSearchQuery(rested),
    enabled: allowed && rested.length >= shortestSearch,
  })
  const { data, error, isFetching, isPlaceholderData } = search
  const long = allowed && text.length >= shortestSearch
  const answered = long && rested === text && data !== undefined && !isPlaceholderData && !isOldEmpty(search)
  // The cached record may be newer than the response, never older.
  const newest = (row: Member) => queryClient.getQueryData(memberQuery(row.id).queryKey)?.data ?? row
  const known = long ? cachedMembers(queryClient, text) : []
  return {
    members: answered ? data.data.map(newest) : known,
    searching: long && !answered && error === null && (rested !== text || isFetching),
    error: long && rested === text ? error : null,
    answered,
    tooShort: text.length < shortestSearch,
    age: answered ? data.age : null,
  }
}

/** A stale empty result does not prove that there is no such member. */
function isOldEmpty(search: UseQueryResult<ApiResponse<Member[]>>): boolean {
  const { data, error, isFetching } = search
  return data?.data.length === 0 && (isFetching || data.stale || error !== null)
}
