import { useDebouncedValue } from "@mantine/hooks"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import type { Member } from "../../contract/program/member.ts"
import { cachedMembers, memberQuery, memberSearchQuery } from "../api/members.ts"

/** The shortest text that is searched. */
const shortestSearch = 2

/** Members for what is typed, as `useMemberSuggestions` finds them. */
export type MemberSuggestions = ReturnType<typeof useMemberSuggestions>

/**
 * Members whose name or e-mail holds a text: those this browser knows at once, then the response of one request, sent
 * when the typing rests for 200 ms. `answered`: the service responded for this very text, `age` seconds ago (0: a
 * request was spent).
 */
export function useMemberSuggestions(text: string, allowed = true) {
  const queryClient = useQueryClient()
  const [rested] = useDebouncedValue(text, 200)
  const search = useQuery({
    ...memberSearchQuery(rested),
    enabled: allowed && rested.length >= shortestSearch,
  })
  const { data, error, isFetching, isPlaceholderData } = search
  // An empty result that is stale does not prove that there is no such member.
  const isOldEmpty = data?.data.length === 0 && (isFetching || data.stale || error !== null)
  const long = allowed && text.length >= shortestSearch
  const answered = long && rested === text && data !== undefined && !isPlaceholderData && !isOldEmpty
  // A record may be younger than the response that found it, never older.
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
