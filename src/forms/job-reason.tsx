import { Textarea, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { Job } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import { useJobAccess } from "../api/jobs.ts"
import { pointsSettingsQuery } from "../api/settings.ts"
import { counted } from "../lib/format.ts"

/** Result of `useReason`. */
export type Reason = ReturnType<typeof useReason>

/** The user's permissions for a job, and the reason that another user's job requires. */
export function useReason(job: Pick<Job, "kind" | "created_by">) {
  const access = useJobAccess(job)
  const [value, onChange] = useState("")
  const reason = value.trim()
  return {
    access,
    field: { job, required: access.needsReason, value, onChange },
    missing: access.needsReason && reason === "",
    body: reason === "" ? {} : { reason },
  }
}

/** Reason for an action on a job, for the audit log; required for another user's job. */
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

/**
 * The text in members' ledgers after a reversal: `usual`, unless edited; empty while each of several reasons stays.
 * The batch code that deductions need is appended.
 */
export function LedgerReasonField(props: {
  usual: string
  /** Number of different reasons of the awards; without a text here each deduction names its own. */
  reasons: number
  value: string | undefined
  onChange: (value: string) => void
}) {
  const { usual, reasons, value, onChange } = props
  const followed = "A batch code follows it."
  const keepsOwn = reasons > 1 && (value ?? "").trim() === ""
  return (
    <TextInput
      label="Members will see"
      description={
        keepsOwn
          ? `Each award’s own reason after “Correction”: there are ${counted(reasons, "different reason")}. Written here, all have the same. ${followed}`
          : followed
      }
      placeholder={reasons > 1 ? "Each award’s own reason" : usual}
      maxLength={limits.reason - tagLength}
      value={value ?? (reasons > 1 ? "" : usual)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** Length of the batch tag at the end of a reason: ` · batch ` and the code. */
const tagLength = " · batch 7K2QX".length

/**
 * The text in the member's ledger. An entry is identified by its own reference (`single`), or by the job's batch code
 * at the end of the reason: batched awards have it unless the settings switch it off, deductions always (docs/jobs.md).
 * The code itself is created with the job.
 */
export function LedgerTextPreview(props: {
  reason: string
  sent: "single" | "bulk" | "deduct"
  /** Other rows may have other reasons. */
  example?: boolean
}) {
  const { reason, sent, example = false } = props
  const { data: settings } = useQuery({ ...pointsSettingsQuery, enabled: sent === "bulk" })
  const tagged = sent === "deduct" || (sent === "bulk" && settings?.batch_code !== false)
  const written = reason.trim()
  if (written === "") return null
  const shown = tagged ? written.slice(0, limits.reason - tagLength).trimEnd() : written
  return (
    <p className="text-secondary l-meta wrap-anywhere">
      Members will see{example && ", for example"}: <b>{shown}</b>
      {tagged && (
        <>
          <b> · batch</b> + a 5-character code that identifies this job
        </>
      )}
    </p>
  )
}
