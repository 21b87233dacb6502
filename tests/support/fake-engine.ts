import type { EngineContext } from "../../core/jobs/engine-context.ts"
import type { JobContext, KindRules } from "../../core/jobs/job-kind.ts"
import type { JobChange, JobRecord, RowChange, RowChanged } from "../../core/jobs/job-store.ts"
import { jobOf } from "./job-records.ts"

/** Engine timings in unit tests, ms. */
const unitTimes = { settleMs: 1000, recheckMs: 700, leaseMs: 8000, callMs: 800 }

/** An engine context that records its calls. */
export interface FakeEngine {
  readonly context: EngineContext
  /** Row changes, in order. */
  readonly changes: RowChange[]
  /** Job changes with the states they require. */
  readonly jobChanges: { readonly from: readonly string[]; readonly set: JobChange["set"] }[]
  /** All other calls, as `name: arguments`. */
  readonly calls: string[]
  /** Results of the next `changeRows` calls; `changed` when empty. */
  readonly results: RowChanged[][]
  now: number
  /** The job in the store. */
  job: JobRecord
}

/** Creates a fake engine; `parts` and `storeParts` override its dependencies. */
export function fakeEngine(parts: object = {}, storeParts: object = {}): FakeEngine {
  const calls: string[] = []
  const note =
    (name: string) =>
    (...args: readonly unknown[]): void => {
      calls.push(
        `${name}: ${args.map((arg) => (typeof arg === "string" ? arg : JSON.stringify(arg))).join(" ")}`,
      )
    }
  const engine: Omit<FakeEngine, "context"> = {
    changes: [],
    jobChanges: [],
    calls,
    results: [],
    now: 100_000,
    job: jobOf(),
  }
  const jobs = {
    async changeRows(_: string, changes: readonly RowChange[]): Promise<RowChanged[]> {
      engine.changes.push(...changes)
      return engine.results.shift() ?? changes.map(() => "changed")
    },
    async change(_: string, from: readonly string[], set: JobChange["set"]) {
      engine.jobChanges.push({ from, set })
      return { ...engine.job, ...set }
    },
    get: async () => engine.job,
    hurry: async (...args: readonly unknown[]) => note("hurry")(...args),
    claims: async () => new Map(),
    rowsIn: async () => [],
    ...storeParts,
  }
  const context = {
    store: { jobs },
    config: { jobs: unitTimes },
    time: {
      now: () => engine.now,
      noteServiceTime: note("service time"),
      fromServiceTime: (_: string, at: number) => at - 50,
      toServiceTime: (_: string, at: number) => at + 50,
    },
    clock: {
      now: () => engine.now,
      monotonic: () => engine.now,
      sleep: async (ms: number) => {
        engine.now += ms
        note("sleep")(ms)
      },
    },
    instances: { isOver: async () => true, dead: async () => [] },
    gaps: { record: note("gap"), largest: () => 0 },
    self: "this",
    jobChanged: note("job changed"),
    jobMoved: note("job moved"),
    notifyLater: note("later"),
    audit: { together: (_: unknown, work: (entry: undefined) => unknown) => work(undefined) },
    events: { publish: note("event") },
    reads: { invalidate: note("invalidate") },
    metrics: { runTakenOver: note("run taken over") },
    log: { error: note("error"), warn: note("warn"), info: note("info") },
    ...parts,
  }
  return Object.assign(engine, { context: context as unknown as EngineContext })
}

/** The context of a job with these kind rules. */
export function contextWith(engine: FakeEngine, rules: Partial<KindRules>, job = jobOf()): JobContext {
  return { ...engine.context, job, rules: rules as KindRules }
}
