import { useControlJob, useJobAccess, useReleaseJob } from "../../api/jobs.ts"
import { useState } from "react"
import { type Job, pauseCodes } from "../../../contract/job.ts"
import { rowsText } from "./job-status.tsx"
import { JobReason } from "../../forms/job-reason.tsx"
import { jobTitle } from "../../lib/job-title.ts"
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx"
import { Notice } from "../../ui/notice.tsx"

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

/** What can be done to the course of a job. */
export type ControlAction = "pause" | "resume" | "cancel"

/** A question about the course of a job. */
interface ControlWords {
  readonly title: string
  /** What is finished, what is not sent. */
  readonly body: string
  readonly action: string
  /** The button that changes nothing. */
  readonly keep?: string
  /** Whether the job's state allows it. */
  readonly possible: boolean
}

/** Asks about pausing, resuming or cancelling a job, with what becomes of its rows. */
export function controlWords(job: Pick<Job, "state" | "counts" | "pause" | "total">, action: ControlAction) {
  return { pause: pauseQuestion, resume: resumeQuestion, cancel: cancelQuestion }[action](job)
}

type Asked = Parameters<typeof controlWords>[0]

function pauseQuestion({ state, counts }: Asked): ControlWords {
  return {
    title: "Pause this job",
    body: `${underWay(counts)}${rowsText(counts.planned)} ${counts.planned === 1 ? "waits" : "wait"} until it is resumed.`,
    action: "Pause",
    possible: state === "running",
  }
}

function resumeQuestion({ state, counts, pause }: Asked): ControlWords {
  const now = pause?.code === pauseCodes.notSentInTime
  return {
    title: now ? "Send this now?" : "Resume this job",
    body: `${rowsText(counts.planned)} will be sent.`,
    action: now ? "Send now" : "Resume",
    possible: state === "paused",
  }
}

function cancelQuestion({ state, counts, total }: Asked): ControlWords {
  if (state === "draft") {
    return {
      title: "Discard draft",
      body: `None of its ${rowsText(total)} was sent, and none will be.`,
      action: "Discard draft",
      keep: "Keep draft",
      possible: true,
    }
  }
  const stays =
    counts.confirmed > 0
      ? ` ${rowsText(counts.confirmed)} confirmed already ${counts.confirmed === 1 ? "stays" : "stay"}.`
      : ""
  return {
    title: "Cancel remaining",
    body: `${rowsText(counts.planned)} will not be sent. ${underWay(counts)}${stays.trim()}`.trim(),
    action: `Cancel ${rowsText(counts.planned)}`,
    keep: state === "paused" ? "Keep the job" : "Keep running",
    possible: state === "running" || state === "paused",
  }
}

function underWay({ sent, unknown }: Asked["counts"]): string {
  const open = sent + unknown
  if (open === 0) return ""
  return `${rowsText(open)} sent already will be finished or looked up. `
}
