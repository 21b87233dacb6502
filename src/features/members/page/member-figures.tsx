import { useQuery, useQueryClient } from "@tanstack/react-query"
import { balanceQuery } from "../../../api/points.ts"
import { formatPoints } from "../../../lib/format.ts"
import { AsOf } from "../../../ui/query-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Figures } from "../../../ui/page-header.tsx"
import classes from "./member-figures.module.css"

/** The member's points. Their own error stays here: the rest of the page works without them. */
export function MemberFigures({ memberId }: { memberId: string }) {
  const queryClient = useQueryClient()
  const { data: answer, error, isFetching } = useQuery(balanceQuery(memberId))
  const readAgain = () => {
    void queryClient.fetchQuery({ ...balanceQuery(memberId, { fresh: true }), staleTime: 0 }).catch(() => {
      // The query keeps the error, and it is shown below.
    })
  }
  if (error !== null && answer === undefined) {
    return (
      <div className={classes.note}>
        <ErrorNotice error={error} what="Couldn’t load the balance." onRetry={readAgain} />
      </div>
    )
  }
  const balance = answer?.data
  const figure = (label: string, points: number | null | undefined) => ({
    label,
    value: balance === undefined ? <Bar /> : <Value points={points} />,
  })
  return (
    <>
      {error !== null && (
        <div className={classes.note}>
          <ErrorNotice
            error={error}
            what="Couldn’t refresh the balance. Showing the last loaded version."
            onRetry={readAgain}
          />
        </div>
      )}
      <Figures
        items={[
          figure("Available", balance?.balance),
          figure("Pending approval", balance?.pending),
          figure("Lifetime earned", balance?.lifetime_earned),
          figure("Lifetime redeemed", balance?.lifetime_redeemed),
        ]}
        end={<AsOf at={answer?.at} refreshing={isFetching} onRefresh={readAgain} />}
      />
    </>
  )
}

function Value({ points }: { points: number | null | undefined }) {
  if (points === null || points === undefined) return <span className={classes.none}>Not given</span>
  return formatPoints(points)
}

/** Where a figure will be. */
function Bar() {
  return <span className={classes.bar} />
}
