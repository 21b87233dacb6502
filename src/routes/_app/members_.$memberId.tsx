import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { lazy } from "react"
import { ledgerDefaults, ledgerSearch } from "../../features/members/member-search.ts"
import { MemberPage, type MemberPanels } from "../../features/members/page/member-page.tsx"
import { memberRecordQuery } from "../../features/members/page/member-state.ts"

export const Route = createFileRoute("/_app/members_/$memberId")({
  validateSearch: ledgerSearch,
  search: { middlewares: [stripSearchParams(ledgerDefaults)] },
  loader: ({ context: { queryClient }, params }) => {
    void queryClient.prefetchQuery(memberRecordQuery(params.memberId))
  },
  component: () => <MemberPage panels={panels} />,
})

const MemberCards = lazy(async () => ({
  default: (await import("../../features/giftcards/card-columns.tsx")).MemberCards,
}))

const MemberOrders = lazy(async () => ({
  default: (await import("../../features/orders/member-orders.tsx")).MemberOrders,
}))

// Tabs of other features: a feature does not import another one, so they are combined here.
const panels: MemberPanels = {
  orders: (memberId) => <MemberOrders key={memberId} memberId={memberId} />,
  cards: (memberId) => <MemberCards memberId={memberId} />,
}
