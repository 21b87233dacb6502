import { Textarea } from "@mantine/core"
import type { Job } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"

interface JobReasonProps {
  job: Pick<Job, "created_by">
  /** It is another person's job. */
  required: boolean
  /** In place of "Reason …", where a row is decided rather than the job. */
  label?: string
  value: string
  onChange: (value: string) => void
  initialFocus?: boolean
}

/** Why something is done with a job, for the audit log; another person's job requires it. */
export function JobReason({ job, required, label, value, onChange, initialFocus = false }: JobReasonProps) {
  const usual = required ? `Reason (this is ${job.created_by.name}’s job)` : "Reason (optional)"
  return (
    <Textarea
      label={label ?? usual}
      description="Saved in the audit log."
      required={required}
      {...(initialFocus && { "data-autofocus": true })}
      autosize
      minRows={2}
      maxLength={limits.reason}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
