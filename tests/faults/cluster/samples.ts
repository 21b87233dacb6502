import { migrate } from "../../../bff/store/migrations.ts"
import { openEngine } from "../../../bff/store/open-store.ts"
import { windowMs } from "../../../core/budget/rate-limiter.ts"
import { startPostgres } from "../../support/postgres.ts"
import { quietLog } from "../../support/quiet-log.ts"
import { Client } from "pg"
import type { FleetApp } from "../fleet.ts"
import { readLiveHeap } from "./heap.ts"

/** Opens `/metrics` of the instances. */
export const metricsToken = "a-token-of-the-tests"

const everyMs = 5000
/** Collecting all garbage stops a process for some 100 ms, so it is rare. */
const heapEveryMs = 30_000
/** A process is judged over its life from here on: its caches are filled by then. */
const warmMs = 60_000
/** The shortest life from then on in which a leak would show. */
const judgedMs = 120_000
const mostGrowth = 0.2

interface Sample {
  readonly at: number
  /** Resident bytes: with garbage, and with what Node has not given back. */
  readonly resident: number
  /** Seconds since the start of the process. */
  readonly cpu: number
}

/** A process from its start to its end. */
interface Life {
  readonly name: string
  readonly startedAt: number
  readonly samples: Sample[]
  /** Bytes of the heap in use after collecting all garbage, from `warmMs` on. */
  readonly heaps: { readonly at: number; readonly bytes: number }[]
}

/** Memory of a process over its life. */
interface Memory {
  readonly line: string
  /** What is wrong with it; undefined also for a process that ended too early to be judged. */
  readonly missed: string | undefined
}

/** Watches the memory of the instances and the work of their database. */
export function startSamples(databaseUrl: string, apps: readonly FleetApp[]) {
  const lives = new Map<string, Life>()
  const marks: { name: string; at: number; transactions: number; cpu: number }[] = []
  const most = { connections: 0 }

  async function sampleApp(app: FleetApp, at: number): Promise<void> {
    const headers = { Authorization: `Bearer ${metricsToken}` }
    const text = await (await fetch(`${app.url}/metrics`, { headers })).text()
    const read = (name: string) => Number(new RegExp(`^laurel_process_${name} (\\S+)`, "m").exec(text)?.[1])
    const startedAt = read("start_time_seconds") * 1000
    const name = `instance ${apps.indexOf(app) + 1}`
    const life = lives.get(`${name} ${startedAt}`) ?? { name, startedAt, samples: [], heaps: [] }
    lives.set(`${name} ${startedAt}`, life)
    life.samples.push({ at, resident: read("resident_memory_bytes"), cpu: read("cpu_seconds_total") })
    const dueAt = (life.heaps.at(-1)?.at ?? startedAt + warmMs - heapEveryMs) + heapEveryMs
    if (at >= dueAt) life.heaps.push({ at, bytes: await readLiveHeap(app.output()) })
  }

  /** Those that are down, and a database that is away, are left out. */
  async function sample(): Promise<void> {
    const at = Date.now()
    await Promise.allSettled([
      ...apps.map((app) => sampleApp(app, at)),
      readDatabase(databaseUrl).then(
        ({ connections }) => (most.connections = Math.max(most.connections, connections)),
      ),
    ])
  }

  async function mark(name: string): Promise<void> {
    await sample()
    const { transactions } = await readDatabase(databaseUrl)
    const cpu = [...lives.values()].reduce((sum, { samples }) => sum + (samples.at(-1)?.cpu ?? 0), 0)
    marks.push({ name, at: Date.now(), transactions, cpu })
  }

  const timer = setInterval(() => void sample(), everyMs)
  return {
    /** Ends a phase of the run, whose database work is reported; the first one begins the first phase. */
    mark,
    stop: async () => clearInterval(timer),
    memory: (): Memory[] => [...lives.values()].map(memoryOf),
    lines(): string[] {
      const phases = marks.slice(1).map(({ name, at, transactions, cpu }, index) => {
        const before = marks[index]
        const seconds = (at - (before?.at ?? 0)) / 1000
        const perSecond = (transactions - (before?.transactions ?? 0)) / seconds
        const cores = (cpu - (before?.cpu ?? 0)) / seconds
        return `${name} ${perSecond.toFixed(1)} transactions a second and ${cores.toFixed(2)} cores`
      })
      return [`  the cluster: ${phases.join(", ")}; at most ${most.connections} database connections`]
    },
  }
}

/** Compares the least of both halves of a life: work under way adds to what a process always needs. */
function memoryOf({ name, startedAt, samples, heaps }: Life): Memory {
  const endedAt = samples.at(-1)?.at ?? startedAt
  const most = Math.max(...samples.map(({ resident }) => resident))
  const sizes = heaps.map(({ bytes }) => bytes)
  const half = Math.ceil(sizes.length / 2)
  const growth = Math.min(...sizes.slice(half)) / Math.min(...sizes.slice(0, half)) - 1
  const isJudged = endedAt - startedAt >= warmMs + judgedMs
  const isFlat = growth <= mostGrowth
  return {
    line: `${name}, ${((endedAt - startedAt) / 60_000).toFixed(1)} minutes: ${sizes.map(megabytes).join(", ")} MB of heap without garbage, at most ${megabytes(most)} MB resident`,
    missed: isJudged && !isFlat ? `the heap of ${name} grew by ${(growth * 100).toFixed(0)} %` : undefined,
  }
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(0)

async function readDatabase(databaseUrl: string): Promise<{ transactions: number; connections: number }> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ transactions: number; connections: number }>(
      `select (xact_commit + xact_rollback)::float8 as transactions, numbackends - 1 as connections
       from pg_stat_database where datname = current_database()`,
    )
    return rows[0] ?? { transactions: 0, connections: 0 }
  } finally {
    await client.end()
  }
}

/** What all instances together get of the count of requests, which locks the rest out: from PostgreSQL, at a full key. */
export async function measureTurns(limit: number): Promise<string> {
  const postgres = await startPostgres()
  const engine = await openEngine({ databaseUrl: await postgres.createDatabase() }, quietLog)
  try {
    await migrate(engine)
    const take = (who: string) =>
      engine.budget.take("program", limit, windowMs, () => ({ taker: { lane: "people", who } }))
    for (let at = 0; at < limit; at += 1) await take(`person ${at}`)
    const [from, forMs] = [performance.now(), 3000]
    let turns = 0
    const takeTurns = async (who: string) => {
      while (performance.now() - from < forMs) {
        await take(who)
        turns += 1
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, at) => takeTurns(`person ${at}`)))
    return `at ${limit} a minute PostgreSQL gives ${(turns / (forMs / 1000)).toFixed(0)} turns a second at the count of requests, ${(forMs / turns).toFixed(1)} ms each`
  } finally {
    await engine.close()
    await postgres.stop()
  }
}
