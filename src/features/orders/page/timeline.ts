import type { AuditEntry } from "../../../../contract/audit.ts"
import type { JobRow } from "../../../../contract/job-rows.ts"
import type { OrderAddress } from "../../../../contract/orders.ts"
import type { Order } from "../../../../contract/program/order.ts"
import type { OrderJobRow } from "../../../api/order-book.ts"
import { millis } from "../../../lib/time.ts"
import { statusWord } from "../../../ui/status.tsx"

/** Something that happened to an order, as far as somebody saw it. */
export interface OrderEvent {
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
export function timelineOf({ order, address, audit, rows }: Sources): readonly OrderEvent[] {
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
