import type { Generated } from "kysely"
import * as z from "zod/mini"
import { auditEntry } from "../../contract/audit.ts"
import { apis, driftRow } from "../../contract/status.ts"
import { cardRecord } from "../../core/gift-cards/card-store.ts"
import type { JobTables } from "./job-tables.ts"
import {
  type ColumnsOf,
  fields,
  flag,
  integer,
  isoTime,
  jobId,
  json,
  orNull,
  tableOf,
  text,
  time,
} from "./table.ts"

/** Calls of one minute, lane and person. */
export const usageTable = tableOf(
  z.object({
    api: z.enum(apis),
    minute: z.number(),
    lane: z.enum(["people", "jobs"]),
    who: z.string(),
    requests: z.number(),
    refused: z.number(),
    slow: z.number(),
    trouble: z.number(),
    longestWaitMs: z.number(),
  }),
  {
    api: text("api"),
    minute: integer("minute"),
    lane: text("lane"),
    who: text("who"),
    requests: integer("requests"),
    refused: integer("refused"),
    slow: integer("slow"),
    trouble: integer("trouble"),
    longestWaitMs: integer("longest_wait_ms"),
  },
)

/** One kind of difference between responses and documents. */
export const driftTable = tableOf(driftRow, {
  api: text("api"),
  operation: text("operation"),
  field: text("field"),
  said: text("said"),
  came: text("came"),
  seen: integer("seen"),
  first_at: isoTime("first_at"),
  last_at: isoTime("last_at"),
})

/** The audit log. */
export const auditTable = tableOf(auditEntry, {
  id: text("id"),
  at: isoTime("at"),
  actor: fields({ id: text("actor_id"), name: text("actor_name"), role: text("actor_role") }),
  action: text("action"),
  area: text("area"),
  on: fields({ kind: text("on_kind"), id: text("on_id"), label: orNull(text("on_label")) }),
  outcome: text("outcome"),
  note: orNull(text("note")),
  changes: json("changes"),
  request_id: text("request_id"),
  // Null for work of the server itself.
  source: orNull(text("source")),
})

/** The register of gift cards. */
export const cardTable = tableOf(cardRecord, {
  id: text("id"),
  origin: text("origin"),
  status: orNull(text("status")),
  template: orNull(text("template")),
  amountCents: orNull(integer("amount_cents")),
  reference: orNull(text("reference")),
  ownReference: orNull(text("own_reference")),
  memberId: orNull(text("member_id")),
  email: orNull(text("email")),
  name: orNull(text("name")),
  memberCreated: orNull(flag("member_created")),
  isTest: orNull(flag("is_test")),
  issuedAt: orNull(time("issued_at")),
  expiresAt: orNull(time("expires_at")),
  job: orNull(fields({ id: jobId("job"), row: integer("row") })),
  by: fields({ id: text("by_id"), name: text("by_name") }),
  replayed: orNull(flag("replayed")),
  message: orNull(text("message")),
  lookedUpAt: orNull(time("looked_up_at")),
})

/** One line: what this store was first used for. A start that disagrees is refused. */
interface StampTable {
  readonly id: 1
  readonly environment: string
  readonly program_base_url: string | null
  readonly giftcard_base_url: string | null
  /** ms since 1970. */
  readonly stamped_at: number
}

/** One taken place of the request budget; the place is free again at `free_at`, ms on the database's clock. */
interface BudgetGrantTable {
  readonly api: string
  readonly free_at: number
  /** Who took it: shares of the budget are counted by this (core/budget/fair-queue.ts). */
  readonly lane: "people" | "jobs"
  readonly who: string
}

/** One row that is written to know whether the store can be written to. */
interface ReadinessTable {
  readonly id: 1
  readonly filler: string
}

/** A service said stop (429): no place until then. `for_ms` is how long that was meant to be. */
interface BudgetBlockTable {
  readonly api: string
  readonly until_at: number
  readonly for_ms: number
}

/** Failed sign-ins as they are counted. Times in ms since 1970, the database's clock. */
interface SignInAttemptTable {
  /** An HMAC of what is counted: an account, an address, a browser. */
  readonly key: string
  readonly failures: number
  readonly first_at: number
  readonly last_at: number
}

/** Notes of ours on records. */
interface NoteTable {
  readonly kind: string
  readonly id: string
  readonly text: string
  readonly version: number
  readonly saved_at: string | null
  readonly saved_by: string | null
}

/** Settings documents as JSON. */
interface SettingTable {
  readonly name: string
  readonly value: string
}

/** A time as the two engines give it: PostgreSQL a Date, SQLite the ISO text it was given. */
type EngineTime = Date | string

/** People who may sign in. The sign-in library reads it too, so its shape is partly the library's. */
export interface UserTable {
  readonly id: string
  readonly name: string
  readonly email: string
  /** Demanded by the sign-in library; addresses are vouched for by the administrator. */
  readonly email_verified: boolean | number
  readonly image: string | null
  readonly role: string
  /** ISO 8601; null while the user may sign in. */
  readonly disabled_at: string | null
  /** ms since 1970. */
  readonly last_seen_at: number | null
  readonly created_at: EngineTime
  readonly updated_at: EngineTime
}

/** Open sessions. The cookie carries the token signed with a secret that is not in the database. */
interface SessionTable {
  readonly id: string
  readonly user_id: string
  readonly token: string
  readonly expires_at: EngineTime
  readonly ip_address: string | null
  readonly user_agent: string | null
  readonly created_at: EngineTime
  readonly updated_at: EngineTime
}

/** Password hashes, one for each user who ever set a password. */
interface AccountTable {
  readonly id: string
  readonly user_id: string
  readonly account_id: string
  readonly provider_id: string
  readonly password: string | null
  readonly created_at: EngineTime
  readonly updated_at: EngineTime
}

/** One-time links: only the SHA-256 of the token is kept. */
interface LinkTable {
  readonly hash: string
  readonly purpose: "set-up" | "password"
  /** null for the set-up link. */
  readonly user_id: string | null
  /** ms since 1970. */
  readonly expires_at: number
}

/** Every table of the store. The same on both engines. */
export interface Database extends JobTables {
  readonly stamp: StampTable
  readonly budget_grant: BudgetGrantTable
  readonly budget_block: BudgetBlockTable
  readonly readiness: ReadinessTable
  readonly usage: ColumnsOf<typeof usageTable>
  readonly drift: ColumnsOf<typeof driftTable>
  /** `seq` is the order in which entries were added. */
  readonly audit: ColumnsOf<typeof auditTable> & { readonly seq: Generated<number> }
  readonly note: NoteTable
  readonly setting: SettingTable
  /** `search`: what is searched, in lower case. */
  readonly card: ColumnsOf<typeof cardTable> & { readonly search: string }
  readonly desk_user: UserTable
  readonly desk_session: SessionTable
  readonly desk_account: AccountTable
  readonly one_time_link: LinkTable
  readonly sign_in_attempt: SignInAttemptTable
}
