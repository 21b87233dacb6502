import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { MembersPage, readMembers } from "../../features/members/list/members-page.tsx"
import { membersDefaults, membersSearch } from "../../features/members/member-search.ts"
import { defaultView } from "../../lists/list-params.ts"

export const Route = createFileRoute("/_app/members")({
  validateSearch: membersSearch,
  search: { middlewares: [stripSearchParams(membersDefaults)] },
  beforeLoad: defaultView("members"),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, session }, deps }) => readMembers(queryClient, deps, session.user.role),
  component: MembersPage,
})
