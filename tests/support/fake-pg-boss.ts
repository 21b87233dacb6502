import { EventEmitter } from "node:events"
import { vi } from "vitest"

interface Job {
  readonly id: string
  readonly name: string
  readonly singletonKey: string | null
}

interface Worker {
  readonly queue: string
  readonly run: (jobs: readonly Job[]) => Promise<void>
}

interface SendOptions {
  readonly singletonKey: string
  /** Seconds from now. */
  readonly startAfter: number
}

/** How many jobs a `touch` confirmed. */
export interface Touched {
  readonly affected: number
}

type Statement = (text: string, values: [string, string, number]) => Promise<{ rows: object[] }>
type Send = (queue: string, data: null, options: SendOptions) => Promise<string | null>

/**
 * pg-boss in memory: remembers when which key is due, and runs one only when a test calls `fetch`. Its statements are
 * proven on PostgreSQL (`bff/dispatch/pg-boss-tables.test.ts`).
 */
export class FakePgBoss extends EventEmitter {
  /** The one opened last. */
  static last: FakePgBoss
  /** When a key (`queue key`) is due, ms since 1970. */
  readonly queued = new Map<string, number>()
  /** Workers by their id, in the order in which they were started. */
  readonly workers = new Map<string, Worker>()
  /** Ids of the workers that got a notice. */
  readonly notified: string[] = []
  readonly options: object
  #jobs = 0

  constructor(options: object) {
    super()
    this.options = options
    FakePgBoss.last = this
  }

  readonly start = vi.fn<() => Promise<void>>(async () => undefined)
  readonly stop = vi.fn<(options: object) => Promise<void>>(async () => undefined)
  readonly offWork = vi.fn<(queue: string) => Promise<void>>(async () => undefined)
  readonly createQueue = vi.fn<(queue: string) => Promise<void>>(async () => undefined)
  readonly touch = vi.fn<(queue: string, job: Job) => Promise<Touched>>(async () => ({ affected: 1 }))

  /** Answers the statement that moves a queued key to an earlier time. */
  readonly executeSql = vi.fn<Statement>(async (_, [queue, key, inMs]) => {
    const at = this.queued.get(`${queue} ${key}`)
    if (at === undefined) return { rows: [] }
    this.queued.set(`${queue} ${key}`, Math.min(at, Date.now() + inMs))
    return { rows: [{}] }
  })

  readonly send = vi.fn<Send>(async (queue, _, { singletonKey, startAfter }) => {
    const name = `${queue} ${singletonKey}`
    if (this.queued.has(name)) return null
    this.queued.set(name, Date.now() + startAfter * 1000)
    return name
  })

  readonly upsert = vi.fn<Send>(async (queue, _, { singletonKey, startAfter }) => {
    this.queued.set(`${queue} ${singletonKey}`, Date.now() + startAfter * 1000)
    return null
  })

  getDb() {
    return { executeSql: this.executeSql }
  }

  async work(queue: string, _: object, run: Worker["run"]): Promise<string> {
    const id = `${queue} worker ${this.workers.size + 1}`
    this.workers.set(id, { queue, run })
    return id
  }

  notifyWorker(id: string): void {
    this.notified.push(id)
  }

  /** A worker gets a key and runs it to its end. */
  async fetch(workerId: string, key: string): Promise<void> {
    const worker = this.workers.get(workerId)
    if (worker === undefined) throw new Error(`There is no worker ${workerId}.`)
    this.queued.delete(`${worker.queue} ${key}`)
    this.#jobs += 1
    await worker.run([{ id: `job ${this.#jobs}`, name: worker.queue, singletonKey: key }])
  }
}
