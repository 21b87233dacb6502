import { Button, Modal } from "@mantine/core"
import type { Job } from "../../../../contract/job.ts"
import { JobLink } from "../../../forms/outcome/job-link.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { useFocusBack } from "../../../ui/hooks.ts"
import classes from "./status-dialog.module.css"
import { ordersText } from "./status-change.ts"

/** The change is a job now: where to watch it, and that one may leave. */
export function StartedDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  useFocusBack()
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Changing ${ordersText(job.total)}`}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <div className={classes.started}>
        <Notice
          tone="success"
          title={`${job.id} was started`}
          action={<JobLink id={job.id}>Watch it</JobLink>}
        >
          It continues if you leave. You’ll be notified when it finishes; anything someone else changed in the
          meantime waits for a decision and is never overwritten.
        </Notice>
        <div className={classes.end}>
          <Button variant="filled" data-autofocus onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Modal>
  )
}
