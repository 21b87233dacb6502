import { queryOptions, type QueryClient } from "@tanstack/react-query"
import type { Member } from "../../contract/program/member.ts"
import { memberQuery, membersKey } from "./members.ts"
import type { Answer } from "./request.ts"

/** One of the members asked for: as the service answered, or why it did not. */
export type ChosenMember =
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
