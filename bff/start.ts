import { createHmac } from "node:crypto"
import { statSync } from "node:fs"
import type { Logger } from "pino"
import { type Api, apis } from "../contract/response.ts"
import { createCore } from "../core/app.ts"
import { createInProcessDispatcher } from "../core/dispatch.ts"
import type { Log, Processes } from "../core/ports.ts"
import { realClock } from "../core/runtime.ts"
import type { SettingsInitials } from "../core/settings/settings.ts"
import { createAuth, ensureFirstAdmin } from "./auth/auth.ts"
import { addDemoAccounts, closeDemoAccounts } from "./auth/demo-accounts.ts"
import type { SignInLimits } from "./auth/sign-in-throttle.ts"
import { type Config, type ConnectionConfig, dataFile } from "./config.ts"
import { openCopy } from "./copy/open-copy.ts"
import { createApp } from "./http/express-app.ts"
import { createEventStreams } from "./http/events.ts"
import { createMetrics } from "./http/health.ts"
import { listen } from "./http/listen.ts"
import { openPgBoss } from "./dispatch/pg-boss.ts"
import { createProcesses } from "./processes.ts"
import { restoreMarker, fileSessionSecret } from "./store/data-folder.ts"
import { type Engine, StoreRefused } from "./store/engine.ts"
import { readFigures } from "./store/figures.ts"
import { databaseName, openEngine, prepareStore } from "./store/open-store.ts"
import { sqlStore } from "./store/sql-store.ts"
import { createUpstream } from "./upstream/client.ts"

/** How much longer than one call a stop waits for requests that are under way, in ms. */
const graceMs = 1_000
/** The address in the stamp of a sandbox's store: the sandbox has another port each time. */
const builtIn = "the built-in sandbox"

interface StartOptions {
  readonly config: Config
  /** The services as they are reached: those of the configuration, or the built-in sandbox's. */
  readonly connections: Config["connections"]
  readonly version: string
  readonly logger: Logger
  readonly pages: string
  readonly signInLimits?: SignInLimits
  readonly settings?: SettingsInitials | undefined
  /** Whether this process owns the store, by a lock that ends with its holder (`lockFolder`). */
  readonly alone?: boolean
  /** Seeds a store that is ready, before anything works on it. */
  readonly fillStore?: ((engine: Engine) => Promise<void>) | undefined
}

export type RunningApp = Awaited<ReturnType<typeof startApp>>

/** Opens the store, assembles the app and listens. @throws StoreRefused, ListenRefused */
export async function startApp(options: StartOptions) {
  const { config, logger } = options
  const log = logOf(logger)
  const place =
    config.databaseUrl === undefined ? { file: dataFile(config, ".db") } : { databaseUrl: config.databaseUrl }
  const engine = await openEngine(place, log)
  try {
    return await startOver(engine, options, log)
  } catch (error) {
    await engine.close()
    throw error
  }
}

async function startOver(engine: Engine, options: StartOptions, log: Log) {
  const { config, connections, version, logger, pages, settings, signInLimits } = options
  const { environment, publicOrigin, startHeld, defaultCard } = config
  const setUpPath = await prepare(engine, config)
  await options.fillStore?.(engine)
  const secret = config.sessionSecret ?? fileSessionSecret(config.dataDir)
  const longestSession = config.sessionMaxDays * 86_400
  const auth = createAuth({ engine, secret, publicOrigin, log, environment, longestSession, signInLimits })
  const { dispatcher, store } = await dispatched(engine, config, log)
  const copy = connections.program === undefined ? undefined : await openCopy(engine, config, log)
  const metrics = createMetrics()
  const upstream = createUpstream(connections, { total: config.jobs.callMs })
  const core = createCore({
    config: {
      version,
      environment,
      startedAt: Date.now(),
      apis: {
        program: apiConfig(connections.program, secret),
        giftcard: apiConfig(connections.giftcard, secret),
      },
      startHeld,
      defaultCard,
      settings,
      jobs: config.jobs,
    },
    store,
    copy,
    upstream,
    processes: createProcesses({ alone: options.alone === true, instanceId: instanceIdOf(config) }),
    restoreMarker: restoreMarker(dataFile(config, "-counter.json")),
    clock: realClock,
    dispatcher,
    events: engine.bus,
    accounts: auth.accounts,
    metrics,
    log,
  })
  const streams = createEventStreams(engine.bus, auth.sessions, core.live, log)
  metrics.watchStreams(() => streams.count())
  const limits = apis.flatMap((api) => {
    const rateLimit = connections[api]?.rateLimit
    return rateLimit === undefined ? [] : [[api, rateLimit] as const]
  })
  metrics.watchStore(() => readFigures(engine, store.jobs, limits))
  metrics.watchBackup(() => backupAge(config))
  let stopping = false
  const { bus } = engine
  const isStopping = () => stopping
  const app = createApp({
    core,
    auth,
    store,
    bus,
    streams,
    metrics,
    logger,
    log,
    config,
    version,
    pages,
    isStopping,
  })
  const stop = async () => {
    await core.stop()
    await copy?.close()
    await upstream.close()
  }
  const running = await core.claim()
  if (running !== undefined) {
    await stop()
    throw stillRuns(config, running.process)
  }
  const server = await listen(app, config.host, config.port).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  // Only the owner of the port works: a second start must not touch the first one's jobs.
  core.start()
  /**
   * Finishes what is under way, then stops everything. For `drainSeconds` before it still responds to everybody and
   * reports on `/readyz` that it stops, so that a load balancer sends its requests elsewhere.
   */
  const close = async (drainSeconds = 0) => {
    stopping = true
    if (drainSeconds > 0) await realClock.sleep(drainSeconds * 1000)
    const closed = server.close(config.jobs.callMs + graceMs)
    streams.endAll()
    // Both wait for requests under way: together, or a stop takes twice as long.
    await Promise.all([closed, core.windDown()])
    await stop()
    await store.close()
  }
  return {
    url: server.url,
    port: server.port,
    setUpPath,
    close,
  }
}

/** Seconds since the last backup, by the time of its file; Infinity: the file of a store was never backed up. */
function backupAge(config: Config): number | undefined {
  const found = statSync(dataFile(config, "-last-backup"), { throwIfNoEntry: false })
  if (found !== undefined) return Math.max(0, (Date.now() - found.mtimeMs) / 1000)
  return config.databaseUrl === undefined ? Infinity : undefined
}

/** Checks that the store is the right one and that a sign-in is possible; else returns the set-up link's path. */
async function prepare(engine: Engine, { environment, connections, admin }: Config) {
  const isSandbox = environment === "sandbox"
  const stamp = {
    environment,
    programBaseUrl: isSandbox ? builtIn : (connections.program?.baseUrl ?? null),
    giftcardBaseUrl: isSandbox ? builtIn : (connections.giftcard?.baseUrl ?? null),
  }
  const link = await prepareStore(engine, stamp, async () => {
    await (isSandbox ? addDemoAccounts(engine) : closeDemoAccounts(engine))
    return ensureFirstAdmin(engine, admin)
  })
  return link?.path
}

/** The store, and what decides which instance runs its jobs: with one instance that is no question. */
async function dispatched(engine: Engine, { databaseUrl }: Config, log: Log) {
  if (databaseUrl === undefined)
    return { store: sqlStore(engine), dispatcher: createInProcessDispatcher(realClock, log) }
  const dispatcher = await openPgBoss(databaseUrl, log)
  const store = sqlStore(engine, (within, jobId) => dispatcher.wake("job", jobId, { within }))
  return { store, dispatcher }
}

/** A file has one process at a time: each start is the next of the same instance. */
function instanceIdOf({ databaseUrl, instanceId }: Config): string | undefined {
  return instanceId ?? (databaseUrl === undefined ? "The only server" : undefined)
}

function stillRuns({ instanceId, dataDir }: Config, running: Processes["self"]): StoreRefused {
  const { host = "unknown", pid = "unknown" } = running
  const [where, own] =
    instanceId === undefined
      ? [`on ${dataDir}`, "a DATA_DIR"]
      : [`as INSTANCE_ID ${instanceId}`, "an INSTANCE_ID"]
  return new StoreRefused(
    `Another Laurel works ${where} already (process ${pid} on ${host}). Stop that one, or give this one ${own} of its own.`,
  )
}

function apiConfig(connection: ConnectionConfig | undefined, secret: string) {
  if (connection === undefined) return null
  const { baseUrl, apiKey, nextApiKey, rateLimit } = connection
  const hash = (key: string) => createHmac("sha256", secret).update(`key ${key}`).digest("hex").slice(0, 16)
  const next =
    nextApiKey === undefined ? {} : { nextKeyEnd: nextApiKey.slice(-4), nextKeyHash: hash(nextApiKey) }
  return { baseUrl, keyEnd: apiKey.slice(-4), keyHash: hash(apiKey), ...next, rateLimit }
}

export function logOf(logger: Logger): Log {
  return {
    info: (fields, text) => logger.info(fields, text),
    warn: (fields, text) => logger.warn(fields, text),
    error: (fields, text) => logger.error(fields, text),
  }
}

const serviceNames: Readonly<Record<Api, string>> = {
  program: "Program service",
  giftcard: "Gift-card service",
}

/** Startup lines: address, store, and sign-in. Never a key. */
export function startLines(config: Config, version: string, { url, setUpPath }: RunningApp): string[] {
  const { connections, databaseUrl, environment } = config
  const address = config.publicOrigin ?? url
  const store =
    databaseUrl === undefined ? dataFile(config, ".db") : `PostgreSQL at ${databaseName(databaseUrl)}`
  // Programs read the address up to the next blank.
  const lines = [
    `Laurel ${version} runs at ${url} ${url === address ? "" : `(${address}) `}in ${environment}`,
    `  Store: ${store}`,
  ]
  if (environment === "sandbox") {
    lines.push(
      "  Environment: sandbox. Both services are made up and run in here; nothing leaves this machine.",
      "  Sign in: the page offers a demo account for each role.",
    )
  } else {
    for (const api of apis) {
      const found = connections[api]
      const reached =
        found === undefined ? "not connected" : `${found.baseUrl} (${found.rateLimit} requests a minute)`
      lines.push(`  ${serviceNames[api]}: ${reached}`)
    }
  }
  if (setUpPath !== undefined) {
    lines.push(
      `  There is no administrator yet. Open ${address}${setUpPath} once, within an hour, to make one.`,
    )
  }
  return lines
}
