import { getRouteApi } from "@tanstack/react-router"
import { RedeemDrawer } from "./redeem-drawer.tsx"
import { useLeaveDrawer } from "../../../forms/form.tsx"

const route = getRouteApi("/_desk/rewards/redeem")

/** The redeem drawer above the catalogue: member and reward are both in the address. */
export function RedeemAboveList() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const close = useLeaveDrawer(
    () =>
      void navigate({
        to: "/rewards",
        search: ({ for: _for, reward: _reward, job: _job, ...rest }) => rest,
        resetScroll: false,
      }),
  )
  return (
    <RedeemDrawer
      address={{
        memberId: search.for,
        rewardId: search.reward,
        jobId: search.job,
        rewardFixed: false,
        go: (change) =>
          void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false }),
        close,
      }}
    />
  )
}
