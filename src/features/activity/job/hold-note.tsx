import { Button, Textarea } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import "@mantine/core/styles/Input.layer.css"
import { IconPlayerPlay } from "@tabler/icons-react"
import { useState } from "react"
import type { Job } from "../../../../contract/desk/job.ts"
import { limits } from "../../../../contract/limits.ts"
import { useReleaseJob } from "../../../api/job-writes.ts"
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { rowsText } from "../jobs/job-words.ts"
import { Allowed } from "./allowed.tsx"
import { useJobAccess } from "./job-access.ts"

interface HoldProps {
  job: Job
  hold: NonNullable<Job["hold"]>
}

const signs = {
  counter: "The restored data is older than what Laurel last worked with.",
  sample: "A row that the restored data lists as not sent was found at the service.",
  operator: "The server was started with START_HELD.",
}

/** Why a job is held after a restore, what was found, and how it goes on. */
export function HoldNote({ job, hold }: HoldProps) {
  const access = useJobAccess(job)
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
                onClick={() => setAsking("proven")}
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
      {asking !== undefined && (
        <ReleaseDialog
          job={job}
          hold={hold}
          unproven={asking === "unproven"}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Notice>
  )
}

function ReleaseDialog({
  job,
  hold,
  unproven,
  onClose,
}: HoldProps & { unproven: boolean; onClose: () => void }) {
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
      {needsReason && (
        <Textarea
          label={`Reason (this is ${job.created_by.name}’s job)`}
          description="Saved in the audit log."
          required
          autosize
          minRows={2}
          maxLength={limits.reason}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
    </ConfirmDialog>
  )
}
