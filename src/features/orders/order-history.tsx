import { type Icon, IconEye, IconHelpCircle, IconPencil, IconPlus, IconX } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import type { AuditEntry } from "../../../contract/audit.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import type { OrderAddress } from "../../../contract/orders.ts"
import type { Order } from "../../../contract/program/order.ts"
import { seesRowsWhole } from "../../../contract/redaction.ts"
import { auditQuery } from "../../api/audit.ts"
import { type OrderJobRow, orderRowsQuery } from "../../api/orders.ts"
import { useCan, useSession } from "../../api/session.ts"
import { JobLink } from "../../forms/job-link.tsx"
import { millis } from "../../lib/time.ts"
import { RelativeTime } from "../../ui/values.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { statusWord } from "../../ui/status.tsx"
import classes from "./order-page.module.css"

/** Something that happened to an order, as far as somebody saw it. */
interface OrderEvent {
  readonly key: string
  /** ms since the epoch. */
  readonly at: number
  /** A status it moved to, for its icon; undefined for anything else. */
  readonly status?: string | undefined
  readonly kind: "service" | "change" | "refused" | "open" | "reveal"
  readonly title: string
  /** Who did it, or who says so. */
  readonly by: string
  /** What else is known: other fields, why it was refused. */
  readonly note?: string | undefined
  /** Job it stands in. */
  readonly job?: string | undefined
}

interface Sources {
  readonly order: Order
  readonly address: OrderAddress | undefined
  readonly audit: readonly AuditEntry[]
  readonly rows: readonly OrderJobRow[]
}

/**
 * What is known to have happened to an order, newest first: the dates it carries, our own changes, reveals. The service
 * keeps no history, so what others changed there is not among it.
 */
function historyOf({ order, address, audit, rows }: Sources): readonly OrderEvent[] {
  return [...datesOf(order, address), ...audit.flatMap(fromAudit), ...rows.flatMap(fromRow)]
    .filter(({ at }) => !Number.isNaN(at))
    .toSorted((one, other) => other.at - one.at)
}

function datesOf(order: Order, address: OrderAddress | undefined): OrderEvent[] {
  const here = address !== undefined && address.why_none !== "not_redeemed_here"
  const service = "the service"
  return [
    {
      key: "created",
      at: timeOf(order.created_at),
      kind: "service",
      title: here ? "Redeemed with Laurel" : "Ordered",
      by: service,
    },
    {
      key: "shipped",
      at: timeOf(order.shipped_at),
      kind: "service",
      status: "shipped",
      title: "Shipped",
      by: service,
    },
    {
      key: "delivered",
      at: timeOf(order.fulfillment?.delivered_at),
      kind: "service",
      status: "completed",
      title: "Delivered",
      by: service,
    },
  ]
}

function timeOf(text: string | null | undefined): number {
  return text ? millis(text) : Number.NaN
}

function fromAudit(entry: AuditEntry): OrderEvent[] {
  const { id, at, actor, action, outcome, note, changes } = entry
  const base = {
    key: id,
    at: millis(at),
    by: actor.name,
    job: changes.find(({ field }) => field === "job")?.to ?? undefined,
  }
  if (action === "order.reveal") {
    const title = outcome === "done" ? "Code revealed" : "Code not revealed"
    return [{ ...base, kind: "reveal", title, note: note ?? undefined }]
  }
  if (action !== "order.update") return []
  const status = changes.find(({ field }) => field === "status")?.to ?? undefined
  const said = changesText(changes.filter(({ field }) => field !== "job"))
  if (outcome === "done") return [{ ...base, kind: "change", status, title: said || "Changed" }]
  const title = outcome === "unknown" ? "Waiting for a decision" : "Not changed"
  return [
    {
      ...base,
      kind: outcome === "unknown" ? "open" : "refused",
      title,
      note: [said, note].filter(Boolean).join(". "),
    },
  ]
}

function fromRow({ job, row }: OrderJobRow): OrderEvent[] {
  const at = row.ended_at ?? row.sent_at ?? row.decision?.at
  if (at == null) return []
  const status = textOf(row, "status")
  const before = beforeOf(row)
  const said = changesText(
    ["status", "tracking_number", "carrier"].flatMap((field) => {
      const to = row.input[field]
      return typeof to === "string" ? [{ field, from: before[field] ?? null, to }] : []
    }),
  )
  const base = { key: `${job.id} ${row.row}`, at: millis(at), by: job.created_by.name, job: job.id }
  if (row.state === "confirmed") return [{ ...base, kind: "change", status, title: said || "Changed" }]
  if (row.state === "failed")
    return [{ ...base, kind: "refused", title: "Not changed", note: noteOf(said, row) }]
  return [{ ...base, kind: "open", title: "Not resolved yet", note: noteOf(said, row) }]
}

function noteOf(said: string, { outcome }: JobRow): string {
  return [said, outcome?.message].filter(Boolean).join(". ")
}

function textOf(row: JobRow, field: string): string | undefined {
  const value = row.input[field]
  return typeof value === "string" ? value : undefined
}

function beforeOf({ input }: JobRow): Readonly<Record<string, string | null>> {
  const expected: unknown = input["expected"]
  if (typeof expected !== "object" || expected === null) return {}
  return Object.fromEntries(
    Object.entries(expected).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  )
}

interface Change {
  readonly field: string
  readonly from: string | null
  readonly to: string | null
}

/** "Pending to Shipped, tracking number 0091, carrier StarTrack". */
function changesText(changes: readonly Change[]): string {
  return changes
    .flatMap(({ field, from, to }) => {
      if (from === to) return []
      if (field === "status") {
        const word = statusWord("order", to ?? "").word
        return [from ? `${statusWord("order", from).word} to ${word}` : `Status ${word}`]
      }
      const name = field === "tracking_number" ? "tracking number" : field
      return [to ? `${name} ${to}` : `${name} removed`]
    })
    .map((part, at) => (at === 0 ? part.charAt(0).toUpperCase() + part.slice(1) : part))
    .join(", ")
}

const nothing: readonly never[] = []

/** What is known to have happened to an order, and where was looked. Each source fails for itself. */
function useHistory(order: Order, address: OrderAddress | undefined) {
  const { user, permissions } = useSession()
  const mayAudit = useCan("audit.read")
  // A search of rows that finds tells as much as the rows, so it is for those who see them whole.
  const maySearch = seesRowsWhole("order-update", user.role)
  const audit = useQuery({ ...auditQuery({ kind: "order", id: order.order_id }, 1), enabled: mayAudit })
  const rows = useQuery({ ...orderRowsQuery(order.order_id), enabled: maySearch })
  const entries = audit.data?.entries ?? nothing
  const found = rows.data?.rows ?? nothing
  const events = useMemo(
    () => historyOf({ order, address, audit: entries, rows: found }),
    [order, address, entries, found],
  )
  return {
    events,
    /** How far the audit log was looked at. */
    audited: !mayAudit ? "none" : permissions["audit.read"] === "own" ? "own" : "all",
    /** Jobs of several orders that were looked through; undefined where none were. */
    jobs: rows.data?.jobs,
    error: audit.error ?? rows.error,
    retry: () => {
      if (audit.error !== null) void audit.refetch()
      if (rows.error !== null) void rows.refetch()
    },
  } as const
}

interface OrderHistoryProps {
  order: Order
  address: OrderAddress | undefined
}

/** What happened to an order, as far as it was observed; moves of its status are shown, never predicted. */
export function OrderHistory({ order, address }: OrderHistoryProps) {
  const { events, audited, jobs, error, retry } = useHistory(order, address)
  return (
    <section className={classes.section} aria-labelledby="order-history">
      <h2 id="order-history">History</h2>
      {error !== null && (
        <ErrorNotice error={error} what="Couldn’t load all of Laurel’s changes." onRetry={retry} />
      )}
      {events.length === 0 ? (
        <p className="text-muted">The order carries no dates, and nothing was changed here.</p>
      ) : (
        <ol className={classes.events}>
          {events.map((event) => (
            <Event key={event.key} event={event} />
          ))}
        </ol>
      )}
      <p className={`l-meta text-muted ${classes.sources}`}>{sourcesText(audited, jobs)}</p>
    </section>
  )
}

const kindIcons: Readonly<Record<OrderEvent["kind"], Icon>> = {
  service: IconPlus,
  change: IconPencil,
  refused: IconX,
  open: IconHelpCircle,
  reveal: IconEye,
}

function Event({ event }: { event: OrderEvent }) {
  const { at, by, job, kind, note, status, title } = event
  const word =
    status === undefined || kind === "refused" || kind === "open" ? undefined : statusWord("order", status)
  const Mark = word?.icon ?? kindIcons[kind]
  return (
    <li className={classes.event}>
      <Mark
        size={16}
        stroke={1.75}
        aria-hidden
        className={classes.mark}
        data-tone={word?.tone ?? (kind === "open" ? "warning" : kind === "refused" ? "danger" : "grey")}
      />
      <span className={classes.words}>
        <span className="l-medium">{title}</span>
        <span className={classes.by}>
          {kind === "service" ? "from the program service" : by}
          {job !== undefined && (
            <>
              {", "}
              <JobLink id={job} />
            </>
          )}
        </span>
        {note !== undefined && note !== "" && <span className={classes.note}>{note}</span>}
      </span>
      <span className={classes.time}>
        <RelativeTime at={at} calendar />
      </span>
    </li>
  )
}

function sourcesText(audited: "none" | "own" | "all", jobs: number | undefined): string {
  const own = [
    "the order’s own dates",
    ...(audited === "none" ? [] : [audited === "own" ? "your part of the audit log" : "the audit log"]),
    ...(jobs === undefined || jobs === 0
      ? []
      : [jobs === 1 ? "the newest job of several orders" : `the newest ${jobs} jobs of several orders`]),
  ]
  const list = own.length === 1 ? own[0] : `${own.slice(0, -1).join(", ")} and ${own.at(-1)}`
  return `From ${list}. The service keeps no history, so changes made elsewhere don’t show.`
}
