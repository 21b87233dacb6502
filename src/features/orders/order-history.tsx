import { Group, Stack } from "@mantine/core"
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

const kinds = {
  service: { icon: IconPlus, tone: "grey" },
  change: { icon: IconPencil, tone: "grey" },
  refused: { icon: IconX, tone: "danger" },
  open: { icon: IconHelpCircle, tone: "warning" },
  reveal: { icon: IconEye, tone: "grey" },
} as const satisfies Record<string, { icon: Icon; tone: string }>

/** What somebody saw happen to an order: `by` them, moving it to a `status`. */
interface OrderEvent {
  readonly key: string
  readonly at: string | null | undefined
  readonly kind: keyof typeof kinds
  readonly status?: string | undefined
  readonly title: string
  readonly by: string
  readonly note?: string | null | undefined
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
  const base = { key: id, at, by: actor.name, job: changed("job"), status: changed("status"), note }
  if (action === "order.reveal") {
    const title = outcome === "done" ? "Code revealed" : "Code not revealed"
    return [{ ...base, status: undefined, kind: "reveal", title }]
  }
  if (action !== "order.update") return []
  return [changeEvent(base, changes, outcome, "Waiting for a decision")]
}

function fromRow({ job, row }: OrderJobRow): OrderEvent[] {
  const { state, input } = row
  const at = row.ended_at ?? row.sent_at ?? row.decision?.at
  if (at == null) return []
  const seen: Readonly<Record<string, unknown>> = { ...Object(input["expected"]) }
  const changes = ["status", "tracking_number", "carrier"].flatMap((field) => {
    const [from, to] = [textOf(seen[field]), textOf(input[field])]
    return to === undefined ? [] : [{ field, from: from ?? null, to }]
  })
  const key = `${job.id} ${row.row}`
  const status = textOf(input["status"])
  const base = { key, at, by: job.created_by.name, job: job.id, status, note: row.outcome?.message }
  const outcome = state === "confirmed" ? "done" : state === "failed" ? "refused" : "unknown"
  return [changeEvent(base, changes, outcome, "Not resolved yet")]
}

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined)

/** A change that was tried; what it was to be is said beside why it was not made. */
function changeEvent(
  base: Omit<OrderEvent, "kind" | "title">,
  changes: AuditEntry["changes"],
  outcome: AuditEntry["outcome"],
  open: string,
): OrderEvent {
  const text = changesText(changes.filter(({ field }) => field !== "job"))
  if (outcome === "done") return { ...base, kind: "change", title: text || "Changed", note: undefined }
  const note = [text, base.note].filter(Boolean).join(". ")
  return outcome === "unknown"
    ? { ...base, kind: "open", title: open, note }
    : { ...base, kind: "refused", title: "Not changed", note }
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

/** What is known to have happened to an order, newest first; the service keeps no history, so others' changes are missing. */
export function OrderHistory({ order, address }: { order: Order; address: OrderAddress | undefined }) {
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
    <Group component="li" wrap="nowrap" align="start" gap={12} py={10}>
      <Mark
        size={16}
        stroke={1.75}
        aria-hidden
        className="tone-mark"
        data-tone={tone}
        style={{ marginTop: 2 }}
      />
      <div className="grow wrap-anywhere">
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
      <span className="text-muted nowrap">
        <RelativeTime at={at} calendar />
      </span>
    </Group>
  )
}
