import { Group } from "@mantine/core"
import { useState } from "react"
import type { CreateJobBody, Job } from "../../../contract/job.ts"
import { type Order, orderStatuses } from "../../../contract/program/order.ts"
import { useSession } from "../../api/session.ts"
import { JobConfirmDialog } from "../../forms/job-confirm.tsx"
import { useSendJob } from "../../forms/job-submission.tsx"
import { followJob } from "../../forms/followed-jobs.ts"
import { jobAddress } from "../../ui/record-link.tsx"
import { formatCount, timeNeeded, timeSentence } from "../../lib/format.ts"
import { notify } from "../../ui/notify.tsx"
import { BusyFields } from "../../ui/field-parts.tsx"
import { Notice } from "../../ui/notice.tsx"
import { Status, statusText } from "../../ui/status.tsx"
import { expectedFields, ordersText } from "./order-row.tsx"
import { cancelNotes, useStatusChangeNote } from "./status-changes.ts"
import { Button } from "../../ui/button.tsx"

type OrderStatus = (typeof orderStatuses)[number]

/** Changes the status of the selected orders, after showing the effects and the cost. */
export function StatusDialog(props: { orders: readonly Order[]; onClose: (started: boolean) => void }) {
  const { orders, onClose } = props
  const [to, choose] = useState<OrderStatus>()
  const noteOf = useStatusChangeNote()
  const send = useSendJob(`${useSession().user.id}:orders-status`)

  // Only orders with a different status are sent: two requests each, since an order is read right before its change.
  const changed = to === undefined ? [] : orders.filter(({ status }) => status?.toLowerCase() !== to)
  const word = to && statusText("order", to).word
  const action = to === undefined ? "Choose a status" : `Change ${changeWords(changed, to)}`
  const statuses = changed.map(({ status }) => status)
  const note = to && noteOf(statuses, to)
  const already = orders.length - changed.length
  const skipped =
    already === 1
      ? `One is already ${word} and isn’t sent. `
      : `${already} are already ${word} and aren’t sent. `
  return (
    <JobConfirmDialog
      title={`Change the status of ${ordersText(orders.length)}`}
      action={action}
      tone={to === "cancelled" ? "danger" : "plain"}
      ready={changed.length > 0}
      send={send}
      what="No order was changed."
      onClose={() => onClose(false)}
      onConfirm={() => {
        if (to === undefined) return
        const onSuccess = (job: Job) => {
          tellStarted(job, changed, to)
          onClose(true)
        }
        send.mutate(changeTo(to, changed), { onSuccess })
      }}
    >
      <p className="text-secondary">Now {statusesNow(orders)}.</p>
      <BusyFields busy={send.isPending} label="Their new status">
        <Group gap="sm">
          {orderStatuses.map((status) => (
            <Button
              key={status}
              variant={status === to ? "light" : "default"}
              aria-pressed={status === to}
              onClick={() => choose(status)}
            >
              <Status of="order" value={status} />
            </Button>
          ))}
        </Group>
      </BusyFields>
      {to !== undefined && (
        <p className="text-secondary" aria-live="polite">
          {changed.length === 0
            ? `They’re all ${word} already, so there’s nothing to send.`
            : `${ordersText(changed.length)} ${changed.length === 1 ? "becomes" : "become"} ${word}. ${already > 0 ? skipped : ""}${timeSentence(timeNeeded(changed.length * 2, changed.length > 1 ? "jobs" : "people"))}You can leave meanwhile.`}
        </p>
      )}
      {to === "cancelled" && changed.length > 0 && (
        <Notice tone="warning" title="What cancelling doesn’t do">
          {cancelNotes(changed).join(" ")}
        </Notice>
      )}
      {note !== undefined && (
        <Notice tone="info" title="About this change">
          {note}
        </Notice>
      )}
    </JobConfirmDialog>
  )
}

/** Notifies that the job was started; its outcome replaces this notification. */
function tellStarted({ id }: Job, orders: readonly Order[], to: OrderStatus): void {
  const [page, doing] = [jobAddress(id), `Changing ${changeWords(orders, to)}`]
  notify({
    id,
    tone: "info",
    title: doing,
    text: "It continues if you leave, and nothing is overwritten that someone else changed meanwhile.",
    link: { to: page, label: "View" },
    seenAt: page,
  })
  const [only, ...more] = orders
  if (only === undefined || more.length > 0) return
  const link = { to: `/orders/${encodeURIComponent(only.order_id)}`, label: "View" }
  followJob(id, { doing, confirmed: () => ({ title: `${only.order_id} is ${to} now`, link }) })
}

function changeTo(status: OrderStatus, orders: readonly Order[]): CreateJobBody {
  return {
    kind: "order-update",
    rows: orders.map((order) => ({ order_id: order.order_id, status, expected: expectedFields(order) })),
    options: { title: changeWords(orders, status) },
  }
}

function changeWords({ length }: readonly Order[], to: OrderStatus): string {
  return `${ordersText(length)} to ${statusText("order", to).word}`
}

function statusesNow(orders: readonly Order[]): string {
  const byWord = Map.groupBy(orders, ({ status }) =>
    status ? statusText("order", status).word : "without a status",
  )
  return [...byWord].map(([word, same]) => `${formatCount(same.length)} ${word}`).join(", ")
}
