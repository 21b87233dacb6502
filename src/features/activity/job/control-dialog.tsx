import { useState } from "react"
import type { Job } from "../../../../contract/job.ts"
import { useControlJob } from "../../../api/job-writes.ts"
import { useJobAccess } from "../../../api/session.ts"
import { JobReason } from "../../../forms/job-reason.tsx"
import { jobTitle } from "../../../lib/job-title.ts"
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { controlWords, type ControlAction } from "./control-words.ts"

interface ControlDialogProps {
  job: Job
  action: ControlAction
  onClose: () => void
}

/** Asks before a job is cancelled, and for the reason when it is another person's. */
export function ControlDialog({ job, action, onClose }: ControlDialogProps) {
  const access = useJobAccess(job)
  const [reason, setReason] = useState("")
  const control = useControlJob(job.id)
  const words = controlWords(job, action)
  const possible = access.control && words.possible
  return (
    <ConfirmDialog
      title={words.title}
      action={words.action}
      {...(words.keep !== undefined && { keep: words.keep })}
      tone={action === "cancel" && job.state !== "draft" ? "danger" : "plain"}
      error={control.error}
      what="The job continues unchanged."
      busy={control.isPending}
      ready={possible && (!access.needsReason || reason.trim() !== "")}
      onClose={onClose}
      onConfirm={() => {
        const said = reason.trim() === "" ? {} : { reason: reason.trim() }
        control.mutate({ action, ...said }, { onSuccess: onClose })
      }}
    >
      {possible ? (
        <p>{words.body}</p>
      ) : (
        <Notice tone="info" title={access.control ? `${jobTitle(job)} can’t do that right now` : access.why}>
          Nothing changed.
        </Notice>
      )}
      {possible && access.needsReason && (
        <JobReason job={job} required value={reason} onChange={setReason} initialFocus />
      )}
    </ConfirmDialog>
  )
}
