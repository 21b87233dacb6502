import * as z from "zod/mini"
import type { AuditEntry, AuditQuery } from "../contract/audit.ts"
import { type Api, apis } from "../contract/response.ts"
import type { AppEvent } from "../contract/events.ts"
import type { DriftRow, KeyName } from "../contract/status.ts"
import type { Note, noteKinds } from "../contract/notes.ts"
import type { BookStore } from "./books/book-store.ts"
import type { CardStore } from "./gift-cards/card-store.ts"
import type { JobStore } from "./jobs/job-store.ts"
import type { InstanceStore, RestoreStore } from "./jobs/process-store.ts"

export interface Clock {
  /** Wall time, ms since 1970. */
  now(): number
  /** A time that never jumps, ms. */
  monotonic(): number
  /** Rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Change hints. With several instances every one of them receives every event. */
export interface EventBus {
  publish(event: AppEvent): void
  subscribe(listener: (event: AppEvent) => void): () => void
}

/** One request to a service. `path` is already encoded segment by segment and starts with a slash. */
export interface UpstreamCall {
  readonly api: Api
  readonly method: "GET" | "POST" | "PATCH" | "DELETE"
  readonly path: string
  readonly query: URLSearchParams
  readonly body?: unknown
  /** Which key it is sent with; `current` unless given. */
  readonly key?: KeyName
  /** Name in the policy table, for traces. */
  readonly operation?: string
  readonly signal?: AbortSignal
  /** Called right before the first byte is written; false: nothing is written and the call ends as `not_sent`. */
  readonly mayWrite?: () => boolean
  /** Receives the secret that is removed from a response's body. For revealing only. */
  readonly onSecret?: (secret: string) => void
}

/** How a call ended. Only `not_sent` proves that the service never saw the request. */
export type UpstreamEnd =
  | {
      readonly kind: "answer"
      readonly status: number
      /** Parsed JSON with every secret field dropped. */
      readonly body: unknown
      /** The service's own `Date` header, ms since 1970. */
      readonly serviceTime?: number | undefined
      /** Seconds. */
      readonly retryAfter?: number | undefined
    }
  /** Not JSON, cut short, too large or empty where a body is due. */
  | { readonly kind: "unreadable"; readonly status: number; readonly what: string }
  /** Refused, name not found, connect timeout: nothing left this machine. */
  | { readonly kind: "not_sent"; readonly what: string }
  /** The connection ended or a deadline passed after sending began. */
  | { readonly kind: "no_answer"; readonly what: string }
/** How a call ended, how long it took, and when it ended, ms since 1970. */
export type UpstreamResult = UpstreamEnd & { readonly ms: number; readonly endedAt: number }

/** Calls the services. Never throws except when `signal` is aborted before sending. */
export interface Upstream {
  send(call: UpstreamCall): Promise<UpstreamResult>
}

/** Whose requests: people's, jobs', or those that keep the local copy current. */
const lanes = ["people", "jobs", "sync"] as const
export type Lane = (typeof lanes)[number]

/** The owner of a permit of the request budget: a person, a job, or the local copy. */
export type PermitOwner = Readonly<{ lane: Lane; who: string }>

/** Permits that one owner took within 100 ms. */
export interface HeldPermits extends PermitOwner {
  readonly permits: number
  readonly freeInMs: number
}

/** The current window of the budget. */
export interface WindowUse {
  readonly free: number
  /** Soonest free first. */
  readonly recentUse: readonly HeldPermits[]
}

/** The owner of the next permit, or the ms to wait before choosing again. */
export type Choice = { readonly taker: PermitOwner } | { readonly inMs: number }

/** Whether a request may go now. `inMs` is the time until the next one may. */
export type BudgetGrant = { readonly granted: true } | { readonly granted: false; readonly inMs: number }

export interface BudgetState {
  readonly left: number
  /** ms until the next becomes free; 0 while one is. */
  readonly nextInMs: number
  /** None is free because the service itself said stop (429), not because the window is used up. */
  readonly blocked?: true
}

/** The shared count of requests, on the store's clock: never more than `limit` in any `windowMs`, all instances together. */
export interface BudgetStore {
  /**
   * Takes one of `limit` permits for whom `choose` names, who is asked only while one is free. `atOnce` says who gets it
   * while at least that many are free: then the window, which takes longer, is not read.
   */
  take(
    api: Api,
    limit: number,
    windowMs: number,
    choose: (use: WindowUse) => Choice,
    atOnce?: { readonly taker: PermitOwner; readonly leastFree: number },
  ): Promise<BudgetGrant>
  state(api: Api, limit: number, windowMs: number): Promise<BudgetState>
  /** Takes every permit for `forMs`: the service itself said stop (429). */
  block(api: Api, limit: number, windowMs: number, forMs: number): Promise<void>
}

/** One minute's calls of one user or lane, as counted by one instance. */
export const usageRecord = z.object({
  api: z.enum(apis),
  /** Its start, ms since 1970. */
  minute: z.number(),
  lane: z.enum(lanes),
  who: z.string(),
  requests: z.number(),
  refused: z.number(),
  slow: z.number(),
  trouble: z.number(),
  longestWaitMs: z.number(),
})
export type UsageRecord = Readonly<z.output<typeof usageRecord>>

/** Which differences from the documents were seen, and how often. */
export interface DriftStore {
  add(rows: readonly Omit<DriftRow, "first_at" | "last_at">[], at: number): Promise<void>
  list(): Promise<DriftRow[]>
}

export interface UsageStore {
  add(records: readonly UsageRecord[]): Promise<void>
  /** Sums by minute, lane and person since a time, in ms since 1970. */
  since(at: number): Promise<UsageRecord[]>
  forgetBefore(at: number): Promise<void>
}

/** The audit log: entries are only ever added. */
export interface AuditStore {
  append(entry: AuditEntry): Promise<void>
  /** Newest first, one more than asked if there are further ones; of a failed reveal its end alone. `scope`: one actor's own, or with the program's. */
  list(
    query: AuditQuery & { readonly per_page: number },
    scope: { readonly actor?: string; readonly area?: "program" },
  ): Promise<AuditEntry[]>
}

export interface NoteStore {
  get(kind: (typeof noteKinds)[number], id: string): Promise<Note | undefined>
  /** The newest 100 versions older than `before`, the last one first. */
  earlier(kind: (typeof noteKinds)[number], id: string, before: number): Promise<Note[]>
  /** Keeps the previous version; saves if the stored one is still `note.version - 1`. False if it changed in between. */
  save(note: Note): Promise<boolean>
}

/** Rankings of one board as they were sent at one moment. */
export const boardSnapshot = z.object({
  board: z.string(),
  /** When the service answered, ms since 1970. */
  at: z.number(),
  /** Rows in `sent`. */
  places: z.number(),
  /** Whether the board had no further rows. */
  complete: z.boolean(),
  sent: z.unknown(),
})
type BoardSnapshot = Readonly<z.output<typeof boardSnapshot>>

export interface SnapshotStore {
  /** Keeps one of each board and hour: the first one, or a later one that has more places. */
  add(snapshot: BoardSnapshot): Promise<void>
  /** When the snapshots of a board were taken, in ms since 1970, oldest first. */
  times(board: string): Promise<number[]>
  /** Those of a board that were taken at the given times, oldest first. */
  list(board: string, times: readonly number[]): Promise<BoardSnapshot[]>
  forget(board: string, times: readonly number[]): Promise<void>
  /** Of every board. */
  forgetBefore(at: number): Promise<void>
}

/** A member's name as it was last read. */
export const storedName = z.object({
  id: z.string(),
  name: z.string(),
  /** Only without a name: used in its place. */
  email: z.nullable(z.string()),
  /** ms since 1970. */
  at: z.number(),
})
export type StoredName = Readonly<z.output<typeof storedName>>

export interface NameStore {
  all(): Promise<StoredName[]>
  put(names: readonly StoredName[]): Promise<void>
  forget(id: string): Promise<void>
  forgetBefore(at: number): Promise<void>
}

/** What a change reads and writes. */
export interface SettingsDocuments {
  get(name: string): Promise<unknown>
  put(name: string, value: unknown): Promise<void>
}

export interface SettingsStore extends SettingsDocuments {
  /** Changes of `name` are serialized across all instances; `act` may use only the documents it is given. */
  change<T>(name: string, act: (documents: SettingsDocuments) => Promise<T>): Promise<T>
}

export interface Store {
  readonly kind: "sqlite" | "postgres" | "memory"
  readonly budget: BudgetStore
  readonly usage: UsageStore
  readonly drift: DriftStore
  readonly audit: AuditStore
  readonly notes: NoteStore
  readonly snapshots: SnapshotStore
  readonly names: NameStore
  readonly settings: SettingsStore
  readonly jobs: JobStore
  readonly instances: InstanceStore
  readonly restores: RestoreStore
  readonly cards: CardStore
  readonly books: BookStore
  /** Rejects when the store cannot be written to; one that hangs does so as well. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** A short text next to the store that its backup lacks: it shows that a store is older than its last user. */
export interface RestoreMarker {
  /** undefined: there is none, which says nothing. */
  read(): Promise<string | undefined>
  write(text: string): Promise<void>
}

/** Identifies this process, and checks others. */
export interface Processes {
  /** Lets another instance check whether this process still runs; `instance`: its INSTANCE_ID. */
  readonly self: Readonly<Record<string, string>>
  /** This process holds the lock of the store: every other instance that used it is over. */
  readonly alone?: boolean
  /** Only if it is proven, such as by process id and start time under this kernel: rows are sent again then. */
  hasEnded(process: Readonly<Record<string, string>>): boolean
}

/** Metrics for operators; the demo has none. */
export interface Metrics {
  upstreamCall(api: Api, operation: string, outcome: string, ms: number): void
  budgetWait(api: Api, lane: Lane, ms: number): void
  cacheRead(operation: string, result: "hit" | "miss" | "stale" | "shared"): void
  /** A run found rows under way of an instance that is gone. */
  runTakenOver(): void
}

/** Structured log lines. Never a body, a key, a cookie or a query string. */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, text: string): void
  warn(fields: Readonly<Record<string, unknown>>, text: string): void
  error(fields: Readonly<Record<string, unknown>>, text: string): void
}
