import { Button, Group } from "@mantine/core"
import { IconArrowBackUp, IconDownload, IconPlayerPause, IconTool } from "@tabler/icons-react"
import type { Job } from "../../../contract/job.ts"
import { type useControlJob, useJobAccess } from "../../api/jobs.ts"
import { useCan } from "../../api/session.ts"
import { counted } from "../../lib/format.ts"
import { Allowed, RequirePermission } from "../../lists/require-permission.tsx"
import { useShow } from "./job-hooks.tsx"
import { isActive } from "./job-status.tsx"
import classes from "./job.module.css"
import type { JobView } from "./search.ts"

interface JobActionsProps {
  job: Job
  /** Pauses at once where nothing has to be asked; its error stands above the rows. */
  control: ReturnType<typeof useControlJob>
}

/** What can be done with a job as it stands. What cannot be undone, or needs a reason, asks first. */
export function JobActions({ job, control }: JobActionsProps) {
  const show = useShow()
  const { write, control: mayControl, needsReason, why } = useJobAccess(job)
  const mayAward = useCan("points.write")
  const { state, counts } = job
  const open = (view: JobView) => () => show({ open: view, row: undefined })
  const settled = !isActive(job) && state !== "draft"
  // What was sent already can neither be held back nor cancelled.
  const waits = counts.planned > 0 && (state === "running" || state === "paused")
  return (
    <Group gap="sm" className={classes.actions}>
      {counts.confirmed > 0 && job.kind === "award" && settled && mayAward && (
        <Allowed allowed={write} why={why}>
          <Button
            leftSection={<IconArrowBackUp size={16} stroke={1.75} aria-hidden />}
            onClick={open("reverse")}
          >
            Reverse
          </Button>
        </Allowed>
      )}
      {state !== "draft" && (
        <RequirePermission permission="exports.people">
          <Button
            leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
            onClick={open("results")}
          >
            Results
          </Button>
        </RequirePermission>
      )}
      {counts.failed > 0 && state !== "cancelling" && (
        <Allowed allowed={write} why={why}>
          <Button
            variant={settled ? "filled" : "default"}
            leftSection={<IconTool size={16} stroke={1.75} aria-hidden />}
            onClick={open("fix")}
          >
            Fix {counted(counts.failed, "failed row")}
          </Button>
        </Allowed>
      )}
      {state === "running" && waits && (
        <Allowed allowed={mayControl} why={why}>
          <Button
            leftSection={<IconPlayerPause size={16} stroke={1.75} aria-hidden />}
            loading={control.isPending}
            onClick={needsReason ? open("pause") : () => control.mutate({ action: "pause" })}
          >
            Pause
          </Button>
        </Allowed>
      )}
      {(waits || state === "draft") && (
        <Allowed allowed={mayControl} why={why}>
          <Button variant="subtle" onClick={open("cancel")}>
            {cancelLabel(job)}
          </Button>
        </Allowed>
      )}
    </Group>
  )
}

function cancelLabel({ state, counts, total }: Job): string {
  if (state === "draft") return "Discard draft"
  return counts.planned === total ? "Cancel" : "Cancel remaining"
}
