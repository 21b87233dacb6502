import { firstBulkRows } from "../../contract/estimates.ts"
import * as z from "zod/mini"
import type { Api } from "../../contract/response.ts"
import type { RestoreSign } from "../../contract/status.ts"
import { entryOf } from "../audit-log.ts"
import type { CoreContext } from "../context.ts"
import type { Clock } from "../ports.ts"
import type { JobRecord, JobStore } from "./job-store.ts"
import type { StoreUse } from "./process-store.ts"
import { isHeld } from "./records.ts"

// What one process knows while it works on jobs. Losing it loses time, never money.

const refreshEveryMs = 10_000
/** More than this within seconds is no drift: somebody set the clock. */
const mostDriftMs = 2000
const headerCutMs = 500
const keptMs = 7_200_000
const sliceMs = 300_000

export type StoreTime = ReturnType<typeof createStoreTime>

/** The clocks that matter: the store's, which all instances share, and each service's. `refresh` once before use. */
export function createStoreTime(store: Pick<JobStore, "now">, clock: Clock) {
  let ahead = clock.now() - clock.monotonic()
  let refreshedAt = -Infinity
  const offsets = new Map<Api, { readonly since: number; least: number }[]>()
  /** Servers of one service may differ, and to read from too early only costs a page. */
  const offsetOf = (api: Api): number | undefined => {
    const kept = offsets.get(api)
    return kept && Math.min(...kept.map(({ least }) => least))
  }
  const shifted = (api: Api, at: number, sign: 1 | -1) => {
    const offset = offsetOf(api)
    return offset === undefined ? undefined : at + sign * offset
  }
  /** The store's time now, ms since 1970; it does not jump when this machine's wall clock does. */
  const now = () => ahead + clock.monotonic()
  return {
    now,
    async refresh() {
      if (clock.monotonic() - refreshedAt < refreshEveryMs) return
      const before = clock.monotonic()
      const there = await store.now()
      const after = clock.monotonic()
      const found = there - (before + after) / 2
      // A clock that was set makes no row older: only the small drift of a running one is followed.
      if (refreshedAt === -Infinity || Math.abs(found - ahead) <= mostDriftMs) ahead = found
      refreshedAt = after
    },
    noteServiceTime(api: Api, serviceTime: number | undefined) {
      if (serviceTime === undefined) return
      const offset = serviceTime + headerCutMs - now()
      const since = clock.monotonic()
      const kept = (offsets.get(api) ?? []).filter((one) => since - one.since < keptMs)
      const last = kept.at(-1)
      if (last !== undefined && since - last.since < sliceMs) last.least = Math.min(last.least, offset)
      else kept.push({ since, least: offset })
      offsets.set(api, kept)
    },
    toServiceTime: (api: Api, at: number) => shifted(api, at, 1),
    fromServiceTime: (api: Api, at: number) => shifted(api, at, -1),
  }
}

const lateKeptMs = 7_200_000

export type Gaps = ReturnType<typeof createGaps>

/** How long after the end of their calls effects were still booked. */
export function createGaps(clock: Clock) {
  let kept: { readonly at: number; readonly ms: number }[] = []
  return {
    /** One was found `ms` after its call ended; negative: before. */
    seen(ms: number) {
      if (ms > 0) kept.push({ at: clock.monotonic(), ms })
    },
    largest() {
      kept = kept.filter(({ at }) => clock.monotonic() - at < lateKeptMs)
      return kept.reduce((most, { ms }) => Math.max(most, ms), 0)
    },
  }
}

const recheckInstanceMs = 2000
/** A heartbeat comes every 5 s: after so long without one none follows, in ms. */
const silentMs = 15_000

export type Instances = ReturnType<typeof createInstances>

/** Whether the calls of instances are over; `self` is this one. */
export function createInstances(
  { store, processes, clock }: Pick<CoreContext, "store" | "processes" | "clock">,
  self: string,
) {
  const gone = new Set<string>()
  const checked = new Map<string, { readonly at: number; readonly over: boolean }>()
  /** The last heartbeat of an instance when its end was first proven; Infinity: a later one disproved it. */
  const proven = new Map<string, number>()

  async function isGone(owner: string): Promise<boolean> {
    if (gone.has(owner)) return true
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
      gone.add(owner)
      return true
    }
    const silent = (await store.jobs.now()) - record.beatAt
    if (processes.alone !== true && (await processes.look(record.process, silent)) !== "gone") return false
    const beatAt = proven.get(owner) ?? record.beatAt
    // A living heartbeat disproves whatever seemed to prove the end.
    const isAlive = record.beatAt > beatAt || beatAt === Infinity
    proven.set(owner, isAlive ? Infinity : beatAt)
    if (!isAlive && silent >= silentMs) gone.add(owner)
    return !isAlive
  }

  return {
    /** Whether its calls are over: a silent heartbeat proves nothing, its process may be frozen. */
    isOver: async (owner: string | null) => owner === self || (owner !== null && (await isGone(owner))),
    async dead() {
      const found: string[] = []
      for (const { id } of await store.instances.list()) if (id !== self && (await isGone(id))) found.push(id)
      return found
    },
  }
}

const kept = z.object({ epoch: z.string(), count: z.number() })
type Kept = z.output<typeof kept>

/** A store of a later epoch knows the one beside it; one that does not was put back from before it. */
export function isBehind(store: Pick<StoreUse, "epoch" | "earlier" | "count">, beside: Kept): boolean {
  if (store.epoch === beside.epoch) return store.count < beside.count
  return !store.earlier.includes(beside.epoch)
}

const itself = { user: { id: "laurel", name: "Laurel", role: "system" }, requestId: "start" }

export type RestoreGuard = ReturnType<typeof createRestoreGuard>

/** Notices that the store is older than the process that used it last (docs/restore.md). */
export function createRestoreGuard(
  parts: Pick<CoreContext, "store" | "config" | "events" | "audit" | "log" | "beside">,
) {
  const { store, beside, config, events, audit, log } = parts
  const done = new Set<string>()
  let waiting: readonly string[] = []
  let startedAt = Infinity
  let since: number | null = null
  let last: Kept | undefined
  let counting: Promise<unknown> = Promise.resolve()
  let next: Promise<boolean> | undefined

  async function readBeside(): Promise<Kept | undefined> {
    try {
      const text = await beside?.read()
      return text === undefined ? undefined : kept.parse(JSON.parse(text))
    } catch (error) {
      log.warn({ err: error }, "What is kept beside the store could not be read, so it says nothing.")
      return undefined
    }
  }

  async function keep({ epoch, count }: Kept): Promise<void> {
    last = { epoch, count }
    try {
      await beside?.write(JSON.stringify(last))
    } catch (error) {
      log.warn({ err: error }, "The store's counter could not be kept beside it.")
    }
  }

  async function hold(sign: RestoreSign, known: number | null, above: number): Promise<void> {
    const at = await store.jobs.now()
    const held = await store.restores.hold({ sign, at, since: known }, crypto.randomUUID(), above)
    await keep(await store.restores.get())
    log.warn({ sign, held }, "The store is a restored backup: its jobs are held and looked up.")
    events.publish({ topic: "job", id: "all" })
    const on = { kind: "store", id: sign, label: null }
    const note = `${held} unfinished jobs are held.`
    const entry = entryOf(itself, { action: "store.restored", on, outcome: "done", note })
    await audit.record(entry).catch((error: unknown) => log.error({ err: error }, "audit entry lost"))
  }

  async function countOn(): Promise<boolean> {
    const before = last
    const use = await store.restores.count()
    // Put back while this process runs.
    const isBack = before !== undefined && isBehind({ ...use, count: use.count - 1 }, before)
    if (isBack) await hold("counter", null, before.count)
    else await keep(use)
    return !isBack
  }

  /**
   * Counts on, in the store first and then beside it, so that a crash in between never looks like a restore. Those who
   * call it while it counts share the next count: what is being counted may have begun before their intents.
   * @returns false when the store was put back meanwhile
   * @throws what the store threw: then nothing may be sent
   */
  function count(): Promise<boolean> {
    next ??= counting
      .catch(() => undefined)
      .then(() => {
        next = undefined
        const count = countOn()
        counting = count
        return count
      })
    return next
  }

  return {
    count,
    /** As the start found it; null: not known. */
    get since() {
      return since
    },
    /**
     * Holds every job if the store is behind what is kept beside it, or an operator says so. Nothing is sent before.
     */
    async check() {
      const [use, there, busy, any] = await Promise.all([
        store.restores.get(),
        readBeside(),
        store.jobs.busy(),
        store.jobs.list({ perPage: 1 }),
      ])
      since = use.countedAt
      last = { epoch: use.epoch, count: use.count }
      // A store without jobs is a new one: there is nothing in it that could be done twice.
      const isNew = any.length === 0
      const isBack = there !== undefined && !isNew && isBehind(use, there)
      if (isNew) await keep(use)
      if (isBack || config.startHeld === true)
        await hold(isBack ? "counter" : "operator", since, there?.count ?? 0)
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
    /** Whether a job was there before this process and nothing of it was sent or sampled by this process yet. */
    isUnsampled: ({ id, createdAt }: Pick<JobRecord, "id" | "createdAt">) =>
      createdAt < startedAt && !done.has(id),
    sampled(jobId: string) {
      done.add(jobId)
    },
  }
}

/** How many awards go into the next bulk request: few at first, more after quick responses, up to `most`. */
export function createBulkSize(most: number) {
  let max = most
  let size = Math.min(firstBulkRows, max)
  let isProven = false
  let canariesOut = 0
  let isAlone = false
  const back = () => {
    canariesOut = Math.max(0, canariesOut - 1)
  }
  return {
    /** A whole request was refused: until one row was confirmed alone, rows go alone, so that there is a control. */
    get alone() {
      return isAlone
    },
    sentAlone() {
      isAlone = false
    },
    /** 0 while the first request has not been answered. */
    next: () => (isProven || canariesOut === 0 ? size : 0),
    sent() {
      canariesOut += 1
    },
    answered(ms: number, callMs: number) {
      back()
      isAlone = false
      isProven = true
      if (ms <= callMs / 4) size = Math.min(size * 2, max)
    },
    unknown() {
      back()
      size = Math.max(1, Math.floor(size / 2))
    },
    notDone: back,
    refused(rows: number) {
      back()
      isAlone = true
      max = Math.max(1, Math.floor(rows / 2))
      size = Math.min(size, max)
      return max
    },
  }
}

export type Run = ReturnType<typeof createRun>

/** `signal`: this process stops, or another one has taken the job over. */
export function createRun(clock: Clock, job: Pick<JobRecord, "id" | "bulkSize">, signal: AbortSignal) {
  let isSignalled = false
  let last = Promise.resolve()
  let rest: AbortController | undefined
  return {
    jobId: job.id,
    signal,
    /** As `row:attempt`. */
    inFlight: new Set<string>(),
    bulk: createBulkSize(job.bulkSize),
    /** A call of this run was taken up by the service: until then one at a time goes out, in case nothing will be. */
    proven: false,
    /** Nothing is sent before, monotonic ms: the service could not be reached. */
    holdUntil: -Infinity,
    /** Nothing is looked up before, monotonic ms: the key was refused, so often in a row. */
    lookupsHeldUntil: -Infinity,
    lookupsRefused: 0,
    unknownInRow: 0,
    unreachable: 0,
    /** The restore for which the job's open rows were made unknown: its time, the store's clock. */
    heldSeen: undefined as number | undefined,
    /**
     * Waits until earlier calls are on the wire, so that rows go out in their order; later ones wait for what it gives.
     */
    async turn() {
      const { promise, resolve } = Promise.withResolvers<void>()
      const before = last
      last = promise
      await before
      return () => resolve()
    },
    signalChange() {
      isSignalled = true
      rest?.abort()
    },
    async wait(ms: number) {
      if (!isSignalled) {
        rest = new AbortController()
        // Whatever ends the rest early is a reason to work on.
        await clock.sleep(ms, AbortSignal.any([rest.signal, signal])).catch(() => undefined)
        rest = undefined
      }
      isSignalled = false
    },
  }
}
