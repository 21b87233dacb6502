import { Box } from "@mantine/core"
import type { RestoreNotice } from "../../contract/events.ts"
import { useReadRestore } from "../api/jobs.ts"
import { useCan } from "../api/session.ts"
import { exact } from "../lib/time.ts"
import { ErrorNotice, Notice } from "../ui/notice.tsx"
import { Button, LinkButton } from "../ui/button.tsx"

/** Above every page after a restore: what is on hold and why, and what may be missing. */
export function RestoreBanner({ restore }: { restore: RestoreNotice }) {
  const { held, looking, since } = restore
  const read = useReadRestore()
  const mayDismiss = useCan("settings.program")
  const jobs = held === 1 ? "1 job is on hold" : `${held} jobs are on hold`
  const dismiss = mayDismiss ? (
    <Button size="xs" loading={read.isPending} onClick={() => read.mutate()}>
      Dismiss
    </Button>
  ) : undefined
  return (
    <Box px="lg" pt={12}>
      <ErrorNotice error={read.error} what="The notice wasn’t dismissed." />
      <Notice
        tone="warning"
        title={`Laurel’s data was restored from a backup${held > 0 ? `: ${jobs}` : ""}`}
        action={
          held > 0 ? (
            <LinkButton size="xs" to="/jobs">
              View jobs
            </LinkButton>
          ) : (
            dismiss
          )
        }
      >
        {held > 0 && looking > 0 && "Their rows are being looked up at the service. None of them is sent. "}
        {held > 0 && looking === 0 && "Nothing is sent until someone continues or cancels each job. "}
        {since === null ? "Work done after the backup" : `Work done after ${exact(since)}`} may be missing
        here. Check the program’s own records before you repeat it.
      </Notice>
    </Box>
  )
}
