import * as z from "zod/mini"
import { copyStatus } from "./copy.ts"
import { driftKinds } from "./reading.ts"
import { apis, budgetState } from "./response.ts"
import { environments } from "./session.ts"

/**
 * How a service is doing, measured on our own calls. `untried`: connected, nothing asked within a day; `failing`: so it
 * was when last asked, before this start.
 */
export const serviceStates = [
  "answering",
  "slow",
  "not_answering",
  "failing",
  "not_connected",
  "untried",
] as const

/** The keys of a service: `PROGRAM_API_KEY` and `PROGRAM_API_KEY_NEXT`, and so for gift cards. */
const keyNames = ["current", "next"] as const
export type KeyName = (typeof keyNames)[number]

/** One service as the status page shows it. Address and key end are there for administrators only. */
const connection = z.object({
  api: z.enum(apis),
  state: z.enum(serviceStates),
  base_url: z.nullable(z.string()),
  /** Of the key in use. */
  key_end: z.nullable(z.string()),
  /** With two keys: which one is in use, and the end of the other one. */
  rotation: z.nullable(z.object({ in_use: z.enum(keyNames), other_end: z.string() })),
  rate_limit: z.nullable(z.int()),
  /** 50th and 95th percentile of response times in ms; null without any. */
  half_within_ms: z.nullable(z.number()),
  most_within_ms: z.nullable(z.number()),
  last_trouble: z.nullable(z.object({ at: z.string(), what: z.string() })),
  /** What the key was seen to be allowed: nothing is ever probed by a write. */
  seen: z.object({
    read: z.enum(["working", "refused", "unseen"]),
    write: z.enum(["working", "refused", "unseen"]),
  }),
  /** In 48 slots, oldest first. */
  day: z.array(z.object({ from: z.string(), calls: z.int(), slow: z.int(), trouble: z.int() })),
})
export type Connection = z.output<typeof connection>

const budgetView = z.extend(budgetState, {
  longest_wait_ms: z.int(),
  /** 429 responses of the last 30 minutes. */
  refused: z.int(),
  minutes: z.array(z.object({ at: z.string(), people: z.int(), jobs: z.int(), sync: z.int() })),
  used_by: z.array(z.object({ name: z.string(), requests: z.int() })),
})
export type BudgetView = z.output<typeof budgetView>

/** How often a field was seen to differ from its document, and how. */
export const driftRow = z.object({
  api: z.enum(apis),
  /** Method and path of the document, such as `GET /members`. */
  operation: z.string(),
  field: z.string(),
  kind: z.enum(driftKinds),
  seen: z.int(),
  first_at: z.string(),
  last_at: z.string(),
})
export type DriftRow = z.output<typeof driftRow>

/**
 * Response of `POST /api/status/{api}/test`: the result of one cheap read; `problem` is null when the key works.
 * `next_key`: how the key answered that waits to take over; null without one.
 */
export const keyTest = z.object({
  problem: z.nullable(z.string()),
  ms: z.int(),
  next_key: z.nullable(z.enum(["working", "refused", "unknown"])),
})
export type KeyTest = z.output<typeof keyTest>

/** How a difference is handled; `warning`: check it. */
export const driftHandling = {
  empty: { tone: "success", label: "Shown as empty" },
  extra: { tone: "success", label: "Passed on as sent" },
  other: { tone: "warning", label: "Shown as sent" },
} as const

/** ms from the response to the ledger, recently: how long an unknown row waits (docs/jobs.md). */
const historyLag = z.object({
  watched: z.int(),
  /** Median, in ms. */
  usual_ms: z.nullable(z.number()),
  largest_ms: z.number(),
  missing: z.int(),
})
export type HistoryLag = z.output<typeof historyLag>

/** A process of Laurel that works on the store and has not recorded its stop. */
const server = z.object({
  id: z.string(),
  /** INSTANCE_ID, if it has one. */
  name: z.nullable(z.string()),
  host: z.nullable(z.string()),
  process_id: z.nullable(z.string()),
  /** Its last sign of life. */
  seen_at: z.string(),
  /** `running`: it gave a sign of life just now. */
  state: z.enum(["this", "running", "silent"]),
  /** Rows that it sent and whose calls have no known end. */
  rows: z.int(),
})
export type Server = z.output<typeof server>

/** Response of `POST /api/status/servers/{id}/stopped`: how many rows count as ended from now on. */
export const serverStopped = z.object({ rows: z.int() })
export type ServerStopped = z.output<typeof serverStopped>

export const appStatus = z.object({
  version: z.string(),
  environment: z.enum(environments),
  started_at: z.string(),
  store: z.enum(["sqlite", "postgres", "memory"]),
  connections: z.array(connection),
  budgets: z.array(budgetView),
  drift: z.array(driftRow),
  history: z.nullable(historyLag),
  beta_notice: z.boolean(),
  copy: copyStatus,
  /** For administrators only. */
  servers: z.nullable(z.array(server)),
})
export type AppStatus = z.output<typeof appStatus>
