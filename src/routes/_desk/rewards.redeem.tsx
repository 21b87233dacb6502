import { createFileRoute } from "@tanstack/react-router"
import { RedeemAboveList } from "../../features/rewards/redeem/redeem-above-list.tsx"
import { redeemSearch } from "../../features/rewards/redeem/redeem-search.ts"

export const Route = createFileRoute("/_desk/rewards/redeem")({
  validateSearch: redeemSearch,
  component: RedeemAboveList,
})
