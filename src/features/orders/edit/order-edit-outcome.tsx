import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { orderUpdateRow, type OrderUpdateRow } from "../../../../contract/job-rows.ts"
import { rereadOrders } from "../../../api/orders.ts"
import { JobLink } from "../../../forms/job-link.tsx"
import {
  OutcomeFacts,
  type OutcomeFact,
  StatusNotice,
  useOneRow,
  type OneRow,
  OutcomeFooter,
} from "../../../forms/job-outcome.tsx"
import { markChanged } from "../../../lib/external-value.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Outcome, SideDrawer } from "../../../ui/side-drawer.tsx"
import { SkeletonRows } from "../../../ui/query-state.tsx"
import { Status } from "../../../ui/status.tsx"
import { editWords, fromNumber, type EditValues } from "./edit-model.ts"
import { OrderConflictView } from "./order-conflict-view.tsx"

interface OrderEditOutcomeProps {
  title: string
  orderId: string
  jobId: string
  /** Back to the form as it was sent. */
  onCorrect: (values: EditValues) => void
  onClose: () => void
}

/** How a change of an order stands, in the drawer it was sent from. */
export function OrderEditOutcome({ title, orderId, jobId, onCorrect, onClose }: OrderEditOutcomeProps) {
  const { one, error, refetch } = useOneRow(jobId)
  const sent = one === undefined ? undefined : orderUpdateRow.safeParse(one.row.input).data
  useReread(one?.status === "confirmed" ? sent?.order_id : undefined)
  if (one === undefined || sent?.order_id !== orderId) {
    return (
      <SideDrawer title={title} onClose={onClose}>
        {one !== undefined ? (
          <ErrorNotice
            error={new Error("This is a different job.")}
            what="This link is for a job that isn’t a change of this order."
          />
        ) : error === null ? (
          <SkeletonRows rows={4} columns={[120, 240]} />
        ) : (
          <ErrorNotice error={error} what="Couldn’t load the outcome." onRetry={refetch} />
        )}
      </SideDrawer>
    )
  }
  return (
    <SideDrawer
      title={title}
      onClose={onClose}
      foot={
        <OutcomeFooter
          status={one.status}
          view={{ onCorrect: () => onCorrect(valuesOfRow(sent)) }}
          onClose={onClose}
        />
      }
    >
      <State one={one} sent={sent} />
      <OutcomeFacts
        facts={[
          ...(one.status === "conflict" ? [] : sentFacts(sent)),
          {
            label: "Known from",
            value: one.row.known_by === "look" ? "the order itself (there was no usable response)" : null,
          },
          { label: "Job", value: <JobLink id={jobId}>{jobId}, 1 row</JobLink> },
        ]}
      />
    </SideDrawer>
  )
}

function State({ one, sent }: { one: OneRow; sent: OrderUpdateRow }) {
  const { row, status } = one
  const { order_id, expected: _, ...change } = sent
  if (status === "confirmed") {
    return (
      <div>
        <Outcome word="Confirmed">{editedText(sent)}</Outcome>
        {row.attempts === 0 && row.decision === undefined && (
          <p className="text-secondary">It was so already, so nothing was sent.</p>
        )}
        {row.decision?.decision === "happened" && (
          <p className="text-secondary">{row.decision.by.name} said that it happened.</p>
        )}
      </div>
    )
  }
  if (status === "conflict" && row.conflict !== undefined)
    return <OrderConflictView one={one} conflict={row.conflict} />
  return <StatusNotice kind="order-update" one={one} doing={editWords(order_id, change).running} />
}

/** What was asked for; in a conflict it stands beside what is there. */
function sentFacts(sent: OrderUpdateRow): OutcomeFact[] {
  return [
    {
      label: "Status",
      value: sent.status === undefined ? null : <Status of="order" value={sent.status} />,
    },
    { label: "Tracking number", value: fieldValue(sent.tracking_number, true) },
    { label: "Carrier", value: fieldValue(sent.carrier, false) },
  ]
}

/** "ord_1 is changed as you asked". */
function editedText({ order_id, status }: OrderUpdateRow): string {
  return status === undefined ? `${order_id} was changed` : `${order_id} is ${status} now`
}

function fieldValue(value: string | undefined, mono: boolean) {
  if (value === undefined) return null
  if (value === "") return "removed"
  return mono ? <span className="l-mono">{value}</span> : value
}

/** What was sent, as fields: those that were left alone are as they were seen. */
function valuesOfRow({ status, tracking_number, carrier, expected }: OrderUpdateRow): EditValues {
  return {
    status: status ?? expected?.status ?? "",
    tracking_number: tracking_number ?? expected?.tracking_number ?? "",
    carrier: carrier ?? expected?.carrier ?? fromNumber,
  }
}

/** As soon as it is confirmed, whatever the page shows of orders is read again. */
function useReread(orderId: string | undefined): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (orderId === undefined) return
    markChanged(orderId)
    void rereadOrders(queryClient)
  }, [queryClient, orderId])
}
