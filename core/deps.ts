import type { Api } from "../contract/response.ts"
import type { AppEvent } from "../contract/events.ts"
import type { Environment } from "../contract/session.ts"
import type { AuditLog } from "./audit/audit-log.ts"
import type { FreshCodes } from "./cache/cache.ts"
import type { CopyStore } from "./copy/copy-store.ts"
import type { LocalCopy } from "./copy/local-copy.ts"
import type { Dispatcher } from "./dispatch.ts"
import type { ServiceCaller } from "./gateway/caller.ts"
import type { Reads } from "./gateway/reads.ts"
import type { RestoreMarker, Clock, EventBus, Log, Metrics, Processes, Store, Upstream } from "./ports.ts"
import type { Settings, SettingsInitials } from "./settings/settings.ts"
import type { DriftLog } from "./status/monitor.ts"
import type { Accounts } from "./users/accounts.ts"

/** Configuration of one service. Only the upstream client has the key. */
interface ApiConfig {
  readonly baseUrl: string
  /** Its last four characters. */
  readonly keyEnd: string
  /** Those of the key that takes over when the first one is refused. */
  readonly nextKeyEnd?: string
  readonly rateLimit: number
  /** Hashes of its keys, to notice another program's key; without them none is noticed. */
  readonly keyHash?: string
  readonly nextKeyHash?: string
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
  /** Absent: SYNC=off. */
  readonly copy?: CopyStore | undefined
  readonly upstream: Upstream
  readonly processes: Processes
  /** Absent without a file system, as in a browser tab. */
  readonly restoreMarker?: RestoreMarker
  readonly clock: Clock
  /** Its runs and duties begin with `start` of the core, and end with its stop. */
  readonly dispatcher: Dispatcher<never>
  readonly events: EventBus
  readonly accounts: Accounts
  readonly metrics: Metrics
  readonly log: Log
}

/** The dependencies with what requests and the job engine share. */
export interface SharedServices extends CoreDeps {
  /** Publishes a change that this instance's cache has applied already: only the others invalidate. */
  readonly announce: (event: AppEvent) => void
  readonly audit: AuditLog
  readonly caller: ServiceCaller
  readonly codes: FreshCodes
  readonly drift: DriftLog
  readonly reads: Reads
  readonly settings: Settings
  /** Keeps the local copy current; absent when it is off. */
  readonly sync: LocalCopy | undefined
}
