import type { Permission } from "../contract/roles.ts"
import type { Api } from "../contract/response.ts"
import type { AppEvent } from "../contract/status.ts"
import type { Environment } from "../contract/users.ts"
import type { AuditLog } from "./audit/audit-log.ts"
import type { FreshCodes } from "./cache/cache.ts"
import type { Budget } from "./budget/budget.ts"
import type { DriftLog } from "./status/monitor.ts"
import type { Reads } from "./gateway/reads.ts"
import type { ServiceCaller } from "./gateway/caller.ts"
import type { ApiResponse, ApiRequest } from "./http.ts"
import type { Jobs } from "./jobs/job-service.ts"
import type { KeyedLock } from "./runtime.ts"
import type { Names } from "./members/member-names.ts"
import type { MemberVersions } from "./members/member-changes.ts"
import type { OrderClaims } from "./orders/order-claims.ts"
import type { OrderUpdates } from "./orders/tracking-numbers.ts"
import type { RestoreMarker, Clock, EventBus, Log, Metrics, Processes, Store, Upstream } from "./ports.ts"
import type { Accounts } from "./users/accounts.ts"
import type { Snapshots } from "./leaderboards/board-snapshots.ts"
import type { Settings, SettingsInitials } from "./settings/settings.ts"
import type { Monitor } from "./status/monitor.ts"

/** Configuration of one service. Only the upstream client has the key. */
interface ApiConfig {
  readonly baseUrl: string
  /** Its last four characters. */
  readonly keyEnd: string
  readonly rateLimit: number
}

/** The startup configuration. */
export interface AppConfig {
  readonly version: string
  readonly environment: Environment
  /** ms since 1970. */
  readonly startedAt: number
  /** null: not connected. */
  readonly apis: Readonly<Record<Api, ApiConfig | null>>
  readonly jobs: JobTimes
  /** The operator states that the store was restored: rows of earlier jobs are looked up before any is sent. */
  readonly startHeld?: boolean
  /** Card template of a row that names none, while the settings name none either. */
  readonly defaultCard?: string | undefined
  /** Initial settings until others are saved. */
  readonly settings?: SettingsInitials | undefined
}

/** Times of the money engine, in ms (docs/jobs.md). */
export interface JobTimes {
  /** Wait after the call's end before absence counts, for an unknown row. */
  readonly settleMs: number
  /** Added before the deciding lookup. */
  readonly recheckMs: number
  /** Lease of an attempt on its row; longer than the longest call. */
  readonly leaseMs: number
  /** Longest duration of a sent call. */
  readonly callMs: number
}

/** Dependencies of the core. */
export interface CoreDeps {
  readonly config: AppConfig
  readonly store: Store
  readonly upstream: Upstream
  readonly processes: Processes
  /** Absent without a file system, as in a browser tab. */
  readonly restoreMarker?: RestoreMarker
  readonly clock: Clock
  readonly events: EventBus
  readonly accounts: Accounts
  readonly metrics: Metrics
  readonly log: Log
}

export interface CoreContext extends CoreDeps {
  readonly audit: AuditLog
  readonly budget: Budget
  readonly codes: FreshCodes
  readonly caller: ServiceCaller
  readonly claims: OrderClaims
  readonly drift: DriftLog
  readonly jobs: Jobs
  readonly monitor: Monitor
  readonly names: Names
  readonly orderUpdates: OrderUpdates
  readonly reads: Reads
  readonly settings: Settings
  readonly snapshots: Snapshots
  /** One write at a time for each member or e-mail. */
  readonly locks: KeyedLock
  readonly versions: MemberVersions
  /** Publishes a change that this instance's cache has applied already: only the others invalidate. */
  readonly announce: (event: AppEvent) => void
}

/** Handles one of Laurel's own requests; `params` are the ids of its path, decoded. */
export type Handler = (
  context: CoreContext,
  request: ApiRequest,
  params: Readonly<Record<string, string>>,
) => Promise<ApiResponse>

export interface Route {
  readonly method: string
  readonly address: string
  /** null: any signed-in person. */
  readonly permission: Permission | null
  /** `people`: the shell logs who read it; `query`: it takes parameters. */
  readonly has: readonly ("people" | "query")[]
  readonly handle: Handler
}

export function route(
  id: `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`,
  permission: Permission | null,
  has: Route["has"],
  handle: Handler,
): Route {
  const [method = "", address = ""] = id.split(" ")
  return { method, address, permission, has, handle }
}
