import { IconCircleCheck } from "@tabler/icons-react"
import { getRouteApi } from "@tanstack/react-router"
import type { Job } from "../../../../contract/desk/job.ts"
import { EmptyState } from "../../../ui/empty-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { SkeletonRows } from "../../../ui/skeleton-rows.tsx"
import { FixTable } from "./fix-table.tsx"
import classes from "./fix.module.css"
import { useFailedRows } from "./use-failed-rows.ts"

const route = getRouteApi("/_desk/jobs_/$jobId")

/** The failed rows alone, mended in place and sent again without a spreadsheet. */
export function FixFailed({ job }: { job: Job }) {
  const navigate = route.useNavigate()
  const failed = useFailedRows(job.id)
  const leave = () => void navigate({ search: (now) => ({ ...now, open: undefined }), resetScroll: false })
  if (failed.data === undefined) {
    return (
      <div className={classes.pad}>
        {failed.error === null ? (
          <SkeletonRows rows={8} />
        ) : (
          <ErrorNotice
            error={failed.error}
            what="Couldn’t load the failed rows."
            onRetry={() => void failed.refetch()}
          />
        )}
      </div>
    )
  }
  if (failed.data.rows.length === 0) {
    return <EmptyState icon={IconCircleCheck} title="No failed rows" help="There’s nothing to fix." />
  }
  return <FixTable job={job} failed={failed.data} onLeave={leave} />
}
