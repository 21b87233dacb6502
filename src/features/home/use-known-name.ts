import { useQueryClient } from "@tanstack/react-query"
import { memberQuery } from "../../api/members.ts"
import { fullName } from "../../lib/names.ts"

/** Names of members whom this browser read anyway: nobody is asked for one. */
export function useKnownName(): (memberId: string) => string | undefined {
  const client = useQueryClient()
  return (memberId) => {
    const member = client.getQueryData(memberQuery(memberId).queryKey)
    return member === undefined ? undefined : fullName(member.data)
  }
}
