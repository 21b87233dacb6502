import { Button } from "@mantine/core"
import { IconGift } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { EmptyState } from "../../../ui/query-state.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"

/** No reward has this id. */
export function RewardMissing({ rewardId }: { rewardId: string }) {
  return (
    <>
      <PageHeader title="Reward not found" path={[{ label: "Rewards", to: "/rewards" }]} />
      <EmptyState
        icon={IconGift}
        title={`No reward has the id ${rewardId}`}
        help="It may have been removed from the catalogue, or the link may be wrong."
        actions={<Button renderRoot={(props) => <Link {...props} to="/rewards" />}>Back to rewards</Button>}
      />
    </>
  )
}
