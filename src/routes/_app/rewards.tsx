import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { rewardsQuery } from "../../api/rewards.ts"
import { RewardsPage } from "../../features/rewards/rewards-page.tsx"
import { toPageQuery, rewardsDefaults, rewardsSearch } from "../../features/rewards/reward-search.ts"
import { defaultView } from "../../lists/list-params.ts"

export const Route = createFileRoute("/_app/rewards")({
  validateSearch: rewardsSearch,
  search: { middlewares: [stripSearchParams(rewardsDefaults)] },
  beforeLoad: defaultView("rewards"),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(rewardsQuery(toPageQuery(deps)))
  },
  component: RewardsPage,
})
