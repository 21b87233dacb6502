import { getRouteApi } from "@tanstack/react-router"
import { RedeemDrawer } from "./redeem-drawer.tsx"
import { useLeave } from "./use-leave.ts"

const route = getRouteApi("/_desk/rewards_/$rewardId/redeem")

/** The redeem drawer above a reward's page. Another reward takes it above the catalogue. */
export function RedeemAbovePage() {
  const search = route.useSearch()
  const { rewardId } = route.useParams()
  const navigate = route.useNavigate()
  const close = useLeave(
    () => void navigate({ to: "/rewards/$rewardId", params: { rewardId }, resetScroll: false }),
  )
  return (
    <RedeemDrawer
      address={{
        memberId: search.for,
        rewardId,
        jobId: search.job,
        go: ({ reward, ...change }) => {
          if (reward === rewardId || reward === undefined) {
            void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })
          } else {
            void navigate({ to: "/rewards/redeem", search: { ...search, ...change, reward }, replace: true })
          }
        },
        close,
      }}
    />
  )
}
