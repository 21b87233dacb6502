import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, Outlet } from "@tanstack/react-router"
import { ApiError } from "../../../api/errors.ts"
import { rewardQuery } from "../../../api/rewards.ts"
import { AsOf, SkeletonRows, StaleNotice } from "../../../ui/query-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Figures, PageHeader } from "../../../ui/page-header.tsx"
import { Points } from "../../../ui/values.tsx"
import { Status } from "../../../ui/status.tsx"
import { RedeemButton } from "../show/redeem-button.tsx"
import { RewardPicture } from "../show/reward-picture.tsx"
import { rewardName } from "../show/reward-words.ts"
import { stockWord } from "../show/stock-words.ts"
import { RewardFacts } from "./reward-facts.tsx"
import { RewardMissing } from "./reward-missing.tsx"
import classes from "./reward-page.module.css"

const route = getRouteApi("/_desk/rewards_/$rewardId")
const path = [{ label: "Rewards", to: "/rewards" }]

/** One reward: what it is, what it costs, what is left of it. */
export function RewardPage() {
  const { rewardId } = route.useParams()
  const client = useQueryClient()
  const { data: answer, error, isFetching, refetch } = useQuery(rewardQuery(rewardId))
  const refresh = () => void client.prefetchQuery({ ...rewardQuery(rewardId, { fresh: true }), staleTime: 0 })

  if (error instanceof ApiError && error.status === 404) return <RewardMissing rewardId={rewardId} />
  if (answer === undefined) {
    return (
      <>
        <PageHeader title="Reward" path={path} />
        {error === null ? (
          <SkeletonRows rows={6} columns={[40, 240]} />
        ) : (
          <div className={classes.note}>
            <ErrorNotice error={error} what="Couldn’t load the reward." onRetry={() => void refetch()} />
          </div>
        )}
        <Outlet />
      </>
    )
  }
  const reward = answer.data
  const stock = stockWord(reward.stock)
  return (
    <div className={classes.page}>
      <PageHeader
        title={rewardName(reward)}
        path={path}
        pill={<Status of="reward" value={reward.status} pill />}
        actions={<RedeemButton words="Redeem for a member" from={{ rewardId }} />}
      />
      {(error !== null || answer.stale) && (
        <div className={classes.note}>
          {error !== null ? (
            <ErrorNotice
              error={error}
              what="Couldn’t refresh the reward. Showing the last loaded version."
              onRetry={() => void refetch()}
            />
          ) : (
            <StaleNotice at={answer.at} refreshing={isFetching} onRefresh={refresh} />
          )}
        </div>
      )}
      <Figures
        items={[
          { label: "Points each", value: <Points value={reward.points_cost} /> },
          { label: "Stock", value: stock?.word ?? "Not given" },
        ]}
        end={<AsOf at={answer.at} refreshing={isFetching} onRefresh={refresh} />}
      />
      <div className={classes.split}>
        <RewardFacts reward={reward} />
        <section className={classes.about} aria-label="About">
          <RewardPicture src={reward.image_url} size="large" />
          <h2>Description</h2>
          {reward.description?.trim() ? (
            <p className={classes.text}>{reward.description}</p>
          ) : (
            <p className="text-muted">None</p>
          )}
        </section>
      </div>
      <Outlet />
    </div>
  )
}
