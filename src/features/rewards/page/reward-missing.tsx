import { Button } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import "@mantine/core/styles/Loader.layer.css"
import { IconGift } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { EmptyState } from "../../../ui/empty-state.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"

/** No reward has this id. */
export function RewardMissing({ rewardId }: { rewardId: string }) {
  return (
    <>
      <PageHeader title="No such reward" path={[{ label: "Rewards", to: "/rewards" }]} />
      <EmptyState
        icon={IconGift}
        title={`There is no reward with the id ${rewardId}`}
        help="It may have been taken out of the catalogue, or the link is mistyped."
        actions={<Button renderRoot={(props) => <Link {...props} to="/rewards" />}>Back to rewards</Button>}
      />
    </>
  )
}
