import type { Clock, Log } from "./ports.ts"

/** What a run of a key asks for: nothing more, or to run again at a time of this machine's clock. */
export type RunEnd = "done" | { readonly againAt: number }

/** Names of the queues. */
export type QueueName = "job" | "ingest"

/**
 * Decides which instance runs what. Two implementations: in-process (SQLite, demo) and pg-boss (PostgreSQL).
 * `Tx`: a transaction of the store.
 */
export interface Dispatcher<Tx> {
  /**
   * Runs at most one `run` for a key in the cluster at a time, `atOnce` of them on this instance. The signal aborts at
   * the latest 7.5 s after the claim was last confirmed, also while the database is out of reach. A run that throws is
   * retried after 5 s, without limit.
   */
  work(queue: QueueName, atOnce: number, run: (key: string, signal: AbortSignal) => Promise<RunEnd>): void
  /**
   * Makes a key due now, or at `at` (which never postpones what is due earlier). Duplicates coalesce. `within`: the
   * transaction that makes it due. An active run gets changes over the event bus, not here.
   */
  wake(queue: QueueName, key: string, options?: { readonly at?: number; readonly within?: Tx }): Promise<void>
  /** Runs once per cluster, at most one at a time, also more often than once a minute. */
  duty(name: string, everyMs: number, run: (signal: AbortSignal) => Promise<void>): void
  start(): Promise<void>
  stop(): Promise<void>
}

/** Wait before a run that threw is taken up again, ms. */
export const retryAfterMs = 5000

/** A duty as the run of a key that is always due again; a failure is logged. */
export function dutyRun(
  clock: Clock,
  log: Log,
  duty: string,
  everyMs: number,
  run: (signal: AbortSignal) => Promise<void>,
) {
  return async (_: string, signal: AbortSignal): Promise<RunEnd> => {
    await run(signal).catch((error: unknown) =>
      log.warn({ err: error, duty }, "a step in the background failed"),
    )
    return { againAt: clock.now() + everyMs }
  }
}

interface Queue {
  readonly atOnce: number
  readonly run: (key: string, signal: AbortSignal) => Promise<RunEnd>
  /** When keys are due, on the monotonic clock. */
  readonly due: Map<string, number>
  readonly running: Map<string, Promise<void>>
}

/**
 * A dispatcher within one process. A store in a file has one connection, so the first read of a run that is woken
 * within a transaction waits for the end of that transaction.
 */
export function createInProcessDispatcher(clock: Clock, log: Log): Dispatcher<unknown> {
  const stopped = new AbortController()
  const queues = new Map<string, Queue>()
  let isStarted = false

  function add(name: string, atOnce: number, run: Queue["run"]): void {
    queues.set(name, { atOnce, run, due: new Map(), running: new Map() })
  }

  function makeDue(queue: Queue, key: string, at: number): void {
    const inMs = Math.max(0, at - clock.now())
    const dueAt = clock.monotonic() + inMs
    if ((queue.due.get(key) ?? Infinity) <= dueAt) return
    queue.due.set(key, dueAt)
    if (inMs === 0) startDue(queue)
    else void startLater(queue, key, dueAt)
  }

  async function startLater(queue: Queue, key: string, dueAt: number): Promise<void> {
    try {
      await clock.sleep(dueAt - clock.monotonic(), stopped.signal)
    } catch {
      return
    }
    // A timer may be early by the clock it was set with.
    if (queue.due.get(key) === dueAt) queue.due.set(key, Math.min(dueAt, clock.monotonic()))
    startDue(queue)
  }

  function startDue(queue: Queue): void {
    if (!isStarted || stopped.signal.aborted) return
    const now = clock.monotonic()
    const ready = [...queue.due].filter(([key, at]) => at <= now && !queue.running.has(key))
    const free = queue.atOnce - queue.running.size
    for (const [key] of ready.toSorted(([, one], [, other]) => one - other).slice(0, Math.max(0, free))) {
      queue.due.delete(key)
      queue.running.set(key, runOne(queue, key))
    }
  }

  async function runOne(queue: Queue, key: string): Promise<void> {
    try {
      // The caller has noted the run by then.
      await Promise.resolve()
      const end = await queue.run(key, stopped.signal)
      if (end !== "done") makeDue(queue, key, end.againAt)
    } catch (error) {
      log.error({ err: error, key }, "a run ended with an error and is taken up again")
      makeDue(queue, key, clock.now() + retryAfterMs)
    } finally {
      queue.running.delete(key)
      startDue(queue)
    }
  }

  return {
    work: add,
    async wake(name, key, { at = clock.now() } = {}) {
      const queue = queues.get(name)
      if (queue !== undefined) makeDue(queue, key, at)
    },
    duty(name, everyMs, run) {
      const queueName = `duty ${name}`
      add(queueName, 1, dutyRun(clock, log, name, everyMs, run))
      const queue = queues.get(queueName)
      if (queue !== undefined) makeDue(queue, name, clock.now() + everyMs)
    },
    async start() {
      isStarted = true
      for (const queue of queues.values()) startDue(queue)
    },
    async stop() {
      stopped.abort(new Error("Laurel stops"))
      await Promise.all([...queues.values()].flatMap(({ running }) => [...running.values()]))
    },
  }
}
