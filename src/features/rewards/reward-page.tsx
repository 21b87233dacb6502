import { Stack } from "@mantine/core"
import { IconGift } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { isUpdating } from "../../../contract/response.ts"
import { rawValue } from "../../../contract/reading.ts"
import { rewardQuery } from "../../api/rewards.ts"
import { RequirePermission } from "../../lists/require-permission.tsx"
import { DescriptionList } from "../../ui/data-table.tsx"
import { Figures, PageHeader } from "../../ui/page-header.tsx"
import { AsOf } from "../../ui/query-state.tsx"
import { RecordFacts, RecordPage } from "../../ui/record-page.tsx"
import { Status } from "../../ui/status.tsx"
import { CopyText, Points } from "../../ui/values.tsx"
import { addressNeed } from "./redeem-model.ts"
import { redeemButton, rewardName, RewardPicture, Stock, stockLevel } from "./reward-view.tsx"
import { LinkButton } from "../../ui/button.tsx"

const route = getRouteApi("/_app/rewards_/$rewardId")
const parent = { label: "Rewards", to: "/rewards" }

/** One reward: facts, cost and stock. */
export function RewardPage() {
  const { rewardId } = route.useParams()
  const client = useQueryClient()
  const query = useQuery(rewardQuery(rewardId))
  const refresh = () => void client.prefetchQuery({ ...rewardQuery(rewardId, { fresh: true }), staleTime: 0 })
  return (
    <RecordPage
      query={query}
      onRefresh={refresh}
      noun="reward"
      parent={parent}
      missing={{
        icon: IconGift,
        id: rewardId,
        help: "It may have been removed from the catalogue, or the link may be wrong.",
      }}
      renderHeader={(reward) => (
        <PageHeader
          title={rewardName(reward)}
          path={[parent]}
          pill={<Status of="reward" value={reward.status} pill />}
          actions={
            <RequirePermission permission="rewards.redeem">
              <LinkButton
                {...redeemButton}
                to="."
                search={(now) => ({ ...now, act: "redeem", reward_id: rewardId })}
                resetScroll={false}
              />
            </RequirePermission>
          }
        />
      )}
      renderFigures={(reward) => (
        <Figures
          items={[
            { label: "Points each", value: <Points value={reward.points_cost} /> },
            { label: "Stock", value: stockLevel(reward.stock)?.word ?? "Not given" },
          ]}
          end={
            <AsOf
              at={query.data?.at}
              refreshing={query.isFetching}
              updating={isUpdating(query.data)}
              onRefresh={refresh}
            />
          }
        />
      )}
      renderFacts={({ id, category, type, status, stock, ...reward }) => (
        <RecordFacts>
          <DescriptionList
            items={[
              ["Category", category || <span className="text-muted">None</span>],
              ["Type", type && <Status of="reward-type" value={type} />],
              ["Status", status && <Status of="reward" value={status} />],
              [
                "Stock",
                (stock !== undefined || rawValue(reward, "stock") !== undefined) && (
                  <Stock stock={stock} sent={rawValue(reward, "stock")} />
                ),
              ],
              ["Address", addresses[addressNeed(type)]],
              ["Reward id", <CopyText text={id} mono cut />],
            ]}
          />
        </RecordFacts>
      )}
    >
      {({ image_url, description }) => (
        <Stack component="section" gap={8} maw={640} aria-label="About">
          <RewardPicture src={image_url} size="large" />
          <h2>Description</h2>
          {description?.trim() ? (
            <p className="wrap-anywhere" style={{ whiteSpace: "pre-line" }}>
              {description}
            </p>
          ) : (
            <p className="text-muted">None</p>
          )}
        </Stack>
      )}
    </RecordPage>
  )
}

const addresses = {
  required: "Requested when it is redeemed",
  optional: "Optional",
  none: "Not needed",
} as const
