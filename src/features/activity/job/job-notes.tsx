import { Button } from "@mantine/core"
import { IconPencil, IconPlayerPlay } from "@tabler/icons-react"
import { getRouteApi } from "@tanstack/react-router"
import type { Job } from "../../../../contract/job.ts"
import type { useControlJob } from "../../../api/job-writes.ts"
import { useJobAccess } from "../../../api/session.ts"
import { AtlasStep, ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { rowsText } from "../jobs/job-words.ts"
import { Allowed } from "./allowed.tsx"
import { HoldNote } from "./hold-note.tsx"
import classes from "./job.module.css"
import { pauseWords } from "./pause-words.ts"
import { useFirstQuestion } from "./use-first-question.ts"

const route = getRouteApi("/_desk/jobs_/$jobId")

/** What stands above the rows: why the job stands still, what it waits for, what could not be done. */
export function JobNotes({ job, control }: { job: Job; control: ReturnType<typeof useControlJob> }) {
  return (
    <div className={classes.notes}>
      {control.error !== null && <ErrorNotice error={control.error} what="The job continues unchanged." />}
      {job.hold !== undefined && job.hold !== null && <HoldNote job={job} hold={job.hold} />}
      {job.state === "paused" && <PauseNote job={job} control={control} />}
      {job.state === "cancelling" && (
        <Notice tone="info" title="The remaining rows are cancelled">
          {rowsText(job.counts.sent + job.counts.unknown)} already sent{" "}
          {job.counts.sent + job.counts.unknown === 1 ? "is" : "are"} finished first.{" "}
          {rowsText(job.counts.planned)} will not be sent.
        </Notice>
      )}
      {job.state === "cancelled" && job.counts.planned > 0 && (
        <Notice
          tone="info"
          title={`${rowsText(job.counts.planned)} ${job.counts.planned === 1 ? "was" : "were"} not sent`}
        >
          The job was cancelled before they were sent. Confirmed rows stay.
        </Notice>
      )}
      {job.state === "draft" && (
        <Notice tone="info" title="This is a draft">
          {rowsText(job.total)} {job.total === 1 ? "is" : "are"} here and nothing is sent before it is
          started, on the page where it was begun.
        </Notice>
      )}
      {job.attention > 0 && <Questions job={job} />}
    </div>
  )
}

function PauseNote({ job, control }: { job: Job; control: ReturnType<typeof useControlJob> }) {
  const navigate = route.useNavigate()
  const access = useJobAccess(job)
  const { tone, title, body, next, resume, action } = pauseWords(job)
  const { open } = route.useSearch()
  const show = (view: "resume" | "edit") => () =>
    void navigate({ search: (now) => ({ ...now, open: view, row: undefined }), resetScroll: false })
  // The table has the button that goes on.
  if (open === "edit") return <Notice tone={tone} title={title} />
  return (
    <Notice
      tone={tone}
      title={title}
      detail={job.pause === null || tone === "info" ? undefined : job.pause.code}
      action={
        <>
          <Allowed allowed={access.control} why={access.why}>
            <Button
              variant="filled"
              leftSection={<IconPlayerPlay size={16} stroke={1.75} aria-hidden />}
              loading={control.isPending}
              onClick={access.needsReason ? show("resume") : () => control.mutate({ action: "resume" })}
            >
              {resume}
            </Button>
          </Allowed>
          {job.counts.planned > 0 && job.reverses === null && (
            <Allowed allowed={access.write} why={access.why}>
              <Button leftSection={<IconPencil size={16} stroke={1.75} aria-hidden />} onClick={show("edit")}>
                Edit {rowsText(job.counts.planned, "unsent row")}
              </Button>
            </Allowed>
          )}
          <AtlasStep action={action} />
        </>
      }
    >
      {`${body} ${next}`.trim()}
    </Notice>
  )
}

/** Opens the first row that only a person can settle, unless one is open already. */
function Questions({ job }: { job: Job }) {
  const { row, open } = route.useSearch()
  const first = useFirstQuestion(job.id)
  if (row !== undefined || open === "fix" || open === "edit") return null
  return (
    <Notice
      tone="warning"
      title={`${rowsText(job.attention)} ${job.attention === 1 ? "needs" : "need"} a decision`}
      action={
        <Button size="xs" loading={first.busy} onClick={first.open}>
          Decide
        </Button>
      }
    >
      {job.kind === "giftcard" ? "The service" : "The ledger"} does not say for certain whether{" "}
      {job.attention === 1 ? "it" : "they"} happened.
    </Notice>
  )
}
