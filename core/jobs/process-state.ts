import * as z from "zod/mini"
import type { Api } from "../../contract/response.ts"
import type { RestoreSign } from "../../contract/status.ts"
import { entryOf } from "../audit-log.ts"
import type { CoreContext } from "../context.ts"
import type { Clock } from "../ports.ts"
import type { JobRecord, JobStore } from "./job-store.ts"
import type { StoreUse } from "./process-store.ts"
import { isHeld } from "./records.ts"

// In-memory state of one process. Losing it costs time, never money.

const refreshEveryMs = 10_000
/** A larger change between refreshes is no drift: the clock was set. */
const mostDriftMs = 2000
const headerCutMs = 500
const offsetTtlMs = 7_200_000
const sliceMs = 300_000

export type StoreTime = ReturnType<typeof createStoreTime>

/** The store's clock, which all instances share, and the services' clocks. Call `refresh` before use. */
export function createStoreTime(store: Pick<JobStore, "now">, clock: Clock) {
  let ahead = clock.now() - clock.monotonic()
  let refreshedAt = -Infinity
  const offsets = new Map<Api, { readonly since: number; least: number }[]>()
  /** The smallest recent offset: servers may differ, and reading from too early only costs a page. */
  const offsetOf = (api: Api): number | undefined => {
    const recent = offsets.get(api)
    return recent && Math.min(...recent.map(({ least }) => least))
  }
  const shifted = (api: Api, at: number, sign: 1 | -1) => {
    const offset = offsetOf(api)
    return offset === undefined ? undefined : at + sign * offset
  }
  /** The store's time, ms since 1970; unaffected by jumps of this machine's wall clock. */
  const now = () => ahead + clock.monotonic()
  return {
    now,
    async refresh() {
      if (clock.monotonic() - refreshedAt < refreshEveryMs) return
      const before = clock.monotonic()
      const storeNow = await store.now()
      const after = clock.monotonic()
      const measured = storeNow - (before + after) / 2
      // Follow small drift only: setting the clock must not age rows.
      if (refreshedAt === -Infinity || Math.abs(measured - ahead) <= mostDriftMs) ahead = measured
      refreshedAt = after
    },
    noteServiceTime(api: Api, serviceTime: number | undefined) {
      if (serviceTime === undefined) return
      const offset = serviceTime + headerCutMs - now()
      const since = clock.monotonic()
      const recent = (offsets.get(api) ?? []).filter((one) => since - one.since < offsetTtlMs)
      const last = recent.at(-1)
      if (last !== undefined && since - last.since < sliceMs) last.least = Math.min(last.least, offset)
      else recent.push({ since, least: offset })
      offsets.set(api, recent)
    },
    toServiceTime: (api: Api, at: number) => shifted(api, at, 1),
    fromServiceTime: (api: Api, at: number) => shifted(api, at, -1),
  }
}

const gapTtlMs = 7_200_000

export type Gaps = ReturnType<typeof createGaps>

/** Recent delays between the end of a call and the booking of its effect. */
export function createGaps(clock: Clock) {
  let recent: { readonly at: number; readonly ms: number }[] = []
  return {
    /** Records an effect booked `ms` after the end of its call; negative: before. */
    record(ms: number) {
      if (ms > 0) recent.push({ at: clock.monotonic(), ms })
    },
    largest() {
      recent = recent.filter(({ at }) => clock.monotonic() - at < gapTtlMs)
      return recent.reduce((most, { ms }) => Math.max(most, ms), 0)
    },
  }
}

const recheckInstanceMs = 2000
/** Silence after which no further heartbeat is expected, in ms; they come every 5 s. */
const silentMs = 15_000

export type Instances = ReturnType<typeof createInstances>

/** Tells whether the calls of an instance have ended; `self` is this one. */
export function createInstances(
  { store, processes, clock }: Pick<CoreContext, "store" | "processes" | "clock">,
  self: string,
) {
  const ended = new Set<string>()
  const checked = new Map<string, { readonly at: number; readonly over: boolean }>()
  /** The last heartbeat of an instance when it was first proven dead; Infinity: a later one disproved it. */
  const proven = new Map<string, number>()

  async function hasEnded(owner: string): Promise<boolean> {
    if (ended.has(owner)) return true
    const before = checked.get(owner)
    if (before !== undefined && clock.monotonic() - before.at < recheckInstanceMs) return before.over
    const over = await check(owner)
    checked.set(owner, { at: clock.monotonic(), over })
    return over
  }

  async function check(owner: string): Promise<boolean> {
    const record = await store.instances.get(owner)
    if (record === undefined) return false
    if (record.stoppedAt !== null) {
      ended.add(owner)
      return true
    }
    const silent = (await store.jobs.now()) - record.beatAt
    if (processes.alone !== true && (await processes.look(record.process, silent)) !== "gone") return false
    const beatAt = proven.get(owner) ?? record.beatAt
    // A newer heartbeat disproves the death.
    const isAlive = record.beatAt > beatAt || beatAt === Infinity
    proven.set(owner, isAlive ? Infinity : beatAt)
    if (!isAlive && silent >= silentMs) ended.add(owner)
    return !isAlive
  }

  return {
    /** Whether its calls have ended. A missing heartbeat proves nothing: the process may be frozen. */
    isOver: async (owner: string | null) => owner === self || (owner !== null && (await hasEnded(owner))),
    async dead() {
      const dead: string[] = []
      for (const { id } of await store.instances.list())
        if (id !== self && (await hasEnded(id))) dead.push(id)
      return dead
    },
  }
}

const markerSchema = z.object({ epoch: z.string(), count: z.number() })
type Marker = z.output<typeof markerSchema>

/** Whether the store is older than the marker: a lower count, or the marker's epoch is unknown to it. */
export function isBehind(store: Pick<StoreUse, "epoch" | "earlier" | "count">, marker: Marker): boolean {
  if (store.epoch === marker.epoch) return store.count < marker.count
  return !store.earlier.includes(marker.epoch)
}

const itself = { user: { id: "laurel", name: "Laurel", role: "system" }, requestId: "start" }

export type RestoreGuard = ReturnType<typeof createRestoreGuard>

/** Detects a restored store by the marker of the process that used it last (docs/restore.md). */
export function createRestoreGuard(
  parts: Pick<CoreContext, "store" | "config" | "events" | "audit" | "log" | "restoreMarker">,
) {
  const { store, restoreMarker, config, events, audit, log } = parts
  const done = new Set<string>()
  let waiting: readonly string[] = []
  let startedAt = Infinity
  let since: number | null = null
  let last: Marker | undefined
  let counting: Promise<unknown> = Promise.resolve()
  let next: Promise<boolean> | undefined

  async function readMarker(): Promise<Marker | undefined> {
    try {
      const text = await restoreMarker?.read()
      return text === undefined ? undefined : markerSchema.parse(JSON.parse(text))
    } catch (error) {
      log.warn({ err: error }, "What is kept beside the store could not be read, so it says nothing.")
      return undefined
    }
  }

  async function writeMarker({ epoch, count }: Marker): Promise<void> {
    last = { epoch, count }
    try {
      await restoreMarker?.write(JSON.stringify(last))
    } catch (error) {
      log.warn({ err: error }, "The store's counter could not be kept beside it.")
    }
  }

  async function hold(sign: RestoreSign, known: number | null, above: number): Promise<void> {
    const at = await store.jobs.now()
    const held = await store.restores.hold({ sign, at, since: known }, crypto.randomUUID(), above)
    await writeMarker(await store.restores.get())
    log.warn({ sign, held }, "The store is a restored backup: its jobs are held and looked up.")
    events.publish({ topic: "job", id: "all" })
    const on = { kind: "store", id: sign, label: null }
    const note = `${held} unfinished jobs are held.`
    const entry = entryOf(itself, { action: "store.restored", on, outcome: "done", note })
    await audit.record(entry).catch((error: unknown) => log.error({ err: error }, "audit entry lost"))
  }

  async function increment(): Promise<boolean> {
    const before = last
    const use = await store.restores.count()
    // The store was restored while this process runs.
    const isRestored = before !== undefined && isBehind({ ...use, count: use.count - 1 }, before)
    if (isRestored) await hold("counter", null, before.count)
    else await writeMarker(use)
    return !isRestored
  }

  /**
   * Increments the count in the store and then in the marker, so that a crash in between does not look like a restore.
   * Concurrent callers share the next increment, because the running one may have begun before their intents.
   * @returns false when the store was restored meanwhile
   * @throws the store's error: then nothing may be sent
   */
  function count(): Promise<boolean> {
    next ??= counting
      .catch(() => undefined)
      .then(() => {
        next = undefined
        const count = increment()
        counting = count
        return count
      })
    return next
  }

  return {
    count,
    /** When the store was last known to be complete, as read at the start; null: unknown. */
    get since() {
      return since
    },
    /** Holds all jobs if the store is behind its marker or an operator requests it. Must run before anything is sent. */
    async check() {
      const [use, marker, busy, any] = await Promise.all([
        store.restores.get(),
        readMarker(),
        store.jobs.busy(),
        store.jobs.list({ perPage: 1 }),
      ])
      since = use.countedAt
      last = { epoch: use.epoch, count: use.count }
      // A store without jobs is new: nothing in it could be done twice.
      const isNew = any.length === 0
      const isRestored = marker !== undefined && !isNew && isBehind(use, marker)
      if (isNew) await writeMarker(use)
      if (isRestored || config.startHeld === true)
        await hold(isRestored ? "counter" : "operator", since, marker?.count ?? 0)
      waiting = busy.map(({ id }) => id)
      startedAt = await store.jobs.now()
    },
    async alive() {
      const left = waiting.filter((id) => !done.has(id))
      const jobs = await Promise.all(left.map((id) => store.jobs.get(id)))
      waiting = jobs.flatMap((job) =>
        job?.state === "running" && job.counts.planned > 0 && !isHeld(job) ? job.id : [],
      )
      if (waiting.length === 0) await count()
    },
    hold: (sign: RestoreSign) => hold(sign, since, last?.count ?? 0),
    /** Whether a job is older than this process, which has neither sampled nor sent any of its rows. */
    isUnsampled: ({ id, createdAt }: Pick<JobRecord, "id" | "createdAt">) =>
      createdAt < startedAt && !done.has(id),
    sampled(jobId: string) {
      done.add(jobId)
    },
  }
}
