import * as z from "zod/mini"
import { budgetState } from "./response.ts"

/**
 * A stream of events carries `data` this often, so that a page can tell a stream that is held up on the way from one on
 * which nothing happens: after `silenceMs` without any data it polls.
 */
export const heartbeat = { everyMs: 4000, silenceMs: 10_000, data: '{"topic":"heartbeat"}' } as const

const eventTopics = [
  "audit",
  "budget",
  "cards",
  "claims",
  "copy",
  "job",
  "member",
  "members",
  "names",
  "note",
  "notices",
  "orders",
  "session",
  "settings",
  "status",
  "users",
] as const

/** The fields of an order that a change sets, as the service has them afterwards. */
const shipment = z.object({ status: z.string(), tracking_number: z.string(), carrier: z.string() })

export type Shipment = z.output<typeof shipment>

/** A person has an order open on the ship desk. */
export const orderClaim = z.object({
  order_id: z.string(),
  by: z.object({ id: z.string(), name: z.string() }),
})
export type OrderClaim = z.output<typeof orderClaim>

/** A hint that something changed: consumers apply the data it carries, or read again. */
export const appEvent = z.object({
  topic: z.enum(eventTopics),
  id: z.string(),
  /** The tab that made the change (`X-Laurel-Tab`): it has the response. */
  by: z.optional(z.string()),
  /** Of `members`: what was kept of the member was erased, and every instance drops it from its memory. */
  erased: z.optional(z.boolean()),
  /** Of `orders` with an order's id: what that order has now. */
  order: z.optional(shipment),
  /** Of `claims`: who opened which order on the ship desk, or left it. */
  claim: z.optional(z.extend(orderClaim, { open: z.boolean() })),
  /** Of `job` without an id, with which a stream begins: how long no job has changed. */
  unchanged_ms: z.optional(z.number()),
})
export type AppEvent = z.output<typeof appEvent>

/** What showed a restored backup (docs/restore.md); `sample`: a row was found at the service. */
export const restoreSigns = ["counter", "sample", "operator"] as const
export type RestoreSign = (typeof restoreSigns)[number]

/** What Laurel knows about a restore of its store, for the banner. Times are ISO 8601. */
const restoreNotice = z.object({
  sign: z.enum(restoreSigns),
  at: z.string(),
  /** The last time the restored store is known to have been in use. */
  since: z.nullable(z.string()),
  held: z.int(),
  looking: z.int(),
})
export type RestoreNotice = z.output<typeof restoreNotice>

/** Response of `GET /api/jobs/summary`, of the jobs the person may see. */
export const jobSummary = z.object({ active: z.int(), attention: z.int(), restore: z.nullish(restoreNotice) })

/** Response of `GET /api/notices/unread`. */
export const unreadNotices = z.object({ unread: z.int() })

/** The part of a session that events keep current, as far as the role may see it. */
export const shellState = z.object({
  budget: z.optional(z.array(budgetState)),
  jobs: z.optional(jobSummary),
})
export type ShellState = z.output<typeof shellState>

/**
 * An event as one person receives it, with small changed data that their role may see. `job` and `rows` are
 * `jobEventData`: pages that show no job do without the schema.
 */
export const liveEvent = z.extend(appEvent, {
  ...shellState.shape,
  job: z.optional(z.unknown()),
  rows: z.optional(z.unknown()),
})
export type LiveEvent = z.output<typeof liveEvent>
