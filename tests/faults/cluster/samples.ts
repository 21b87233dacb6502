import { migrate } from "../../../bff/store/migrations.ts"
import { openEngine } from "../../../bff/store/open-store.ts"
import { windowMs } from "../../../core/budget/rate-limiter.ts"
import { startPostgres } from "../../support/postgres.ts"
import { quietLog } from "../../support/quiet-log.ts"
import { Client } from "pg"
import { median } from "../../bench/report.ts"
import type { FleetApp } from "../fleet.ts"

/** Opens `/metrics` of the instances. */
export const metricsToken = "a-token-of-the-tests"

const everyMs = 5000
/** A process is judged over its life from here on: its caches are filled by then. */
const warmMs = 60_000
/** Both ends of the comparison, and the shortest life in which they are apart. */
const spanMs = 60_000

interface Sample {
  readonly at: number
  readonly memory: number
  /** Seconds since the start of the process. */
  readonly cpu: number
}

/** A process from its start to its end. */
interface Life {
  readonly name: string
  readonly startedAt: number
  readonly samples: Sample[]
}

/** Memory of a process when warm and at the end. */
interface Memory {
  readonly name: string
  readonly growth: number
  readonly line: string
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
    const life = lives.get(`${name} ${startedAt}`) ?? { name, startedAt, samples: [] }
    lives.set(`${name} ${startedAt}`, life)
    life.samples.push({ at, memory: read("resident_memory_bytes"), cpu: read("cpu_seconds_total") })
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

function memoryOf({ name, startedAt, samples }: Life): Memory {
  const within = (from: number, to: number) =>
    samples.filter(({ at }) => at >= from && at <= to).map(({ memory }) => memory)
  const endedAt = samples.at(-1)?.at ?? startedAt
  const isJudged = endedAt - startedAt >= warmMs + 2 * spanMs
  const warm = isJudged ? median(within(startedAt + warmMs, startedAt + warmMs + spanMs)) : undefined
  const last = median(within(endedAt - spanMs, endedAt))
  const minutes = ((endedAt - startedAt) / 60_000).toFixed(1)
  return {
    name,
    growth: warm === undefined ? 0 : last / warm - 1,
    line: `${name}, ${minutes} minutes: ${warm === undefined ? "" : `${megabytes(warm)} warm, `}${megabytes(last)} at the end`,
  }
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`

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
