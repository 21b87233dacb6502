import { createFileRoute } from "@tanstack/react-router"
import { rewardQuery } from "../../api/rewards.ts"
import { RewardPage } from "../../features/rewards/reward-page.tsx"

export const Route = createFileRoute("/_app/rewards_/$rewardId")({
  loader: ({ context: { queryClient }, params }) => {
    void queryClient.prefetchQuery(rewardQuery(params.rewardId))
  },
  component: RewardPage,
})
