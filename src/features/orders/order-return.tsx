import { Checkbox, Group, Stack } from "@mantine/core"
import { IconArrowBackUp } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import type { OrderReturnView, ReturnEntry } from "../../../contract/kinds/order-return.ts"
import type { Order } from "../../../contract/program/order.ts"
import { orderReturnQuery, useReturnPoints } from "../../api/orders.ts"
import { useCan, useSession } from "../../api/session.ts"
import { followJob } from "../../forms/followed-jobs.ts"
import { JobConfirmDialog } from "../../forms/job-confirm.tsx"
import { needsSubmissionNote, SubmissionNote, useSendJob } from "../../forms/job-submission.tsx"
import { counted, formatPoints, formatSigned } from "../../lib/format.ts"
import { newKey } from "../../lib/new-key.ts"
import { exact } from "../../lib/time.ts"
import { RequirePermission } from "../../lists/require-permission.tsx"
import { Button, buttonIcon } from "../../ui/button.tsx"
import { ErrorNotice, Notice } from "../../ui/notice.tsx"
import { JobLink, RowLink } from "../../ui/record-link.tsx"
import { expectedFields, isCancelled } from "./order-row.tsx"
import { cancelNotes } from "./status-changes.ts"

/** Opens the question whether to cancel an order and return its points; not for a cancelled order. */
export function CancelReturnButton({ order }: { order: Order }) {
  const [asks, setAsks] = useState(false)
  if (isCancelled(order.status)) return null
  return (
    <>
      <RequirePermission permission="points.write">
        <Button leftSection={<IconArrowBackUp {...buttonIcon} />} onClick={() => setAsks(true)}>
          Cancel and return points…
        </Button>
      </RequirePermission>
      {asks && <CancelReturnDialog order={order} onClose={() => setAsks(false)} />}
    </>
  )
}

/** An order that was cancelled here without its points: offers to look for them. */
function CancelledHere({ order }: { order: Order }) {
  const [asks, setAsks] = useState(false)
  return (
    <Notice
      tone="info"
      title="Cancelled here, without checking its points"
      action={
        <RequirePermission permission="points.write">
          <Button size="xs" onClick={() => setAsks(true)}>
            Check points…
          </Button>
        </RequirePermission>
      }
    >
      The service may have returned them since.
      {asks && <CancelReturnDialog order={order} onClose={() => setAsks(false)} />}
    </Notice>
  )
}

function CancelReturnDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const { order_id: id, points_spent: points } = order
  const wasCancelled = isCancelled(order.status)
  const action = wasCancelled ? "Check points" : "Cancel and return points"
  const client = useQueryClient()
  const send = useSendJob(`${useSession().user.id}:return:${id}`)
  const confirm = () =>
    send.mutate(
      {
        kind: "order-return",
        rows: [{ order_id: id, status: "cancelled", expected: expectedFields(order) }],
        options: {
          title: wasCancelled ? `Check the points of ${id}` : `Cancel ${id} and return its points`,
        },
      },
      {
        onSuccess: ({ id: job }) => {
          void client.invalidateQueries({ queryKey: orderReturnQuery(id).queryKey })
          const link = { to: `/orders/${encodeURIComponent(id)}`, label: "View" }
          const text = "Laurel is checking whether the service returns its points."
          followJob(job, {
            doing: wasCancelled ? `Checking the points of ${id}` : `Cancelling ${id}`,
            confirmed: () => ({ title: `${id} is cancelled`, text, link }),
          })
          onClose()
        },
      },
    )
  return (
    <JobConfirmDialog
      title={wasCancelled ? `Check the points of ${id}?` : `Cancel ${id}?`}
      action={action}
      {...(!wasCancelled && { keep: "Keep the order" })}
      tone={wasCancelled ? "plain" : "danger"}
      send={send}
      what={wasCancelled ? "No points were moved." : "The order wasn’t cancelled."}
      onClose={onClose}
      onConfirm={confirm}
    >
      {wasCancelled ? (
        <p>
          Laurel checks whether the service has returned {points ? counted(points, "point") : "its points"}{" "}
          since the order was cancelled. If any are missing, you can return them here. Points that someone
          awarded by hand since then aren’t counted: look at the member’s ledger first.
        </p>
      ) : (
        <p>
          Laurel cancels the order and checks whether the service returns{" "}
          {points ? counted(points, "point") : "its points"} by itself. If any are missing, you can return
          them here. You can leave meanwhile.
        </p>
      )}
      {!wasCancelled &&
        cancelNotes([order])
          .slice(1)
          .map((note) => <p key={note}>{note}</p>)}
    </JobConfirmDialog>
  )
}

type Return = NonNullable<OrderReturnView>

/** How far the return of an order's points is, with the next step; nothing where there is none. */
export function OrderReturn({ order }: { order: Order }) {
  const { order_id: orderId } = order
  const query = useQuery({ ...orderReturnQuery(orderId), enabled: useCan("ledger.read") })
  const found = query.data
  if (!found)
    return (
      <ErrorNotice
        error={query.error}
        what="Couldn’t load the return of its points."
        onRetry={query.refetch}
      />
    )
  const points = found.spent === null ? "its points" : counted(found.spent, "point")
  const job = <JobLink id={found.job}>Details</JobLink>
  const award = found.award && <RowLink of={found.award}>Details</RowLink>
  const awarded = counted(found.award?.points ?? 0, "point")
  switch (found.step) {
    case "cancelled":
      return isCancelled(order.status) && <CancelledHere order={order} />
    case "cancelling":
      return (
        <Notice tone="info" title="Cancelling the order…" action={job}>
          {found.message}
        </Notice>
      )
    case "checking":
      return (
        <Notice tone="info" title={`Cancelled. Checking whether ${points} came back…`} action={job}>
          The service may return them by itself. This can take half an hour, and you can leave.
        </Notice>
      )
    case "decide":
    case "twice":
      return (
        <Decide
          key={[found.step, ...found.entries.map((entry) => entry.transaction_id)].join()}
          orderId={orderId}
          found={found}
        />
      )
    case "returned":
      return (
        <Notice tone="success" title={`Cancelled, and ${points} came back`} action={job}>
          <Entries entries={found.entries.filter((entry) => found.chosen.includes(entry.transaction_id))} />
        </Notice>
      )
    case "awarding":
      return <Notice tone="info" title={`Returning ${awarded}…`} action={award} />
    case "awarded":
      return <Notice tone="success" title={`${awarded} returned`} action={award} />
    case "reversing":
      return <Notice tone="info" title={`Reversing ${awarded}…`} action={award} />
    case "reversed":
      return (
        <Notice tone="success" title={`Returned once: ${awarded} reversed`} action={award}>
          The service returned points after Laurel’s award, so as many were deducted.
        </Notice>
      )
    case "not-reversed":
      return (
        <Notice tone="warning" title={`Returned twice: ${awarded} not reversed`} action={award}>
          {found.message}
        </Notice>
      )
    default:
      return (
        <Notice tone="warning" title="The points weren’t returned" action={award ?? job}>
          {found.message}
        </Notice>
      )
  }
}

/** A person tells which entries are the service's return; the missing points are awarded, or our award is reversed. */
function Decide({ orderId, found }: { orderId: string; found: Return }) {
  const { award, entries, job, message, spent } = found
  const [chosen, setChosen] = useState<readonly string[]>(found.chosen)
  const [isNone, setNone] = useState(false)
  const [key, setKey] = useState(newKey)
  const settle = useReturnPoints(orderId)
  const sum = entries.reduce(
    (total, { transaction_id: id, points }) => total + (chosen.includes(id) ? points : 0),
    0,
  )
  const missing = (spent ?? 0) - sum
  const points = award ? Math.min(sum, award.points) : missing
  const button = award ? reverseText(points) : returnText(points)
  // Where nothing is proposed, a person has to say so before all points are returned.
  const isOpen = !award && entries.length > 0 && chosen.length === 0 && !isNone
  const choose = (ids: readonly string[]) => {
    setChosen(ids)
    setNone(false)
    setKey(newKey())
  }
  return (
    <Notice
      tone="warning"
      title={award ? "Returned twice?" : missingText(missing, spent ?? 0)}
      action={
        award ? (
          <RowLink of={award}>Award of {counted(award.points, "point")}</RowLink>
        ) : (
          <JobLink id={job}>Details</JobLink>
        )
      }
    >
      <Stack gap={12}>
        <p>{award ? twiceText : message}</p>
        {entries.length > 0 && (
          <Checkbox.Group
            label="Which of these returned the order’s points?"
            value={[...chosen]}
            onChange={choose}
            readOnly={settle.isPending}
          >
            <Stack gap={6} mt={6}>
              {entries.map((entry) => (
                <Checkbox key={entry.transaction_id} value={entry.transaction_id} label={entryText(entry)} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        {!award && entries.length > 0 && chosen.length === 0 && (
          <Checkbox label="None of these" checked={isNone} onChange={() => setNone(!isNone)} />
        )}
        {/* The button may be pressed again: its key is taken once. */}
        {needsSubmissionNote(settle.error) ? (
          <SubmissionNote error={settle.error} button={button} />
        ) : (
          <ErrorNotice error={settle.error} what="No points were moved." />
        )}
        <Group>
          <RequirePermission permission="points.write">
            <Button
              variant="filled"
              loading={settle.isPending}
              disabled={points < 0 || isOpen}
              onClick={() => settle.mutate({ key, entries: [...chosen], points })}
            >
              {button}
            </Button>
          </RequirePermission>
        </Group>
      </Stack>
    </Notice>
  )
}

/** The row's own message leads to this page. */
const twiceText =
  "Points came in after Laurel’s award and may be the service’s own return. If they are, reverse the award."

function missingText(missing: number, spent: number): string {
  if (missing <= 0) return "Nothing is missing"
  return `${formatPoints(missing)} of ${counted(spent, "point")} missing`
}

function returnText(missing: number): string {
  if (missing < 0) return "These are too many points"
  return missing === 0 ? "All points were returned" : `Return ${counted(missing, "point")}`
}

function reverseText(points: number): string {
  return points === 0 ? "None of these: keep the award" : `Reverse ${counted(points, "point")}`
}

function Entries({ entries }: { entries: readonly ReturnEntry[] }): ReactNode {
  return entries.map((entry) => <div key={entry.transaction_id}>{entryText(entry)}</div>)
}

function entryText({ points, type, reason, created_at: at }: ReturnEntry): string {
  return [formatSigned(points), reason ?? type, at && exact(at)].filter(Boolean).join(", ")
}
