import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query"
import type { Member } from "../../../contract/program/member.ts"
import { cachedMembers, memberSearchQuery } from "../../api/members.ts"

/** The shortest text that is searched. */
const shortest = 2

/** Members for what is typed. */
export interface MemberSuggestions {
  readonly members: readonly Member[]
  readonly searching: boolean
  readonly error: Error | null
  /** The service answered for this very text. */
  readonly answered: boolean
}

/**
 * Members whose name or e-mail holds a text: those this browser knows at once, then the answer of one request, asked
 * when the typing rests for 200 ms.
 */
export function useMemberSuggestions(text: string): MemberSuggestions {
  const queryClient = useQueryClient()
  const [rested] = useDebouncedValue(text, 200)
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    ...memberSearchQuery(rested),
    enabled: rested.length >= shortest,
    placeholderData: keepPreviousData,
  })
  const long = text.length >= shortest
  const answered = long && rested === text && data !== undefined && !isPlaceholderData
  return {
    members: !long ? [] : answered ? data.data : cachedMembers(queryClient, text),
    searching: long && !answered && error === null && (rested !== text || isFetching),
    error: long && rested === text ? error : null,
    answered,
  }
}
