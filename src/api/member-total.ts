import type { QueryClient } from "@tanstack/react-query"
import type { MemberListQuery } from "../../contract/program/member.ts"
import { membersKey } from "./members.ts"
import type { Answer } from "./request.ts"

/** How many members there are in all, if a page of the unfiltered list that this browser holds says so. */
export function knownMemberTotal(client: QueryClient): number | undefined {
  const pages = client.getQueriesData<Answer<unknown>>({ queryKey: [...membersKey, "page"] })
  const totals = pages.flatMap(([key, answer]) =>
    isUnfiltered(key.at(-1)) && answer?.meta?.total !== undefined
      ? [{ at: answer.at, total: answer.meta.total }]
      : [],
  )
  return totals.toSorted((a, b) => b.at - a.at)[0]?.total
}

const narrowing: readonly (keyof MemberListQuery)[] = ["search", "status", "tier"]

function isUnfiltered(query: unknown): boolean {
  return typeof query === "object" && query !== null && !narrowing.some((name) => name in query)
}
