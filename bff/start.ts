import type { Logger } from "pino"
import { type Api, apis } from "../contract/status.ts"
import { createAuth } from "./auth/auth.ts"
import { addDemoAccounts, closeDemoAccounts } from "./auth/demo-accounts.ts"
import { ensureFirstAdmin } from "./auth/first-admin.ts"
import { fileSessionSecret } from "./auth/session-secret.ts"
import type { SignInLimits } from "./auth/sign-in-throttle.ts"
import { type Config, type ConnectionConfig, counterFile, storeFile } from "./config.ts"
import { realClock } from "../core/runtime.ts"
import { createCore } from "../core/app.ts"
import type { Log } from "../core/ports.ts"
import type { SettingsInitials } from "../core/settings.ts"
import { createApp } from "./http/app.ts"
import { createEventStreams } from "./http/events.ts"
import { createMetrics } from "./http/health.ts"
import { listen } from "./http/listen.ts"
import { besideFile } from "./store/open-store.ts"
import type { Engine } from "./store/engine.ts"
import { migrate } from "./store/migrate.ts"
import { openEngine, preparedOrRefused } from "./store/open-store.ts"
import { StoreRefused } from "./store/engine.ts"
import { sqlStore } from "./store/sql-store.ts"
import { createProcesses } from "./processes.ts"
import { stampStore } from "./store/open-store.ts"
import { createUpstream } from "./upstream/client.ts"

/** How long a stop waits for requests that are under way, in ms. */
const graceMs = 8_000
/** What the stamp of a sandbox's store says instead of an address: the sandbox has another port each time. */
const builtIn = "the built-in sandbox"

/** What a running desk is made of. */
export interface StartOptions {
  readonly config: Config
  /** The services as they are reached: those of the configuration, or the built-in sandbox's. */
  readonly connections: Partial<Readonly<Record<Api, ConnectionConfig>>>
  readonly version: string
  readonly logger: Logger
  /** Folder of the built desk. */
  readonly pages: string
  readonly signInLimits?: SignInLimits
  /** Settings that hold until somebody saves others. */
  readonly settings?: SettingsInitials
}

/** A desk that runs. */
export interface RunningApp {
  readonly url: string
  readonly port: number
  /** Path of the link that makes the first administrator; undefined when there is one. */
  readonly setUpPath: string | undefined
  /**
   * Finishes what is under way, then stops everything. For `drainSeconds` before it still answers everybody and says
   * on `/readyz` that it stops, so that a load balancer sends its requests elsewhere.
   */
  close(drainSeconds?: number): Promise<void>
}

/** Why the desk was not started: a sentence for each reason. */
export class StartRefused extends Error {
  override readonly name = "StartRefused"
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join("\n"))
    this.problems = problems
  }
}

/**
 * Opens the store, puts the desk together and listens.
 * @throws StartRefused when the store belongs to other services; StoreRefused, ListenRefused
 */
export async function startApp(options: StartOptions): Promise<RunningApp> {
  const { config, logger } = options
  const log = logOf(logger)
  const place =
    config.databaseUrl === undefined ? { file: storeFile(config) } : { databaseUrl: config.databaseUrl }
  const engine = await openEngine(place, log)
  try {
    return await startOver(engine, options, log)
  } catch (error) {
    await engine.close()
    throw error
  }
}

async function startOver(engine: Engine, options: StartOptions, log: Log): Promise<RunningApp> {
  const { config, connections, version } = options
  const setUpPath = await preparedOrRefused(prepareStore(engine, options), isRefusal)
  const secret = config.sessionSecret ?? fileSessionSecret(config.dataDir)
  const { environment, publicOrigin } = config
  const auth = createAuth({
    engine,
    secret,
    publicOrigin,
    log,
    environment,
    longestSession: config.sessionMaxDays * 86_400,
    signInLimits: options.signInLimits,
  })
  const store = sqlStore(engine)
  const metrics = createMetrics()
  const { settle, recheck, lease, call } = config.jobs
  const upstream = createUpstream(connections, { deadlines: { total: call * 1000 } })
  const desk = createCore({
    config: {
      version,
      environment,
      startedAt: Date.now(),
      apis: apiConfigs(connections),
      startHeld: config.startHeld,
      ...(config.defaultCard !== undefined && { defaultCard: config.defaultCard }),
      ...(options.settings !== undefined && { settings: options.settings }),
      jobs: {
        settleMs: settle * 1000,
        recheckMs: recheck * 1000,
        leaseMs: lease * 1000,
        callMs: call * 1000,
      },
    },
    store,
    upstream,
    processes: createProcesses(),
    beside: besideFile(counterFile(config)),
    clock: realClock,
    events: engine.bus,
    accounts: auth.accounts,
    metrics,
    log,
  })
  const streams = createEventStreams(engine.bus, auth.sessions, store.jobs, log)
  metrics.watchStreams(() => streams.count())
  let stopping = false
  const app = createApp({
    desk,
    auth,
    store,
    bus: engine.bus,
    streams,
    metrics,
    logger: options.logger,
    log,
    about: { version, environment },
    publicOrigin,
    trustProxy: config.trustProxy,
    metricsToken: config.metricsToken,
    pages: options.pages,
    isStopping: () => stopping,
  })
  const stop = async () => {
    await desk.stop()
    await upstream.close()
  }
  const server = await listen(app, config.host, config.port).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  // Only whoever has the port works: a second start beside a running desk must not touch its jobs.
  desk.start()
  const close = async (drainSeconds = 0) => {
    stopping = true
    if (drainSeconds > 0) await realClock.sleep(drainSeconds * 1000)
    const closed = server.close(graceMs)
    streams.endAll()
    // Both wait for calls under way: together, or a stop takes twice as long.
    await Promise.all([closed, desk.stopJobs()])
    await stop()
    await store.close()
  }
  return { url: server.url, port: server.port, setUpPath, close }
}

function isRefusal(error: unknown): boolean {
  return error instanceof StartRefused || error instanceof StoreRefused
}

/** Brings the store to this version, makes sure that it is the right one and that somebody can sign in. */
async function prepareStore(engine: Engine, { config }: StartOptions): Promise<string | undefined> {
  await migrate(engine)
  const isSandbox = config.environment === "sandbox"
  const problems = await stampStore(engine, {
    environment: config.environment,
    programBaseUrl: isSandbox ? builtIn : (config.connections.program?.baseUrl ?? null),
    giftcardBaseUrl: isSandbox ? builtIn : (config.connections.giftcard?.baseUrl ?? null),
  })
  if (problems.length > 0) throw new StartRefused(problems)
  if (isSandbox) await addDemoAccounts(engine)
  else await closeDemoAccounts(engine)
  const link = await ensureFirstAdmin(engine, config.admin)
  return link?.path
}

function apiConfigs(connections: StartOptions["connections"]) {
  const [program, giftcard] = apis.map((api) => {
    const found = connections[api]
    if (found === undefined) return null
    return { baseUrl: found.baseUrl, keyEnd: found.apiKey.slice(-4), rateLimit: found.rateLimit }
  })
  return { program: program ?? null, giftcard: giftcard ?? null }
}

/** The core's log over the process's own. */
export function logOf(logger: Logger): Log {
  return {
    info: (fields, text) => logger.info(fields, text),
    warn: (fields, text) => logger.warn(fields, text),
    error: (fields, text) => logger.error(fields, text),
  }
}
