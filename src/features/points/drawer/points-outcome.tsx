import { useQuery } from "@tanstack/react-query"
import { jobQuery } from "../../../api/jobs.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { SideDrawer } from "../../../ui/side-drawer.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import type { PointsAct } from "../points-search.ts"
import { ManyOutcome } from "./many-outcome.tsx"
import { OneOutcome } from "./one-outcome.tsx"
import type { PointsValues } from "./points-model.ts"
import { pointsTitles } from "./points-words.ts"

/** What every outcome needs. */
export interface OutcomeProps {
  jobId: string
  /** The same again for the same members, with an empty form. */
  onAgain: (act: PointsAct, memberIds: readonly string[]) => void
  /** Back to the form as it was sent. */
  onCorrect: (act: PointsAct, memberIds: readonly string[], values: PointsValues) => void
  /** Another job's outcome takes this one's place. */
  onOther: (jobId: string) => void
  onClose: () => void
}

/** How an award or a deduction stands, in the drawer it was sent from. */
export function PointsOutcome(props: OutcomeProps) {
  const { jobId, onClose } = props
  const { data: job, error, refetch } = useQuery(jobQuery(jobId))
  if (job === undefined) {
    return (
      <SideDrawer title="Outcome" onClose={onClose}>
        {error === null ? (
          <SkeletonRows rows={4} columns={[120, 240]} />
        ) : (
          <ErrorNotice error={error} what="Couldn’t load the outcome." onRetry={() => void refetch()} />
        )}
      </SideDrawer>
    )
  }
  const act = job.kind === "deduct" ? "deduct" : "award"
  return job.total > 1 ? (
    <ManyOutcome {...props} job={job} act={act} title={pointsTitles[act]} />
  ) : (
    <OneOutcome {...props} act={act} title={pointsTitles[act]} />
  )
}
