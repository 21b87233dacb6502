import { Stack } from "@mantine/core"
import type { OrderConflict } from "../../../contract/kinds/order-update.ts"
import { useDecideRow } from "../../api/jobs.ts"
import { useSession } from "../../api/session.ts"
import { JobLink } from "../../ui/record-link.tsx"
import { ConflictTable } from "../../forms/conflict-table.tsx"
import type { OneRow } from "../../forms/one-row.ts"
import { isSameDay, millis, shortDay, timeOfDay } from "../../lib/time.ts"
import { ErrorNotice, Notice } from "../../ui/notice.tsx"
import { useServerNow } from "../../ui/hooks.ts"
import { Button } from "../../ui/button.tsx"

/**
 * An order that changed since the form was opened: before, now and the user's values, with the possible decisions.
 * None is preselected. With `isParcel`, it says what to do with the parcel.
 */
export function OrderConflictView(props: { one: OneRow; conflict: OrderConflict; isParcel?: boolean }) {
  const { one, conflict, isParcel = false } = props
  const { job, row } = one
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
  const parcel = isParcel ? parcelQuestion(conflict) : undefined
  if (parcel !== undefined) {
    return (
      <>
        <Notice
          tone="warning"
          title={parcel.title}
          action={mine ? undefined : <JobLink id={job.id}>Review and decide</JobLink>}
        >
          {parcel.help}
        </Notice>
        {!parcel.isCancelled && <ConflictTable of="order" conflict={conflict} />}
        {mine && (
          <Stack gap={8}>
            {!left && button("leave", parcel.leave)}
            {button("resend", parcel.resend)}
          </Stack>
        )}
        <ErrorNotice error={decide.error} what="Nothing was decided." />
      </>
    )
  }
  return (
    <>
      <Notice
        tone="warning"
        title={
          row.outcome?.code === "not_taken"
            ? "The service didn’t save everything"
            : changedByMessage(conflict, now, row.outcome?.code === "changed_again")
        }
        action={mine ? undefined : <JobLink id={job.id}>Review and decide</JobLink>}
      >
        {row.outcome?.code === "not_taken"
          ? row.outcome.message
          : "Nothing was overwritten. Compare both and decide."}
      </Notice>
      <ConflictTable of="order" conflict={conflict} />
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

/** The decision for a parcel whose order was cancelled or shipped meanwhile; undefined for other changes. */
function parcelQuestion({ theirs, yours, changed_by }: OrderConflict) {
  if (yours.status !== "shipped") return undefined
  if (theirs.status === "cancelled") {
    return {
      isCancelled: true,
      title: "Cancelled while you packed it. Take the parcel back.",
      help: "Nothing was saved for it.",
      leave: "Don’t ship",
      resend: "Ship it anyway",
    }
  }
  const number = theirs.tracking_number
  if (!number || number === yours.tracking_number) return undefined
  return {
    isCancelled: false,
    title: `${changed_by?.name ?? "Someone"} shipped it with ${number}: is this a second box?`,
    help: "An order keeps one number. For a second box yours isn’t saved.",
    leave: "Yes, a second box",
    resend: "No, use my number",
  }
}

function changedByMessage({ changed_by }: OrderConflict, now: number, again: boolean): string {
  const changed = again ? "changed this order once more" : "changed this order"
  if (changed_by === undefined) return `Someone else ${changed}`
  const { name, at } = changed_by
  const today = isSameDay(millis(at), now)
  return `${name} ${changed} ${today ? "" : `on ${shortDay(at, now)} `}at ${timeOfDay(at)}`
}
