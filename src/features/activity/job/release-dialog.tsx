import { useState } from "react"
import type { Job } from "../../../../contract/job.ts"
import { useReleaseJob } from "../../../api/job-writes.ts"
import { useJobAccess } from "../../../api/session.ts"
import { JobReason } from "../../../forms/job-reason.tsx"
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx"
import { rowsText } from "../jobs/job-words.ts"

interface ReleaseDialogProps {
  job: Job
  hold: NonNullable<Job["hold"]>
  /** Rows that nothing proves are sent, too. */
  unproven: boolean
  onClose: () => void
}

/** Asks before a job that a restore holds goes on. Loaded when it opens: few views of a job need a dialog. */
export function ReleaseDialog({ job, hold, unproven, onClose }: ReleaseDialogProps) {
  const { needsReason } = useJobAccess(job)
  const release = useReleaseJob(job.id)
  const [reason, setReason] = useState("")
  const open = hold.undecided + hold.looking
  const said = reason.trim()
  return (
    <ConfirmDialog
      title={unproven ? "Continue without proof" : "Continue job"}
      action={unproven ? `Send up to ${rowsText(hold.to_send + open)}` : `Send ${rowsText(hold.to_send)}`}
      tone={unproven ? "danger" : "plain"}
      error={release.error}
      what="Nothing was sent."
      busy={release.isPending}
      ready={!needsReason || said !== ""}
      onClose={onClose}
      onConfirm={() =>
        release.mutate(
          { ...(unproven && { unproven }), ...(said !== "" && { reason: said }) },
          { onSuccess: onClose },
        )
      }
    >
      <p>
        Found at the service and not sent again: {rowsText(hold.found)}.{" "}
        {unproven
          ? `For ${rowsText(open)} it isn’t known whether they were already done. Those that were are done twice.`
          : `Not found and sent now: ${rowsText(hold.to_send)}.`}
      </p>
      {needsReason && <JobReason job={job} required value={reason} onChange={setReason} />}
    </ConfirmDialog>
  )
}
