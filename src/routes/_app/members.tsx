import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { everyMemberQuery, membersQuery } from "../../api/members.ts"
import { sessionCan, sessionQuery } from "../../api/session.ts"
import { MembersPage } from "../../features/members/list/members-page.tsx"
import { filterOf, membersDefaults, membersSearch, pageQueryOf } from "../../features/members/search.ts"

export const Route = createFileRoute("/_app/members")({
  validateSearch: membersSearch,
  search: { middlewares: [stripSearchParams(membersDefaults)] },
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient }, deps }) => {
    const session = await queryClient.ensureQueryData(sessionQuery)
    const maySearch = session !== null && sessionCan(session, "members.search")
    const every = queryClient.getQueryData(everyMemberQuery(filterOf(deps, maySearch)).queryKey)
    if (!deps.all || !every) void queryClient.prefetchQuery(membersQuery(pageQueryOf(deps, maySearch)))
  },
  component: MembersPage,
})
