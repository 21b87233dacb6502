import { Button } from "@mantine/core"
import { IconPlayerPlay } from "@tabler/icons-react"
import { lazy, Suspense, useState } from "react"
import type { Job } from "../../../../contract/job.ts"
import { useJobAccess } from "../../../api/session.ts"
import { useReleaseJob } from "../../../api/job-writes.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { rowsText } from "../jobs/job-words.ts"
import { Allowed } from "./allowed.tsx"

const ReleaseDialog = lazy(async () => ({ default: (await import("./release-dialog.tsx")).ReleaseDialog }))

const signs = {
  counter: "The restored data is older than what Laurel last worked with.",
  sample: "A row that the restored data lists as not sent was found at the service.",
  operator: "The server was started with START_HELD.",
}

/** Why a job is held after a restore, what was found, and how it goes on. */
export function HoldNote({ job, hold }: { job: Job; hold: NonNullable<Job["hold"]> }) {
  const access = useJobAccess(job)
  const release = useReleaseJob(job.id)
  const [asking, setAsking] = useState<"proven" | "unproven">()
  const open = hold.undecided + hold.looking
  return (
    <Notice
      tone="warning"
      title="On hold after a restore"
      action={
        <>
          {hold.state === "ready" && (
            <Allowed allowed={access.write} why={access.why}>
              <Button
                variant="filled"
                leftSection={<IconPlayerPlay size={16} stroke={1.75} aria-hidden />}
                loading={release.isPending}
                // What it does stands beside it, so nothing is asked but a reason where one is needed.
                onClick={() => (access.needsReason ? setAsking("proven") : release.mutate({}))}
              >
                Continue job
              </Button>
            </Allowed>
          )}
          {open > 0 && (
            <Allowed allowed={access.write} why={access.why}>
              <Button onClick={() => setAsking("unproven")}>Continue without proof</Button>
            </Allowed>
          )}
        </>
      }
    >
      <p>
        {signs[hold.sign]} Nothing is sent until someone continues the job. Cancelling sends nothing more.
      </p>
      <p>
        Found at the service: {rowsText(hold.found)}. Not found, sent when you continue:{" "}
        {rowsText(hold.to_send)}.{hold.looking > 0 && ` Still being looked up: ${rowsText(hold.looking)}.`}
        {hold.undecided > 0 && ` Not known: ${rowsText(hold.undecided)}.`}
      </p>
      {release.error !== null && <ErrorNotice error={release.error} what="Nothing was sent." />}
      {asking !== undefined && (
        <Suspense>
          <ReleaseDialog
            job={job}
            hold={hold}
            unproven={asking === "unproven"}
            onClose={() => setAsking(undefined)}
          />
        </Suspense>
      )}
    </Notice>
  )
}
