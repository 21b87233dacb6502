import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { everyMemberQuery, membersQuery } from "../../api/members.ts"
import { sessionCan } from "../../api/session.ts"
import { MembersPage } from "../../features/members/list/members-page.tsx"
import { filterOf, membersDefaults, membersSearch, pageQueryOf } from "../../features/members/search.ts"

export const Route = createFileRoute("/_app/members")({
  validateSearch: membersSearch,
  search: { middlewares: [stripSearchParams(membersDefaults)] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, session }, deps }) => {
    const maySearch = sessionCan(session, "members.search")
    const every = queryClient.getQueryData(everyMemberQuery(filterOf(deps, maySearch)).queryKey)
    if (!deps.all || !every) void queryClient.prefetchQuery(membersQuery(pageQueryOf(deps, maySearch)))
  },
  component: MembersPage,
})
