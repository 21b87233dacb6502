import { type Job, pauseCodes } from "../../../contract/job.ts"
import { useControlJob, useReleaseJob } from "../../api/jobs.ts"
import { JobReason } from "../../forms/job-reason.tsx"
import { counted } from "../../lib/format.ts"
import { jobTitle } from "../../lib/job-title.ts"
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx"
import { Notice } from "../../ui/notice.tsx"
import { useReason } from "./job-hooks.tsx"

type ControlAction = "pause" | "resume" | "cancel"

/** Asks before a job is cancelled, and for the reason when it is another person's. */
export function ControlDialog(props: { job: Job; action: ControlAction; onClose: () => void }) {
  const { job, action, onClose } = props
  const { access, ...reason } = useReason(job)
  const control = useControlJob(job.id)
  const question = questionOf(job)[action]
  const possible = access.control && question.possible
  return (
    <ConfirmDialog
      title={question.title}
      action={question.action}
      {...(question.keep !== undefined && { keep: question.keep })}
      tone={action === "cancel" && job.state !== "draft" ? "danger" : "plain"}
      error={control.error}
      what="The job continues unchanged."
      busy={control.isPending}
      ready={possible && !reason.missing}
      onClose={onClose}
      onConfirm={() => control.mutate({ action, ...reason.body }, { onSuccess: onClose })}
    >
      {possible ? (
        <p>{question.body}</p>
      ) : (
        <Notice tone="info" title={access.control ? `${jobTitle(job)} can’t do that right now` : access.why}>
          Nothing changed.
        </Notice>
      )}
      {possible && access.needsReason && <JobReason {...reason.field} initialFocus />}
    </ConfirmDialog>
  )
}

interface ControlQuestion {
  readonly title: string
  /** What is finished, what is not sent. */
  readonly body: string
  readonly action: string
  /** The button that changes nothing. */
  readonly keep?: string
  /** Whether the job's state allows it. */
  readonly possible: boolean
}

function questionOf({ state, counts, pause, total }: Job): Readonly<Record<ControlAction, ControlQuestion>> {
  const planned = counted(counts.planned, "row")
  const open = counts.sent + counts.unknown
  const underWay = open === 0 ? "" : `${counted(open, "row")} sent already will be finished or looked up. `
  const stays =
    counts.confirmed === 0
      ? ""
      : `${counted(counts.confirmed, "row")} confirmed already ${counts.confirmed === 1 ? "stays" : "stay"}.`
  const isLate = pause?.code === pauseCodes.notSentInTime
  return {
    pause: {
      title: "Pause this job",
      body: `${underWay}${planned} ${counts.planned === 1 ? "waits" : "wait"} until it is resumed.`,
      action: "Pause",
      possible: state === "running",
    },
    resume: {
      title: isLate ? "Send this now?" : "Resume this job",
      body: `${planned} will be sent.`,
      action: isLate ? "Send now" : "Resume",
      possible: state === "paused",
    },
    cancel:
      state === "draft"
        ? {
            title: "Discard draft",
            body: `None of its ${counted(total, "row")} was sent, and none will be.`,
            action: "Discard draft",
            keep: "Keep draft",
            possible: true,
          }
        : {
            title: "Cancel remaining",
            body: `${planned} will not be sent. ${underWay}${stays}`.trim(),
            action: `Cancel ${planned}`,
            keep: state === "paused" ? "Keep the job" : "Keep running",
            possible: state === "running" || state === "paused",
          },
  }
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
  const { access, ...reason } = useReason(job)
  const release = useReleaseJob(job.id)
  const open = hold.undecided + hold.looking
  return (
    <ConfirmDialog
      title={unproven ? "Continue without proof" : "Continue job"}
      action={
        unproven
          ? `Send up to ${counted(hold.to_send + open, "row")}`
          : `Send ${counted(hold.to_send, "row")}`
      }
      tone={unproven ? "danger" : "plain"}
      error={release.error}
      what="Nothing was sent."
      busy={release.isPending}
      ready={!reason.missing}
      onClose={onClose}
      onConfirm={() =>
        release.mutate({ ...(unproven && { unproven }), ...reason.body }, { onSuccess: onClose })
      }
    >
      <p>
        Found at the service and not sent again: {counted(hold.found, "row")}.{" "}
        {unproven
          ? `For ${counted(open, "row")} it isn’t known whether they were already done. Those that were are done twice.`
          : `Not found and sent now: ${counted(hold.to_send, "row")}.`}
      </p>
      {access.needsReason && <JobReason {...reason.field} />}
    </ConfirmDialog>
  )
}
