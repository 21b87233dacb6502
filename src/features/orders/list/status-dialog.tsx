import { Button } from "@mantine/core"
import { useState } from "react"
import type { Job } from "../../../../contract/job.ts"
import { orderStatuses } from "../../../../contract/program/order.ts"
import { useSession } from "../../../api/session.ts"
import { needsSubmissionNote, SubmissionNote } from "../../../forms/submission-note.tsx"
import { useSendJob } from "../../../forms/use-send-job.ts"
import { cost } from "../../../lib/format.ts"
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { Status, statusWord } from "../../../ui/status.tsx"
import { moveNote } from "../show/move-note.ts"
import type { OrderRow } from "../show/order-row.ts"
import { useMoves } from "../show/use-moves.ts"
import { ordersText, statusChange, statusesNow, statusJob, type OrderStatus } from "./status-change.ts"
import classes from "./status-dialog.module.css"
import { StartedDialog } from "./started-dialog.tsx"

interface StatusDialogProps {
  rows: readonly OrderRow[]
  /** Whether a job was started. */
  onClose: (started: boolean) => void
}

/** Gives the selected orders another status: says what that changes and costs before it does. */
export function StatusDialog({ rows, onClose }: StatusDialogProps) {
  const [to, choose] = useState<OrderStatus>()
  const [started, setStarted] = useState<Job>()
  const moves = useMoves()
  const { id } = useSession().user
  const send = useSendJob(`${id}:orders-status`)
  const orders = rows.map(({ order }) => order)
  if (started !== undefined) return <StartedDialog job={started} onClose={() => onClose(true)} />

  const change = to === undefined ? undefined : statusChange(orders, to)
  const count = change?.sent.length ?? 0
  const word = to === undefined ? "" : statusWord("order", to).word
  const action = to === undefined ? "Choose a status" : `Change ${ordersText(count)} to ${word}`
  const note =
    change === undefined || to === undefined
      ? undefined
      : moveNote(
          change.sent.map(({ status }) => status),
          to,
          moves,
        )
  return (
    <ConfirmDialog
      title={`Change the status of ${ordersText(orders.length)}`}
      action={action}
      tone={to === "cancelled" ? "danger" : "plain"}
      ready={count > 0}
      busy={send.isPending}
      error={needsSubmissionNote(send.error) ? null : send.error}
      what="No order was changed."
      onClose={() => onClose(false)}
      onConfirm={() => {
        if (change !== undefined && to !== undefined)
          send.mutate(statusJob(change, to), { onSuccess: setStarted })
      }}
    >
      <p className="text-secondary">Now {statusesNow(orders)}.</p>
      <fieldset className={classes.choices} disabled={send.isPending}>
        <legend className="visually-hidden">Their new status</legend>
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
      </fieldset>
      {change !== undefined && (
        <p className="text-secondary" aria-live="polite">
          {count === 0
            ? `They’re all ${word} already, so there’s nothing to send.`
            : `${ordersText(count)} ${count === 1 ? "becomes" : "become"} ${word}. ${alreadyText(change.already, word)}${cost(change.requests)}, as one job that continues if you leave.`}
        </p>
      )}
      {to === "cancelled" && count > 0 && (
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

function alreadyText(already: number, word: string): string {
  if (already === 0) return ""
  return already === 1
    ? `One is already ${word} and isn’t sent.  `
    : `${already} are already ${word} and aren’t sent. `
}
