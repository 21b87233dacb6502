import { createFileRoute } from "@tanstack/react-router"
import { RedeemDrawer } from "../../features/rewards/redeem-drawer.tsx"
import { redeemSearch } from "../../features/rewards/search.ts"

export const Route = createFileRoute("/_app/rewards/redeem")({
  validateSearch: redeemSearch,
  component: RedeemDrawer,
})
