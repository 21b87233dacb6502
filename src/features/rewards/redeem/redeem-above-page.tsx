import { getRouteApi } from "@tanstack/react-router"
import { RedeemDrawer } from "./redeem-drawer.tsx"
import { useLeaveDrawer } from "../../../forms/form.tsx"

const route = getRouteApi("/_desk/rewards_/$rewardId/redeem")

/** The redeem drawer above a reward's page. */
export function RedeemAbovePage() {
  const search = route.useSearch()
  const { rewardId } = route.useParams()
  const navigate = route.useNavigate()
  const close = useLeaveDrawer(
    () => void navigate({ to: "/rewards/$rewardId", params: { rewardId }, resetScroll: false }),
  )
  return (
    <RedeemDrawer
      address={{
        memberId: search.for,
        rewardId,
        jobId: search.job,
        rewardFixed: true,
        go: (change) =>
          void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false }),
        close,
      }}
    />
  )
}
