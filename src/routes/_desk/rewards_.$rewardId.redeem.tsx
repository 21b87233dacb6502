import { createFileRoute } from "@tanstack/react-router"
import { RedeemAbovePage } from "../../features/rewards/redeem/redeem-above-page.tsx"
import { redeemSearch } from "../../features/rewards/redeem/redeem-search.ts"

export const Route = createFileRoute("/_desk/rewards_/$rewardId/redeem")({
  validateSearch: redeemSearch,
  component: RedeemAbovePage,
})
