import { createFileRoute } from "@tanstack/react-router"
import { rewardQuery } from "../../api/rewards.ts"
import { RewardPage } from "../../features/rewards/reward-page.tsx"

export const Route = createFileRoute("/_app/rewards_/$rewardId")({
  loader: ({ context: { queryClient }, params }) => {
    // Begun here, awaited by nobody: the page shows what it has at once.
    void queryClient.prefetchQuery(rewardQuery(params.rewardId))
  },
  codeSplitGroupings: [["loader", "component"]],
  component: RewardPage,
})
