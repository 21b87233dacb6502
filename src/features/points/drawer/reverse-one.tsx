import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { Job } from "../../../../contract/job.ts"
import { useReverseJob } from "../../../api/job-writes.ts"
import { reversalQuery } from "../../../api/jobs.ts"
import { useJobAccess, useSession } from "../../../api/session.ts"
import { JobReason } from "../../../forms/job-reason.tsx"
import { MembersSee } from "../../../forms/members-see.tsx"
import { renewSubmissionKey, submissionKey } from "../../../forms/submission-key.ts"
import { isTakenBefore } from "../../../forms/submission-note.tsx"
import { cost } from "../../../lib/format.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Notice } from "../../../ui/notice.tsx"
import classes from "./points-outcome.module.css"

interface ReverseOneProps {
  job: Job
  /** The effect: "Reverse 500 points from Ana Silva". */
  action: string
  onReversed: (jobId: string) => void
  onClose: () => void
}

/** Reverses one award with a deduction: what the member will read, what it costs and why stand there before. */
export function ReverseOne({ job, action, onReversed, onClose }: ReverseOneProps) {
  const access = useJobAccess(job)
  const reversal = useQuery({ ...reversalQuery(job.id, false), enabled: access.write, staleTime: 0 })
  const reverse = useReverseJob(job.id)
  const [reason, setReason] = useState("")
  const keyName = `${useSession().user.id}:reverse:${job.id}`
  const seen = reversal.isFetching ? undefined : reversal.data
  const said = reason.trim()
  const ready = seen?.open === true && access.write && (!access.needsReason || said !== "")
  const start = () =>
    reverse.mutate(
      { key: submissionKey(keyName), ...(said === "" ? {} : { reason: said }) },
      {
        onSuccess: (made) => {
          renewSubmissionKey(keyName)
          onReversed(made.id)
        },
        // The reason was changed after no answer came, and the first one had arrived.
        onError: (error) => isTakenBefore(error) && renewSubmissionKey(keyName),
      },
    )
  return (
    <>
      {!access.write && <Notice tone="info" title={access.why} />}
      {reversal.error !== null && (
        <ErrorNotice
          error={reversal.error}
          what="Couldn’t work out what a reversal would do. Nothing was reversed."
          onRetry={() => void reversal.refetch()}
        />
      )}
      {seen?.open === false && (
        <Notice tone="warning" title="It can’t be reversed now">
          {seen.why_not}
        </Notice>
      )}
      {reverse.error !== null && <ErrorNotice error={reverse.error} what="Nothing was reversed." />}
      <MembersSee reason={seen?.ledger_reason ?? ""} sent="deduct" />
      <JobReason job={job} required={access.needsReason} value={reason} onChange={setReason} />
      <span className="text-muted l-meta">A deduction, sent as soon as you confirm: {cost(1)}.</span>
      <div className={classes.buttons}>
        <Button size="md" disabled={reverse.isPending} onClick={onClose}>
          Keep them
        </Button>
      </div>
      <Button
        size="md"
        variant="filled"
        fullWidth
        data-autofocus
        loading={reverse.isPending}
        disabled={!ready}
        onClick={start}
      >
        {action}
      </Button>
    </>
  )
}
