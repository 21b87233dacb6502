import { queryOptions, type QueryClient } from "@tanstack/react-query"
import { type Member, memberReader } from "../../contract/program/member.ts"
import { memberQuery } from "./members.ts"
import { type Answer, apiPath, request } from "./request.ts"

/**
 * Reads a member past every cache and puts the answer where every page looks for it: before an edit, and on the
 * refresh button. One upstream request.
 * @throws what `request` throws; what was read before stays
 */
export function readMemberFresh(queryClient: QueryClient, id: string): Promise<Answer<Member>> {
  return queryClient.fetchQuery({
    ...memberQuery(id),
    queryFn: ({ signal }) =>
      request({
        path: apiPath("program", "members", id),
        schema: memberReader.tolerant,
        signal,
        fresh: true,
      }),
    staleTime: 0,
  })
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
