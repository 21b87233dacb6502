import * as z from "zod/mini"
import type { RestoreSign } from "../../contract/job.ts"
import { isHeld } from "../job-data/job-needs.ts"
import type { DeskContext } from "../context.ts"
import type { StoreUse } from "./job-store.ts"

/** Notices that the store is older than the process that used it last (docs/decisions/0012-restore.md). */
export interface RestoreGuard {
  /**
   * Compares the store with what is kept beside it, and holds every job if it is behind or an operator says so. Nothing
   * may be sent before.
   * @throws what the store threw
   */
  check(): Promise<void>
  /**
   * Counts on, in the store first and then beside it, so that a crash in between never looks like a restore: before
   * anything is sent, and while the process lives. Those who ask while it counts share the next count.
   * @returns false when the store was put back meanwhile
   * @throws what the store threw: then nothing may be sent
   */
  count(): Promise<boolean>
  /** Counts on as a sign of life, once no job of before the start waits for its sample. */
  alive(): Promise<void>
  /** Holds every job. */
  hold(sign: RestoreSign): Promise<void>
  /** When the store was last known to be complete, as the start found it; null: not known. */
  readonly since: number | null
  /** Whether a job was there before this process and nothing of it was sent or sampled by this process yet. */
  isUnsampled(job: { readonly id: string; readonly createdAt: number }): boolean
  sampled(jobId: string): void
}

const kept = z.object({ epoch: z.string(), count: z.number() })
/** What is kept beside the store. */
type Kept = z.output<typeof kept>

/**
 * Whether a store is behind what was kept beside it. A store of a later epoch knows that one among its earlier ones; one
 * that does not know the epoch was put back from before it began.
 */
export function isBehind(store: Pick<StoreUse, "epoch" | "earlier" | "count">, beside: Kept): boolean {
  if (store.epoch === beside.epoch) return store.count < beside.count
  return !store.earlier.includes(beside.epoch)
}

/** Makes it. */
export function createRestoreGuard({
  store,
  beside,
  config,
  events,
  audit,
  log,
}: Pick<DeskContext, "store" | "config" | "events" | "audit" | "log"> &
  Partial<Pick<DeskContext, "beside">>): RestoreGuard {
  const done = new Set<string>()
  let waiting: readonly string[] = []
  let startedAt = Infinity
  let since: number | null = null
  let last: Kept | undefined
  let counting: Promise<boolean> | undefined
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
    await audit
      .record({
        actor: { id: "laurel", name: "Laurel", role: "system" },
        action: "store.restored",
        area: "desk",
        on: { kind: "store", id: sign, label: null },
        outcome: "done",
        note: `${held} unfinished jobs are held.`,
        changes: [],
        request_id: "start",
        source: null,
      })
      .catch((error: unknown) => log.error({ err: error }, "audit entry lost"))
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

  function startCount(): Promise<boolean> {
    const mine = countOn().finally(() => {
      if (counting === mine) counting = undefined
    })
    counting = mine
    return mine
  }

  /** What is being counted may have begun before the intent of whoever asks now. */
  async function afterThis(): Promise<boolean> {
    await counting?.catch(() => undefined)
    next = undefined
    return startCount()
  }

  async function stillWaiting(): Promise<boolean> {
    const left = waiting.filter((id) => !done.has(id))
    const found = await Promise.all(left.map((id) => store.jobs.get(id)))
    waiting = left.filter((_, at) => {
      const job = found[at]
      return job?.state === "running" && job.counts.planned > 0 && !isHeld(job)
    })
    return waiting.length > 0
  }

  const guard: RestoreGuard = {
    get since() {
      return since
    },
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
    count() {
      if (counting === undefined) return startCount()
      next ??= afterThis()
      return next
    },
    async alive() {
      if (!(await stillWaiting())) await guard.count()
    },
    hold: (sign) => hold(sign, since, last?.count ?? 0),
    isUnsampled: ({ id, createdAt }) => createdAt < startedAt && !done.has(id),
    sampled(jobId) {
      done.add(jobId)
    },
  }
  return guard
}
