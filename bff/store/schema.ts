import type { Generated } from "kysely"
import type { CardTable } from "./card-schema.ts"
import type { JobTables } from "./job-schema.ts"

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

/** Calls of one minute, lane and person. */
interface UsageTable {
  readonly api: string
  readonly minute: number
  readonly lane: string
  readonly who: string
  readonly requests: number
  readonly refused: number
  readonly slow: number
  readonly trouble: number
  readonly longest_wait_ms: number
}

/** One kind of difference between answers and documents. Times in ms since 1970. */
interface DriftTable {
  readonly api: string
  readonly operation: string
  readonly field: string
  readonly said: string
  readonly came: string
  readonly seen: number
  readonly first_at: number
  readonly last_at: number
}

/** The audit log. `seq` is the order in which entries were added. */
export interface AuditTable {
  readonly seq: Generated<number>
  readonly id: string
  /** ms since 1970. */
  readonly at: number
  readonly actor_id: string
  readonly actor_name: string
  readonly actor_role: string
  readonly action: string
  readonly area: string
  readonly on_kind: string
  readonly on_id: string
  readonly on_label: string | null
  readonly outcome: string
  readonly note: string | null
  /** JSON. */
  readonly changes: string
  readonly request_id: string
  /** Address the request came from; null for work of the server itself. */
  readonly source: string | null
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
  readonly usage: UsageTable
  readonly drift: DriftTable
  readonly audit: AuditTable
  readonly note: NoteTable
  readonly setting: SettingTable
  readonly card: CardTable
  readonly desk_user: UserTable
  readonly desk_session: SessionTable
  readonly desk_account: AccountTable
  readonly one_time_link: LinkTable
  readonly sign_in_attempt: SignInAttemptTable
}
