import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { ledgerDefaults, ledgerSearch } from "../../features/members/ledger/ledger-search.ts"
import { MemberPage } from "../../features/members/page/member-page.tsx"
import { memberRecordQuery } from "../../features/members/page/member-record.ts"

export const Route = createFileRoute("/_desk/members_/$memberId")({
  validateSearch: ledgerSearch,
  search: { middlewares: [stripSearchParams(ledgerDefaults)] },
  loader: ({ context: { queryClient }, params }) => {
    // Begun here, awaited by nobody: the page shows what it has at once.
    void queryClient.prefetchQuery(memberRecordQuery(params.memberId))
  },
  component: MemberPage,
})
