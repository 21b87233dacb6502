import { Textarea } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { Job } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import { pointsSettingsQuery } from "../api/settings.ts"

/** Why something is done with a job, for the audit log; another person's job requires it. */
export function JobReason(props: {
  job: Pick<Job, "created_by">
  required: boolean
  label?: string
  value: string
  onChange: (value: string) => void
  initialFocus?: boolean
}) {
  const { job, required, label, value, onChange, initialFocus = false } = props
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

/** What the batch tag takes at the end of a reason, in characters: ` · batch ` and the code. */
const tagLength = " · batch 7K2QX".length

/**
 * The text that stands in the member's ledger. An entry is identified by its own reference (`single`), or by the job's
 * batch code at the end of the reason: batched awards carry it unless the settings switch it off, deductions always
 * (docs/decisions/0008-jobs.md). The code itself is made with the job.
 */
export function LedgerTextPreview({ reason, sent }: { reason: string; sent: "single" | "bulk" | "deduct" }) {
  const { data: settings } = useQuery({ ...pointsSettingsQuery, enabled: sent === "bulk" })
  const tagged = sent === "deduct" || (sent === "bulk" && settings?.batch_code !== false)
  const written = reason.trim()
  if (written === "") return null
  const shown = tagged ? written.slice(0, limits.reason - tagLength).trimEnd() : written
  return (
    <p className="text-secondary l-meta wrap-anywhere">
      Members will see: <b>{shown}</b>
      {tagged && (
        <>
          <b> · batch</b> + a 5-character code that identifies this job
        </>
      )}
    </p>
  )
}
