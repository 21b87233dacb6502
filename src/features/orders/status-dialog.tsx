import { Button, Group, Stack } from "@mantine/core"
import { useState } from "react"
import type { CreateJobBody, Job } from "../../../contract/job.ts"
import { type Order, orderStatuses } from "../../../contract/program/order.ts"
import { useSession } from "../../api/session.ts"
import { needsSubmissionNote, SubmissionNote, useSendJob } from "../../forms/job-submission.tsx"
import { JobLink } from "../../forms/job-link.tsx"
import { cost, formatCount } from "../../lib/format.ts"
import { ConfirmDialog, Dialog } from "../../ui/confirm-dialog.tsx"
import { Notice } from "../../ui/notice.tsx"
import { Status, statusWord } from "../../ui/status.tsx"
import { expectedOf, ordersText } from "./order-row.tsx"
import classes from "./orders-list.module.css"
import { useStatusChangeNote } from "./status-changes.ts"

type OrderStatus = (typeof orderStatuses)[number]

/** Gives the selected orders another status: says what that changes and costs before it does. */
export function StatusDialog(props: { orders: readonly Order[]; onClose: (started: boolean) => void }) {
  const { orders, onClose } = props
  const [to, choose] = useState<OrderStatus>()
  const [started, setStarted] = useState<Job>()
  const noteOf = useStatusChangeNote()
  const send = useSendJob(`${useSession().user.id}:orders-status`)
  if (started !== undefined) return <StartedDialog job={started} onClose={() => onClose(true)} />

  // Only orders that have another status now are sent: two requests each, because an order is read right before its change.
  const changed = to === undefined ? [] : orders.filter(({ status }) => status?.toLowerCase() !== to)
  const word = to && statusWord("order", to).word
  const action = to === undefined ? "Choose a status" : `Change ${ordersText(changed.length)} to ${word}`
  const statuses = changed.map(({ status }) => status)
  const note = to && noteOf(statuses, to)
  const already = orders.length - changed.length
  const skipped =
    already === 1
      ? `One is already ${word} and isn’t sent. `
      : `${already} are already ${word} and aren’t sent. `
  return (
    <ConfirmDialog
      title={`Change the status of ${ordersText(orders.length)}`}
      action={action}
      tone={to === "cancelled" ? "danger" : "plain"}
      ready={changed.length > 0}
      busy={send.isPending}
      error={needsSubmissionNote(send.error) ? null : send.error}
      what="No order was changed."
      onClose={() => onClose(false)}
      onConfirm={() => to && send.mutate(changeTo(to, changed), { onSuccess: setStarted })}
    >
      <p className="text-secondary">Now {statusesNow(orders)}.</p>
      <fieldset disabled={send.isPending}>
        <legend className="visually-hidden">Their new status</legend>
        <Group gap="sm">
          {orderStatuses.map((status) => (
            <Button
              key={status}
              aria-pressed={status === to}
              className={classes.choice}
              onClick={() => choose(status)}
            >
              <Status of="order" value={status} />
            </Button>
          ))}
        </Group>
      </fieldset>
      {to !== undefined && (
        <p className="text-secondary" aria-live="polite">
          {changed.length === 0
            ? `They’re all ${word} already, so there’s nothing to send.`
            : `${ordersText(changed.length)} ${changed.length === 1 ? "becomes" : "become"} ${word}. ${already > 0 ? skipped : ""}${cost(changed.length * 2)}, as one job that continues if you leave.`}
        </p>
      )}
      {to === "cancelled" && changed.length > 0 && (
        <Notice tone="warning" title="The service decides whether points are returned">
          Its document says nothing about it. Look at a member’s ledger afterwards.
        </Notice>
      )}
      {note !== undefined && (
        <Notice tone="info" title="About this change">
          {note}
        </Notice>
      )}
      {needsSubmissionNote(send.error) && <SubmissionNote error={send.error} button={action} />}
    </ConfirmDialog>
  )
}

function changeTo(status: OrderStatus, orders: readonly Order[]): CreateJobBody {
  return {
    kind: "order-update",
    rows: orders.map((order) => ({ order_id: order.order_id, status, expected: expectedOf(order) })),
    options: { title: `${ordersText(orders.length)} to ${statusWord("order", status).word}` },
  }
}

function statusesNow(orders: readonly Order[]): string {
  const byWord = Map.groupBy(orders, ({ status }) =>
    status ? statusWord("order", status).word : "without a status",
  )
  return [...byWord].map(([word, same]) => `${formatCount(same.length)} ${word}`).join(", ")
}

function StartedDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title={`Changing ${ordersText(job.total)}`}>
      <Stack gap={16}>
        <Notice
          tone="success"
          title={`${job.id} was started`}
          action={<JobLink id={job.id}>Watch it</JobLink>}
        >
          It continues if you leave. You’ll be notified when it finishes; anything someone else changed in the
          meantime waits for a decision and is never overwritten.
        </Notice>
        <Button variant="filled" ms="auto" data-autofocus onClick={onClose}>
          Done
        </Button>
      </Stack>
    </Dialog>
  )
}
