import * as z from "zod/mini"
import { type CreateJobBody, job, type Job } from "../../contract/job.ts"
import { jobRow, type JobRow } from "../../contract/job-rows.ts"
import type { ApiResponse } from "../../core/http.ts"
import type { Clock, Upstream, UpstreamCall } from "../../core/ports.ts"
import { createMemoryStore } from "./memory-store.ts"
import { createMadeUpService, type MadeUpService } from "../faults/made-up-service.ts"
import { createTestKit, type TestKit, type KitOptions } from "./test-kit.ts"
import { createFakeClock } from "./fake-clock.ts"

/** A response that replaces the service's; undefined: the service responds. */
type Instead = (call: UpstreamCall) => { readonly status: number; readonly body: unknown } | undefined

/** An app that processes jobs on a manually advanced clock, over a service with its own ledger. */
export interface PointsApp extends Omit<TestKit, "upstream"> {
  readonly service: MadeUpService
  /** Received calls, in order. */
  readonly calls: readonly UpstreamCall[]
  /** Bodies of the calls to one path. */
  bodies(path: string): unknown[]
  /** Replaces some responses from now on; those calls have no effect. */
  instead(answer: Instead): void
  post(path: string, body: unknown): Promise<ApiResponse>
  make(body: CreateJobBody): Promise<Job>
  read(id: string): Promise<Job>
  rows(id: string): Promise<JobRow[]>
  /** Advances the clock; ten minutes and more in steps of 10 s, within which the engine still renews its leases. */
  pass(ms: number): Promise<void>
  /** Advances the clock until the job reaches the state; throws after a day. */
  until(id: string, wanted: Job["state"] | ((job: Job) => boolean)): Promise<Job>
  /** Advances the clock until `work` settles. */
  meanwhile<T>(work: Promise<T>): Promise<T>
}

const stepMs = 1000
const restMs = 30 * stepMs
const dayMs = 86_400_000

/** Starts the app. Members are `mem_1`, `mem_2`, … */
export function createPointsApp(options: KitOptions & { readonly members?: number } = {}): PointsApp {
  const clock = options.clock ?? createFakeClock()
  const ids = Array.from({ length: options.members ?? 60 }, (_, at) => `mem_${at + 1}`)
  const started = clock.now()
  // The service's clock is independent of shifts of Laurel's clock.
  const steady: Clock = { ...clock, now: () => started + clock.monotonic() }
  const service = createMadeUpService(steady, ids, 12_000)
  const calls: UpstreamCall[] = []
  let instead: Instead = () => undefined
  const upstream: Upstream = {
    async send(call) {
      calls.push(call)
      const other = instead(call)
      if (other === undefined) return service.upstream.send(call)
      await clock.sleep(10)
      return { kind: "answer", ...other, ms: 10, endedAt: clock.now() }
    },
  }
  const kit = createTestKit({ store: createMemoryStore(clock), ...options, clock, upstream })
  kit.app.start()
  let keys = 0

  const dataOf = <T>(answer: ApiResponse, schema: z.ZodMiniType<T>): T => {
    const read = z.object({ data: schema }).safeParse(answer.body)
    if (!read.success) throw new Error(`Answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return read.data.data
  }
  const post = (path: string, body: unknown) => {
    keys += 1
    return kit.ask(`POST ${path}`, { body, headers: { "idempotency-key": `key-${keys}` } })
  }
  const read = async (id: string) => dataOf(await kit.ask(`GET /jobs/${id}`), job)
  return {
    ...kit,
    service,
    calls,
    bodies: (path) => calls.filter((call) => call.path === path).map(({ body }) => body),
    instead(answer) {
      instead = answer
    },
    post,
    make: async (body) => dataOf(await post("/jobs", body), job),
    read,
    rows: async (id) => dataOf(await kit.ask(`GET /jobs/${id}/rows?per_page=100`), z.array(jobRow)),
    pass: (ms) => clock.advance(ms, ms >= 600_000 ? 10_000 : 1),
    async until(id, wanted) {
      const isReached = typeof wanted === "string" ? ({ state }: Job) => state === wanted : wanted
      // A job changes with an event: without one, it is read only now and then.
      let seen = -1
      for (const end = clock.monotonic() + dayMs; clock.monotonic() < end; await clock.advance(stepMs)) {
        if (kit.events.length === seen && clock.monotonic() % restMs !== 0) continue
        seen = kit.events.length
        const current = await read(id)
        if (isReached(current)) return current
      }
      throw new Error(`Still ${JSON.stringify(await read(id))}`)
    },
    async meanwhile(work) {
      const over = new AbortController()
      const end = () => over.abort()
      // The result is awaited below.
      work.then(end, end)
      while (!over.signal.aborted) await clock.advance(stepMs)
      return work
    },
  }
}

/** Award rows for `mem_1`, `mem_2`, … */
export function awardsFor(count: number): { member_id: string; points: number; reason: string }[] {
  return Array.from({ length: count }, (_, at) => ({
    member_id: `mem_${at + 1}`,
    points: 100,
    reason: "Q3 bonus",
  }))
}

/** A refusal by the program service. */
export function refusal(status: number, code: string) {
  return { status, body: { success: false, error: { code, message: "It was not accepted" } } }
}
