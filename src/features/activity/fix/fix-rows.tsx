import { IconCircleCheck } from "@tabler/icons-react"
import { getRouteApi } from "@tanstack/react-router"
import type { Job } from "../../../../contract/job.ts"
import { EmptyState, SkeletonRows } from "../../../ui/query-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { FixTable } from "./fix-table.tsx"
import classes from "./fix.module.css"
import { useOpenRows, type OpenState } from "./use-open-rows.ts"

const route = getRouteApi("/_desk/jobs_/$jobId")

const words: Readonly<Record<OpenState, Readonly<Record<"error" | "none" | "help", string>>>> = {
  failed: {
    error: "Couldn’t load the failed rows.",
    none: "No failed rows",
    help: "There’s nothing to fix.",
  },
  planned: {
    error: "Couldn’t load the rows that weren’t sent.",
    none: "No rows to edit",
    help: "Every row was sent, or may have been carried out already.",
  },
}

/** Rows that failed, or of a paused job those not sent, corrected in place without a spreadsheet. */
export function FixRows({ job, state }: { job: Job; state: OpenState }) {
  const navigate = route.useNavigate()
  const open = useOpenRows(job.id, state)
  const { error, none, help } = words[state]
  const leave = () => void navigate({ search: (now) => ({ ...now, open: undefined }), resetScroll: false })
  if (open.data === undefined) {
    return (
      <div className={classes.pad}>
        {open.error === null ? (
          <SkeletonRows rows={8} />
        ) : (
          <ErrorNotice error={open.error} what={error} onRetry={() => void open.refetch()} />
        )}
      </div>
    )
  }
  if (open.data.rows.length === 0) return <EmptyState icon={IconCircleCheck} title={none} help={help} />
  return <FixTable job={job} state={state} open={open.data} onLeave={leave} />
}
