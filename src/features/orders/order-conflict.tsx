import { Stack } from "@mantine/core"
import type { OrderConflict } from "../../../contract/job-rows.ts"
import { useDecideRow } from "../../api/jobs.ts"
import { useSession } from "../../api/session.ts"
import { JobLink } from "../../forms/job-link.tsx"
import { OrderConflictTable } from "../../forms/order-conflict-table.tsx"
import type { OneRow } from "../../forms/one-row.ts"
import { isSameDay, millis, shortDay, timeOfDay } from "../../lib/time.ts"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { Notice } from "../../ui/notice.tsx"
import { useServerNow } from "../../ui/hooks.ts"
import { Button } from "../../ui/button.tsx"

/** The order is not as the person saw it: before, there now and yours, and what becomes of it. Nothing is chosen. */
export function OrderConflictView({ one: { job, row }, conflict }: { one: OneRow; conflict: OrderConflict }) {
  const { user } = useSession()
  const now = useServerNow("half-minute")
  const decide = useDecideRow(job.id, row.row)
  const left = row.decision?.decision === "leave"
  const mine = job.created_by.id === user.id
  const running = decide.isPending ? decide.variables.decision : undefined
  const button = (decision: "resend" | "leave" | "happened", words: string) => (
    <Button
      size="md"
      loading={running === decision}
      disabled={decide.isPending && running !== decision}
      onClick={() => decide.mutate({ decision })}
    >
      {words}
    </Button>
  )
  return (
    <>
      <Notice
        tone="warning"
        title={
          row.outcome?.code === "not_taken"
            ? "The service didn’t save everything"
            : changedWords(conflict, now, row.outcome?.code === "changed_again")
        }
        action={mine ? undefined : <JobLink id={job.id}>Review and decide</JobLink>}
      >
        {row.outcome?.message ?? "Nothing was overwritten. Compare both and decide."}
      </Notice>
      <OrderConflictTable conflict={conflict} />
      <p className="text-secondary">
        {left
          ? "Kept as it is now. You can still change this decision."
          : "Replacing changes only the fields under “Yours”, and only if the order hasn’t changed again."}
      </p>
      {mine && (
        <Stack gap={8}>
          {button("resend", "Replace with mine")}
          {!left && button("leave", "Keep theirs")}
          {button("happened", "Already resolved")}
        </Stack>
      )}
      <ErrorNotice error={decide.error} what="Nothing was decided." />
    </>
  )
}

function changedWords({ changed_by }: OrderConflict, now: number, again: boolean): string {
  const changed = again ? "changed this order once more" : "changed this order"
  if (changed_by === undefined) return `Someone else ${changed}`
  const { name, at } = changed_by
  const today = isSameDay(millis(at), now)
  return `${name} ${changed} ${today ? "" : `on ${shortDay(at, now)} `}at ${timeOfDay(at)}`
}
