import { Button } from "@mantine/core"
import { IconArrowBackUp, IconDownload, IconPlayerPause, IconTool } from "@tabler/icons-react"
import { getRouteApi } from "@tanstack/react-router"
import type { Job } from "../../../contract/job.ts"
import { type useControlJob, useJobAccess } from "../../api/jobs.ts"
import { useCan } from "../../api/session.ts"
import { RequirePermission } from "../../lists/require-permission.tsx"
import { isActive, rowsText } from "./job-status.tsx"
import { Allowed } from "./job-access.tsx"
import classes from "./job.module.css"
import type { JobView } from "./search.ts"

const route = getRouteApi("/_app/jobs_/$jobId")

interface JobActionsProps {
  job: Job
  /** Pauses at once where nothing has to be asked; its error stands above the rows. */
  control: ReturnType<typeof useControlJob>
}

/** What can be done with a job as it stands. What cannot be undone, or needs a reason, asks first. */
export function JobActions({ job, control }: JobActionsProps) {
  const navigate = route.useNavigate()
  const access = useJobAccess(job)
  const show = (open: JobView) => () =>
    void navigate({ search: (now) => ({ ...now, open, row: undefined }), resetScroll: false })
  const failed = job.counts.failed
  // What was sent already can neither be held back nor called off.
  const waits = job.counts.planned > 0
  const settled = !isActive(job) && job.state !== "draft"
  const mayAward = useCan("points.write")

  return (
    <div className={classes.actions}>
      {job.counts.confirmed > 0 && job.kind === "award" && settled && mayAward && (
        <Allowed allowed={access.write} why={access.why}>
          <Button
            leftSection={<IconArrowBackUp size={16} stroke={1.75} aria-hidden />}
            onClick={show("reverse")}
          >
            Reverse
          </Button>
        </Allowed>
      )}
      {job.state !== "draft" && (
        <RequirePermission permission="exports.people">
          <Button
            leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
            onClick={show("results")}
          >
            Results
          </Button>
        </RequirePermission>
      )}
      {failed > 0 && job.state !== "cancelling" && (
        <Allowed allowed={access.write} why={access.why}>
          <Button
            variant={settled ? "filled" : "default"}
            leftSection={<IconTool size={16} stroke={1.75} aria-hidden />}
            onClick={show("fix")}
          >
            Fix {rowsText(failed, "failed row")}
          </Button>
        </Allowed>
      )}
      {job.state === "running" && waits && (
        <Allowed allowed={access.control} why={access.why}>
          <Button
            leftSection={<IconPlayerPause size={16} stroke={1.75} aria-hidden />}
            loading={control.isPending}
            onClick={access.needsReason ? show("pause") : () => control.mutate({ action: "pause" })}
          >
            Pause
          </Button>
        </Allowed>
      )}
      {(job.state === "running" || job.state === "paused") && waits && (
        <Allowed allowed={access.control} why={access.why}>
          <Button variant="subtle" onClick={show("cancel")}>
            {job.counts.planned === job.total ? "Cancel" : "Cancel remaining"}
          </Button>
        </Allowed>
      )}
      {job.state === "draft" && (
        <Allowed allowed={access.control} why={access.why}>
          <Button variant="subtle" onClick={show("cancel")}>
            Discard draft
          </Button>
        </Allowed>
      )}
    </div>
  )
}
