import { Group, Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import type { AuditEntry } from "../../../contract/audit.ts"
import { seesFullRows } from "../../../contract/job-rows.ts"
import { storedOrderUpdate } from "../../../contract/kinds/order-update.ts"
import type { RowState } from "../../../contract/job.ts"
import type { OrderAddress } from "../../../contract/orders.ts"
import type { Order } from "../../../contract/program/order.ts"
import { auditQuery } from "../../api/audit.ts"
import { type OrderJobRow, orderRowsQuery } from "../../api/jobs.ts"
import { useCan, useSession } from "../../api/session.ts"
import { JobLink } from "../../ui/record-link.tsx"
import { capital, listed } from "../../lib/format.ts"
import { millis } from "../../lib/time.ts"
import { ErrorNotice } from "../../ui/notice.tsx"
import { type StatusIcon, StatusMark, type StatusText, statusText } from "../../ui/status.tsx"
import { RelativeTime } from "../../ui/values.tsx"

/** Known events of an order; the service has no history, so changes made elsewhere are missing. */
export function OrderHistory({ order, address }: { order: Order; address: OrderAddress | undefined }) {
  const { user } = useSession()
  const mayAudit = useCan("audit.read")
  // Search results reveal row contents, so they need the right to see rows in full.
  const maySearch = seesFullRows("order-update", user.role)
  const audit = useQuery({ ...auditQuery({ kind: "order", id: order.order_id }, 1), enabled: mayAudit })
  const rows = useQuery({ ...orderRowsQuery(order.order_id), enabled: maySearch })
  const error = audit.error ?? rows.error
  const events = [
    ...orderDates(order, address),
    ...(audit.data?.rows.flatMap(fromAudit) ?? []),
    ...(rows.data?.rows.flatMap(fromRow) ?? []),
  ]
    .map((event: HistoryEvent) => ({ ...event, at: event.at ? millis(event.at) : Number.NaN }))
    .filter(({ at }) => !Number.isNaN(at))
    .toSorted((one, other) => other.at - one.at)
  return (
    <Stack component="section" gap="sm" maw={760} aria-label="History">
      <h2>History</h2>
      <ErrorNotice
        error={error}
        what="Couldn’t load all of Laurel’s changes."
        onRetry={() => {
          for (const query of [audit, rows]) if (query.error !== null) void query.refetch()
        }}
      />
      {events.length === 0 && (
        <p className="text-muted">The order carries no dates, and nothing was changed here.</p>
      )}
      <ol className="ruled">
        {events.map(({ key, at, icon, tone, title, by, note }) => (
          <Group key={key} component="li" wrap="nowrap" align="start" gap={12} py={10}>
            <StatusMark icon={icon} tone={tone} />
            <div className="grow wrap-anywhere">
              <div className="l-medium">{title}</div>
              <div className="text-secondary">{by}</div>
              <div className="text-muted">{note}</div>
            </div>
            <RelativeTime at={at} calendar className="text-muted nowrap" />
          </Group>
        ))}
      </ol>
      <p className="caption">Changes made outside Laurel don’t show here.</p>
    </Stack>
  )
}

interface HistoryEvent extends Pick<StatusText, "icon" | "tone"> {
  readonly key: string
  readonly at: string | null | undefined
  readonly title: string
  readonly by: ReactNode
  readonly note?: string | null | undefined
}

function iconOf(status: string | undefined, otherwise: StatusIcon): Pick<StatusText, "icon" | "tone"> {
  if (status === undefined) return { icon: otherwise, tone: "grey" }
  const { icon, tone } = statusText("order", status)
  return { icon, tone }
}

/** The dates of an order; a captured address names the user who redeemed it. */
function orderDates({ created_at, shipped_at, fulfillment }: Order, address: OrderAddress | undefined) {
  const here = address !== undefined && address.why_none !== "not_redeemed_here"
  const by = "from the program service"
  const created = here ? "Redeemed with Laurel" : "Ordered"
  const delivered = fulfillment?.delivered_at
  // The last one first, also where all are of one moment, as with a code.
  return [
    { ...iconOf("completed", "plus"), by, key: "delivered", at: delivered, title: "Delivered" },
    { ...iconOf("shipped", "plus"), by, key: "shipped", at: shipped_at, title: "Shipped" },
    { ...iconOf(undefined, "plus"), by, key: "created", at: created_at, title: created },
  ]
}

function fromAudit({ id, at, actor, action, outcome, note, changes }: AuditEntry): HistoryEvent[] {
  const changed = (field: string) => changes.find((each) => each.field === field)?.to ?? undefined
  const event = { key: id, at, by: whoAndWhere(actor.name, changed("job")), note }
  if (action === "order.reveal") {
    const title = outcome === "done" ? "Code revealed" : "Code not revealed"
    return [{ ...event, ...iconOf(undefined, "eye"), title }]
  }
  if (action !== "order.update" && action !== "order.return") return []
  return [{ ...event, ...attemptedChange(changes, outcome, note, "Waiting for a decision") }]
}

function fromRow({ job, row }: OrderJobRow): HistoryEvent[] {
  const at = row.ended_at ?? row.sent_at ?? row.decision?.at
  const sent = storedOrderUpdate.safeParse(row.input).data
  if (at == null || sent === undefined) return []
  const changes = (["status", "tracking_number", "carrier"] as const).flatMap((field) => {
    const to = sent[field]
    return to === undefined ? [] : [{ field, from: sent.expected?.[field] ?? null, to }]
  })
  const outcome = outcomes[row.state] ?? "unknown"
  const change = attemptedChange(changes, outcome, row.outcome?.message, "Not resolved yet")
  const { also = [] } = sent
  const note =
    also.length === 0 ? change.note : [change.note, `Also ${listed(also)}`].filter(Boolean).join(". ")
  return [{ key: `${job.id} ${row.row}`, at, by: whoAndWhere(job.created_by.name, job.id), ...change, note }]
}

const outcomes: Partial<Record<RowState, AuditEntry["outcome"]>> = { confirmed: "done", failed: "refused" }

const whoAndWhere = (who: string, job: string | undefined) =>
  job === undefined ? (
    who
  ) : (
    <>
      {who}, <JobLink id={job} />
    </>
  )

/** An attempted change; its values are shown with the reason why it was not made. */
function attemptedChange(
  changes: AuditEntry["changes"],
  outcome: AuditEntry["outcome"],
  reason: string | null | undefined,
  open: string,
): Pick<HistoryEvent, "icon" | "tone" | "title" | "note"> {
  const text = changesText(changes)
  const status = changes.find(({ field }) => field === "status")?.to ?? undefined
  if (outcome === "done") return { ...iconOf(status, "pencil"), title: text || "Changed", note: undefined }
  const note = [text, reason].filter(Boolean).join(". ")
  return outcome === "unknown"
    ? { icon: "help-circle", tone: "warning", title: open, note }
    : { icon: "x", tone: "danger", title: "Not changed", note }
}

const word = (status: string | null) => statusText("order", status ?? "").word

/** "Pending to Shipped, tracking number 0091, carrier StarTrack". */
function changesText(changes: AuditEntry["changes"]): string {
  const parts = changes
    .filter(({ field, from, to }) => field !== "job" && from !== to)
    .map(({ field, from, to }) => {
      if (field !== "status") return `${field.replace("_", " ")} ${to || "removed"}`
      return from ? `${word(from)} to ${word(to)}` : `Status ${word(to)}`
    })
  return capital(parts.join(", "))
}
