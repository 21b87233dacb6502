import { Button } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import "@mantine/core/styles/Loader.layer.css"
import { useReverseJob } from "../../../api/job-writes.ts"
import { useSession } from "../../../api/permissions.ts"
import { renewSubmissionKey, submissionKey } from "../../../form/submission-key.ts"
import { cost } from "../../../lib/cost.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import classes from "./points-outcome.module.css"

interface ReverseOneProps {
  jobId: string
  /** The effect: "Take back 500 points from Ana Silva". */
  action: string
  onReversed: (jobId: string) => void
  onClose: () => void
}

/** Takes one award back with a deduction; says what it will do before it does it. */
export function ReverseOne({ jobId, action, onReversed, onClose }: ReverseOneProps) {
  const reverse = useReverseJob(jobId)
  const keyName = `${useSession().user.id}:reverse:${jobId}`
  const start = () =>
    reverse.mutate(
      { key: submissionKey(keyName) },
      {
        onSuccess: (made) => {
          renewSubmissionKey(keyName)
          onReversed(made.id)
        },
      },
    )
  return (
    <>
      {reverse.error !== null && <ErrorNotice error={reverse.error} what="Nothing was reversed." />}
      <div className={classes.buttons}>
        <Button size="md" disabled={reverse.isPending} onClick={onClose}>
          Keep them
        </Button>
      </div>
      <Button size="md" variant="filled" fullWidth data-autofocus loading={reverse.isPending} onClick={start}>
        {action}
      </Button>
      <span className="l-3 l-meta">A deduction with the award’s reason. {cost(1)}.</span>
    </>
  )
}
