import { useDebouncedValue } from "@mantine/hooks"
import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query"
import type { Member } from "../../contract/program/member.ts"
import { memberQuery, memberSearchQuery } from "../api/members.ts"
import type { ApiResponse } from "../api/request.ts"
import { ApiError } from "../lib/errors.ts"
import { containsWords, fullName } from "../lib/names.ts"

/** Minimum length of a search text. */
const shortestSearch = 2

/** Members that match the input, from `useMemberSuggestions`. */
export type MemberSuggestions = ReturnType<typeof useMemberSuggestions>

/**
 * Members that match a text, searched 200 ms after the last key; the previous ones until then. `answered`: the response
 * is for exactly this text.
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
  // A role without member search searches names only, once all members are synced.
  const failure = error instanceof ApiError && error.code === "forbidden" ? null : error
  const found = (long ? data?.data : undefined) ?? []
  return {
    members: answered ? found.map(newest) : found.filter((row) => containsWords(searchableText(row), text)),
    searching: long && !answered && error === null && (rested !== text || isFetching),
    error: long && rested === text ? failure : null,
    answered,
    tooShort: text.length < shortestSearch,
  }
}

function searchableText(member: Member): string {
  return [fullName(member), member.email, member.company, member.id].join(" ")
}

/** A stale empty result does not prove that there is no such member. */
function isOldEmpty(search: UseQueryResult<ApiResponse<Member[]>>): boolean {
  const { data, error, isFetching } = search
  return data?.data.length === 0 && (isFetching || data.stale || error !== null)
}
