import { Button } from "@mantine/core"
import { useState } from "react"
import type { Job } from "../../../../contract/job.ts"
import type { JobRow } from "../../../../contract/job-rows.ts"
import { useDecideRow } from "../../../api/job-writes.ts"
import { useJobAccess } from "../../../api/session.ts"
import { JobReason } from "../../../forms/job-reason.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Allowed } from "../job/allowed.tsx"
import { rowNumber } from "../jobs/row-words.ts"
import classes from "./panel.module.css"

/** Whether a row may be left out: its job stands still, and it was never sent. */
export function canLeaveOut(job: Pick<Job, "state">, row: Pick<JobRow, "state" | "attempts">): boolean {
  return job.state === "paused" && row.state === "planned" && row.attempts === 0
}

/** Leaves one row out, so that what the service refuses of it does not hold the others up. */
export function LeaveOut({ job, row }: { job: Job; row: JobRow }) {
  const access = useJobAccess(job)
  const decide = useDecideRow(job.id, row.row)
  const [reason, setReason] = useState("")
  const said = reason.trim()
  const leave = () => decide.mutate({ decision: "leave", ...(said === "" ? {} : { reason: said }) })
  return (
    <div className={classes.form}>
      <p className="text-secondary">
        The job is paused. If the service refuses this row, skip it and resume the rest: nothing is sent for
        it, and you can correct and send it later.
      </p>
      {access.control && access.needsReason && (
        <JobReason
          job={job}
          label={`Why you’re deciding for ${job.created_by.name}`}
          required
          value={reason}
          onChange={setReason}
        />
      )}
      {decide.error !== null && <ErrorNotice error={decide.error} what="Couldn’t skip the row." />}
      <div className={classes.foot}>
        <span className="l-meta text-muted">Your decision is saved in the audit log.</span>
        <Allowed allowed={access.control} why={access.why}>
          <Button
            loading={decide.isPending}
            disabled={access.control && access.needsReason && said === ""}
            onClick={leave}
          >
            Leave row {rowNumber(row)} out
          </Button>
        </Allowed>
      </div>
    </div>
  )
}
