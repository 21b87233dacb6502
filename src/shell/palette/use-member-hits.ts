import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query"
import type { Member } from "../../../contract/program/member.ts"
import { cachedMembers, memberSearchQuery } from "../../api/members.ts"
import { useCan } from "../../api/session.ts"

/** The members found so far. */
export interface MemberHits {
  readonly members: readonly Member[]
  /** The search is not answered yet. */
  readonly searching: boolean
  readonly error: Error | null
  /** Seconds since the service answered; null before an answer. 0 means that a request was spent. */
  readonly age: number | null
  /** Whether this person may search members at all. */
  readonly allowed: boolean
}

/** The shortest text that is searched. */
export const shortestSearch = 2

/**
 * Members for a text: those this browser knows at once, then the answer of one request, asked when the typing rests
 * for 200 ms.
 */
export function useMemberHits(text: string): MemberHits {
  const queryClient = useQueryClient()
  const allowed = useCan("members.search")
  const long = allowed && text.length >= shortestSearch
  const [rested] = useDebouncedValue(text, 200)
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    ...memberSearchQuery(rested),
    enabled: allowed && rested.length >= shortestSearch,
    placeholderData: keepPreviousData,
  })
  const answered = long && rested === text && data !== undefined && !isPlaceholderData
  return {
    members: !long ? [] : answered ? data.data : cachedMembers(queryClient, text),
    searching: long && !answered && error === null && (rested !== text || isFetching),
    error: long && rested === text ? error : null,
    age: answered ? data.age : null,
    allowed,
  }
}
