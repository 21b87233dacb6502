import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import type { Member } from "../../../../contract/program/member.ts"
import { useCan } from "../../../api/session.ts"
import { everyMemberQuery, membersQuery } from "../../../api/members.ts"
import { useLate } from "../../../lists/list-columns.ts"
import {
  filterOf,
  pageQueryOf,
  withFilter,
  type MemberFilterChange,
  type MembersSearch,
} from "./members-search.ts"
import { useLoadAll } from "./use-load-all.ts"
import { useOutdated } from "./use-outdated.ts"

const route = getRouteApi("/_desk/members")
const none: readonly Member[] = []

/**
 * What the list shows and how it got there. All of its state but the answers is in the address.
 * @param paused keeps what is shown and reads nothing, whatever changes meanwhile
 */
export function useMemberList(paused: boolean) {
  const client = useQueryClient()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const maySearch = useCan("members.search")
  const filter = filterOf(search, maySearch)
  const query = pageQueryOf(search, maySearch)

  const go = (change: (before: MembersSearch) => MembersSearch, replace = false) =>
    void navigate({ search: (before) => change(before), replace })
  const loading = useLoadAll(filter, () => go((before) => ({ ...before, all: true }), true))

  const everything = useQuery(everyMemberQuery(filter)).data ?? null
  const whole = search.all ? everything : null
  const outdated = useOutdated(everyMemberQuery(filter).queryKey)
  const page = useQuery({ ...membersQuery(query), enabled: whole === null && !paused })
  const waiting = whole === null && (page.isPending || page.isPlaceholderData)
  // Rows of another question stay until the answer is here; only where none are do bars stand in.
  const late = useLate(whole === null && page.isPending)

  const rows = whole?.rows ?? page.data?.data ?? none
  const total = whole?.rows.length ?? page.data?.meta?.total
  const here =
    whole !== null || (!waiting && search.page === 1 && total !== undefined && rows.length >= total)
  return {
    search,
    filter,
    maySearch,
    loading,
    /** Every match, when they were loaded and the address asks for them. */
    whole,
    /** Members were changed since every match was loaded. */
    outdated: whole !== null && outdated,
    page,
    rows,
    total,
    /** Every match is here, so they can be sorted. */
    complete: here,
    waiting: late ? "late" : waiting ? "yes" : "no",
    /** The address asks for every match, and nobody has loaded them yet in this browser. */
    wanted: search.all && everything === null,
    setFilter: (change: MemberFilterChange, replace = false) =>
      go((before) => withFilter(before, change), replace),
    set: (change: Partial<Pick<MembersSearch, "page" | "per_page" | "sort" | "all" | "open">>) =>
      go((before) => ({ ...before, ...change })),
    refresh: () => {
      if (whole !== null) loading.start()
      else void client.prefetchQuery({ ...membersQuery(query, { fresh: true }), staleTime: 0 })
    },
    refreshing: whole === null ? page.isFetching : loading.progress !== null,
  } as const
}

/** The list, as its hook gives it. */
export type MemberList = ReturnType<typeof useMemberList>
