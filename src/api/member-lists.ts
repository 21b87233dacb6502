import type { QueryClient } from "@tanstack/react-query"
import type { Member } from "../../contract/program/member.ts"
import { markChanged } from "../lib/just-changed.ts"
import { memberQuery, membersKey } from "./members.ts"
import type { EveryRow } from "./paging.ts"
import type { Answer } from "./request.ts"

const pagesKey = [...membersKey, "page"] as const
const wholesKey = [...membersKey, "every"] as const

/** Every member in the lists this browser holds; some more than once. */
export function membersInCache(client: QueryClient): Member[] {
  const pages = client.getQueriesData<Answer<Member[]>>({ queryKey: pagesKey })
  const wholes = client.getQueriesData<EveryRow<Member>>({ queryKey: wholesKey })
  return [
    ...pages.flatMap(([, answer]) => answer?.data ?? []),
    ...wholes.flatMap(([, every]) => every?.rows ?? []),
  ]
}

/**
 * Takes over what the service answered to a write: the member's own page and every list that has them show it at
 * once. Lists of pages are read again besides; one that was loaded as a whole never is by itself.
 */
export function putMember(client: QueryClient, answer: Answer<Member>): void {
  const { data } = answer
  client.setQueryData(memberQuery(data.id).queryKey, answer)
  changeRows(client, data.id, [data])
  markChanged(data.id)
}

/** Takes a member that is no more out of every list. */
export function dropMember(client: QueryClient, id: string): void {
  changeRows(client, id, [])
}

/** Puts other rows, or none, in the place of a member's row. Lists without it stay the same. */
function changeRows(client: QueryClient, id: string, instead: readonly Member[]): void {
  const changed = (rows: readonly Member[]) => rows.flatMap((row) => (row.id === id ? instead : [row]))
  const has = (rows: readonly Member[]) => rows.some((row) => row.id === id)
  client.setQueriesData<Answer<Member[]>>({ queryKey: pagesKey }, (answer) =>
    answer !== undefined && has(answer.data) ? { ...answer, data: changed(answer.data) } : undefined,
  )
  client.setQueriesData<EveryRow<Member> | null>({ queryKey: wholesKey }, (every) =>
    every != null && has(every.rows) ? { ...every, rows: changed(every.rows) } : undefined,
  )
}
