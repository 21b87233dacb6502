import { Button } from "@mantine/core"
import { useControlJob } from "../../api/job-writes.ts"
import { ErrorNotice } from "../../ui/error-notice.tsx"

/** Sends what stands still, or gives it up. Its own error stays here. */
export function JobControls({ jobId, send }: { jobId: string; send: string }) {
  const control = useControlJob(jobId)
  const act = (action: "resume" | "cancel") => () => control.mutate({ action })
  const running = control.isPending ? control.variables.action : null
  return (
    <>
      <Button
        size="xs"
        loading={running === "resume"}
        disabled={running === "cancel"}
        onClick={act("resume")}
      >
        {send}
      </Button>
      <Button
        size="xs"
        loading={running === "cancel"}
        disabled={running === "resume"}
        onClick={act("cancel")}
      >
        Cancel
      </Button>
      {control.error !== null && <ErrorNotice error={control.error} what="Nothing was changed." />}
    </>
  )
}
