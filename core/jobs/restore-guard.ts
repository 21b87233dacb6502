import * as z from "zod/mini"
import type { RestoreSign } from "../../contract/events.ts"
import { entryOf } from "../audit/audit-log.ts"
import type { SharedServices } from "../deps.ts"
import type { RestoreMarker } from "../ports.ts"
import type { JobRecord } from "./job-store.ts"
import type { StoreUse } from "./process-store.ts"
import { isHeld } from "./job-record.ts"

const markerSchema = z.object({ epoch: z.string(), count: z.number() })
type Marker = z.output<typeof markerSchema>

/** @throws for one that cannot be read */
export async function readMarker(marker: RestoreMarker | undefined): Promise<Marker | undefined> {
  const text = await marker?.read()
  return text === undefined ? undefined : markerSchema.parse(JSON.parse(text))
}

/** Whether the store is older than the marker: a lower count, or the marker's epoch is unknown to it. */
export function isBehind(store: Pick<StoreUse, "epoch" | "earlier" | "count">, marker: Marker): boolean {
  if (store.epoch === marker.epoch) return store.count < marker.count
  return !store.earlier.includes(marker.epoch)
}

const itself = { user: { id: "laurel", name: "Laurel", role: "system" }, requestId: "start" }

type GuardParts = Pick<SharedServices, "store" | "config" | "events" | "audit" | "log" | "restoreMarker">

/** Detects a restored store by a counter in the store and a marker outside it, and holds its jobs (docs/restore.md). */
export class RestoreGuard {
  /** When the store was last known to be complete, as read at the start; null: unknown. */
  since: number | null = null
  readonly #parts: GuardParts
  /** Jobs that this process sampled. */
  readonly #sampled = new Set<string>()
  /** Jobs that ran at the start and are to be sampled before they send. */
  #unsampled: readonly string[] = []
  #startedAt = Infinity
  /** The counter as this process wrote or read it last. */
  #last: Marker | undefined
  #counting: Promise<unknown> = Promise.resolve()
  #next: Promise<boolean> | undefined

  constructor(parts: GuardParts) {
    this.#parts = parts
  }

  /** Holds all jobs if the store is behind its marker or an operator requests it. Must run before anything is sent. */
  async check(): Promise<void> {
    const { config, store } = this.#parts
    const [use, marker, busy, any] = await Promise.all([
      store.restores.get(),
      this.#readMarker(),
      store.jobs.busy(),
      store.jobs.list({ perPage: 1 }),
    ])
    this.since = use.countedAt
    this.#last = { epoch: use.epoch, count: use.count }
    // A store without jobs is new: nothing in it could be done twice.
    const isNew = any.length === 0
    const isRestored = marker !== undefined && !isNew && isBehind(use, marker)
    if (isNew) await this.#writeMarker(use)
    if (isRestored || config.startHeld === true)
      await this.#hold(isRestored ? "counter" : "operator", this.since, marker?.count ?? 0)
    this.#unsampled = busy.map(({ id }) => id)
    this.#startedAt = await store.jobs.now()
  }

  /**
   * Increments the count in the store and then in the marker, so that a crash in between does not look like a restore.
   * Concurrent callers share the next increment, because the running one may have begun before their intents.
   * @returns false when the store was restored meanwhile
   * @throws the store's error: then nothing may be sent
   */
  count(): Promise<boolean> {
    this.#next ??= this.#counting
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        const count = this.#increment()
        this.#counting = count
        return count
      })
    return this.#next
  }

  /** Counts regularly, but not before all jobs are sampled: until then the last count tells how old the store is. */
  async alive(): Promise<void> {
    const { jobs } = this.#parts.store
    const left = this.#unsampled.filter((id) => !this.#sampled.has(id))
    const current = await Promise.all(left.map((id) => jobs.get(id)))
    this.#unsampled = current.flatMap((job) =>
      job?.state === "running" && job.counts.planned > 0 && !isHeld(job) ? job.id : [],
    )
    if (this.#unsampled.length === 0) await this.count()
  }

  /** Holds all jobs because a row that the store lists as planned was carried out. */
  sampleFound(): Promise<void> {
    return this.#hold("sample", this.since, this.#last?.count ?? 0)
  }

  /** Whether a job is older than this process, which has neither sampled nor sent any of its rows. */
  isUnsampled({ id, createdAt }: Pick<JobRecord, "id" | "createdAt">): boolean {
    return createdAt < this.#startedAt && !this.#sampled.has(id)
  }

  sampled(jobId: string): void {
    this.#sampled.add(jobId)
  }

  async #increment(): Promise<boolean> {
    const before = this.#last
    const use = await this.#parts.store.restores.count()
    // The store was restored while this process runs.
    const isRestored = before !== undefined && isBehind({ ...use, count: use.count - 1 }, before)
    if (isRestored) await this.#hold("counter", null, before.count)
    else await this.#writeMarker(use)
    return !isRestored
  }

  async #hold(sign: RestoreSign, since: number | null, above: number): Promise<void> {
    const { audit, events, log, store } = this.#parts
    const at = await store.jobs.now()
    const held = await store.restores.hold({ sign, at, since }, crypto.randomUUID(), above)
    await this.#writeMarker(await store.restores.get())
    log.warn({ sign, held }, "The store is a restored backup: its jobs are held and looked up.")
    events.publish({ topic: "job", id: "all" })
    const on = { kind: "store", id: sign, label: null }
    const note = `${held} unfinished jobs are held.`
    const entry = entryOf(itself, { action: "store.restored", on, outcome: "done", note })
    await audit.record(entry).catch((error: unknown) => log.error({ err: error }, "audit entry lost"))
  }

  async #readMarker(): Promise<Marker | undefined> {
    const { log, restoreMarker } = this.#parts
    try {
      return await readMarker(restoreMarker)
    } catch (error) {
      log.warn({ err: error }, "The restore marker could not be read, so it says nothing.")
      return undefined
    }
  }

  async #writeMarker({ epoch, count }: Marker): Promise<void> {
    const { log, restoreMarker } = this.#parts
    this.#last = { epoch, count }
    try {
      await restoreMarker?.write(JSON.stringify(this.#last))
    } catch (error) {
      log.warn({ err: error }, "The restore marker could not be written.")
    }
  }
}
