import { Stack } from "@mantine/core"
import { type Icon, IconEye, IconHelpCircle, IconPencil, IconPlus, IconX } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import type { AuditEntry } from "../../../contract/audit.ts"
import type { OrderAddress } from "../../../contract/orders.ts"
import type { Order } from "../../../contract/program/order.ts"
import { seesRowsWhole } from "../../../contract/redaction.ts"
import { auditQuery } from "../../api/audit.ts"
import { type OrderJobRow, orderRowsQuery } from "../../api/orders.ts"
import { useCan, useSession } from "../../api/session.ts"
import { JobLink } from "../../forms/job-link.tsx"
import { millis } from "../../lib/time.ts"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { statusWord } from "../../ui/status.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import classes from "./order-page.module.css"

const kinds = {
  service: { icon: IconPlus, tone: "grey" },
  change: { icon: IconPencil, tone: "grey" },
  refused: { icon: IconX, tone: "danger" },
  open: { icon: IconHelpCircle, tone: "warning" },
  reveal: { icon: IconEye, tone: "grey" },
} as const satisfies Record<string, { icon: Icon; tone: string }>

/** Something that happened to an order, as far as somebody saw it. */
interface OrderEvent {
  readonly key: string
  readonly at: string | null | undefined
  readonly kind: keyof typeof kinds
  /** A status it moved to, for its icon. */
  readonly status?: string | undefined
  readonly title: string
  /** Who did it, or who says so. */
  readonly by: string
  /** Other fields, why it was refused. */
  readonly note?: string | undefined
  readonly job?: string | undefined
}

/** The dates an order carries; who redeemed it here is known by its captured address. */
function datesOf({ created_at, shipped_at, fulfillment }: Order, address: OrderAddress | undefined) {
  const here = address !== undefined && address.why_none !== "not_redeemed_here"
  const dated = { kind: "service", by: "from the program service" } as const
  return [
    { ...dated, key: "created", at: created_at, title: here ? "Redeemed with Laurel" : "Ordered" },
    { ...dated, key: "shipped", at: shipped_at, status: "shipped", title: "Shipped" },
    { ...dated, key: "delivered", at: fulfillment?.delivered_at, status: "completed", title: "Delivered" },
  ]
}

function fromAudit({ id, at, actor, action, outcome, note, changes }: AuditEntry): OrderEvent[] {
  const changed = (field: string) => changes.find((each) => each.field === field)?.to ?? undefined
  const base = { key: id, at, by: actor.name, job: changed("job") }
  if (action === "order.reveal") {
    const title = outcome === "done" ? "Code revealed" : "Code not revealed"
    return [{ ...base, kind: "reveal", title, note: note ?? undefined }]
  }
  if (action !== "order.update") return []
  const text = changesText(changes.filter(({ field }) => field !== "job"))
  if (outcome === "done") {
    return [{ ...base, kind: "change", status: changed("status"), title: text || "Changed" }]
  }
  const event = { ...base, note: [text, note].filter(Boolean).join(". ") }
  return outcome === "unknown"
    ? [{ ...event, kind: "open", title: "Waiting for a decision" }]
    : [{ ...event, kind: "refused", title: "Not changed" }]
}

function fromRow({ job, row }: OrderJobRow): OrderEvent[] {
  const at = row.ended_at ?? row.sent_at ?? row.decision?.at
  if (at == null) return []
  const expected: Readonly<Record<string, unknown>> = { ...Object(row.input["expected"]) }
  const text = changesText(
    ["status", "tracking_number", "carrier"].flatMap((field) => {
      const [from, to] = [expected[field], row.input[field]]
      return typeof to === "string" ? [{ field, from: typeof from === "string" ? from : null, to }] : []
    }),
  )
  const base = { key: `${job.id} ${row.row}`, at, by: job.created_by.name, job: job.id }
  if (row.state === "confirmed") {
    const { status } = row.input
    return [
      {
        ...base,
        kind: "change",
        status: typeof status === "string" ? status : undefined,
        title: text || "Changed",
      },
    ]
  }
  const event = { ...base, note: [text, row.outcome?.message].filter(Boolean).join(". ") }
  return row.state === "failed"
    ? [{ ...event, kind: "refused", title: "Not changed" }]
    : [{ ...event, kind: "open", title: "Not resolved yet" }]
}

const word = (status: string | null) => statusWord("order", status ?? "").word

/** "Pending to Shipped, tracking number 0091, carrier StarTrack". */
function changesText(changes: AuditEntry["changes"]): string {
  const parts = changes.flatMap(({ field, from, to }) => {
    if (from === to) return []
    if (field === "status") return [from ? `${word(from)} to ${word(to)}` : `Status ${word(to)}`]
    return [`${field.replace("_", " ")} ${to || "removed"}`]
  })
  const text = parts.join(", ")
  return text.charAt(0).toUpperCase() + text.slice(1)
}

interface OrderHistoryProps {
  order: Order
  address: OrderAddress | undefined
}

/**
 * What is known to have happened to an order, newest first: the dates it carries, our own changes, reveals. The service
 * keeps no history, so what others changed there is not among it; moves of its status are shown, never predicted.
 */
export function OrderHistory({ order, address }: OrderHistoryProps) {
  const { user, permissions } = useSession()
  const mayAudit = useCan("audit.read")
  // A search of rows that finds tells as much as the rows, so it is for those who see them whole.
  const maySearch = seesRowsWhole("order-update", user.role)
  const audit = useQuery({ ...auditQuery({ kind: "order", id: order.order_id }, 1), enabled: mayAudit })
  const rows = useQuery({ ...orderRowsQuery(order.order_id), enabled: maySearch })
  const events = [
    ...datesOf(order, address),
    ...(audit.data?.entries.flatMap(fromAudit) ?? []),
    ...(rows.data?.rows.flatMap(fromRow) ?? []),
  ]
    .map((event) => ({ ...event, at: event.at ? millis(event.at) : Number.NaN }))
    .filter(({ at }) => !Number.isNaN(at))
    .toSorted((one, other) => other.at - one.at)
  const jobs = rows.data?.jobs ?? 0
  const error = audit.error ?? rows.error
  const sources = [
    "the order’s own dates",
    mayAudit && (permissions["audit.read"] === "own" ? "your part of the audit log" : "the audit log"),
    jobs === 1 && "the newest job of several orders",
    jobs > 1 && `the newest ${jobs} jobs of several orders`,
  ].filter((source) => source !== false)
  return (
    <Stack component="section" gap="sm" maw={760} aria-labelledby="order-history">
      <h2 id="order-history">History</h2>
      {error !== null && (
        <ErrorNotice
          error={error}
          what="Couldn’t load all of Laurel’s changes."
          onRetry={() => {
            for (const query of [audit, rows]) if (query.error !== null) void query.refetch()
          }}
        />
      )}
      {events.length === 0 ? (
        <p className="text-muted">The order carries no dates, and nothing was changed here.</p>
      ) : (
        <ol className="ruled">
          {events.map((event) => (
            <Event key={event.key} event={event} />
          ))}
        </ol>
      )}
      <p className="caption">
        From {new Intl.ListFormat("en-AU").format(sources)}. The service keeps no history, so changes made
        elsewhere don’t show.
      </p>
    </Stack>
  )
}

function Event({ event }: { event: Omit<OrderEvent, "at"> & { readonly at: number } }) {
  const { at, by, job, kind, note, status, title } = event
  const moved = status !== undefined && kind !== "refused" && kind !== "open"
  const { icon: Mark, tone } = moved ? statusWord("order", status) : kinds[kind]
  return (
    <li className={classes.event}>
      <Mark size={16} stroke={1.75} aria-hidden className="tone-mark" data-tone={tone} />
      <div className="wrap-anywhere">
        <div className="l-medium">{title}</div>
        <div className="text-secondary">
          {by}
          {job !== undefined && (
            <>
              {", "}
              <JobLink id={job} />
            </>
          )}
        </div>
        {note && <div className="text-muted">{note}</div>}
      </div>
      <span className={classes.time}>
        <RelativeTime at={at} calendar />
      </span>
    </li>
  )
}
