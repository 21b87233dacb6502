import { BlockList, isIP } from "node:net"
import { join, resolve } from "node:path"
import { newEmail } from "../contract/email-address.ts"
import { type Api, apis } from "../contract/response.ts"
import type { Environment } from "../contract/session.ts"
import type { JobTimes } from "../core/deps.ts"

/**
 * Connection to one service: the address without a trailing slash, requests a minute. `nextApiKey` takes over when the
 * service refuses `apiKey`.
 */
export type ConnectionConfig = Readonly<{
  baseUrl: string
  apiKey: string
  nextApiKey?: string | undefined
  rateLimit: number
}>

/** The validated configuration (docs/operating.md, Environment). */
export type Config = Readonly<ReturnType<typeof readAll>>

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const
const prefixes: Readonly<Record<Api, string>> = { program: "PROGRAM", giftcard: "GIFTCARD" }
const endings: Readonly<Record<Api, string>> = { program: "/v1", giftcard: "/api/v1/external" }
const shortestSecret = 32
const shortestToken = 16
/** Extra time of a stop beyond the longest request to a service, in ms. */
const stopMarginMs = 6000
type Environ = Readonly<Record<string, string | undefined>>

/** Reads the environment: a configuration, or one sentence per mistake, never with a secret's value. */
export function readConfig(env: Environ): { ok: true; config: Config } | { ok: false; problems: string[] } {
  const reader = new EnvironmentReader(env)
  const config = readAll(reader)
  const { problems } = reader
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config }
}

/** The longest duration of a stop, in ms. A container or service manager must wait longer before it kills the process. */
export function longestStop({ drain, jobs }: Pick<Config, "drain" | "jobs">): number {
  return drain * 1000 + jobs.callMs + stopMarginMs
}

class EnvironmentReader {
  readonly #env: Environ
  readonly problems: string[] = []
  constructor(env: Environ) {
    this.#env = env
  }

  exact(name: string): string | undefined {
    return this.#env[name] || undefined
  }
  /** Without blanks around it; undefined when nothing is left. */
  text(name: string): string | undefined {
    return this.#env[name]?.trim() || undefined
  }
  integer(name: string, min: number, max: number): number | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    if (/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value)
    return this.refuse(`${name} is "${value}". Give a whole number from ${min} to ${max}.`)
  }
  seconds(name: string, fallback: number): number {
    const value = this.text(name)
    if (value === undefined) return fallback
    if (/^\d+(\.\d+)?$/.test(value) && Number(value) >= 0.05 && Number(value) <= 86_400) return Number(value)
    this.refuse(`${name} is "${value}". Give seconds from 0.05 to 86400.`)
    return fallback
  }
  secret(name: string, shortest: number): string | undefined {
    const value = this.text(name)
    if (value !== undefined && value.length < shortest) {
      this.refuse(`${name} is shorter than ${shortest} characters. Give a longer random one.`)
    }
    return value
  }
  refuse(problem: string): undefined {
    this.problems.push(problem)
  }
}

function readAll(env: EnvironmentReader) {
  const connected = apis.some((api) => env.text(`${prefixes[api]}_BASE_URL`) !== undefined)
  const environment = readEnvironment(env, connected)
  // Only the services that are connected. Empty: the built-in sandbox serves both.
  const connections: Partial<Readonly<Record<Api, ConnectionConfig>>> = Object.fromEntries(
    apis.flatMap((api) => {
      const rateLimit = env.integer(`${prefixes[api]}_RATE_LIMIT`, 1, 100_000) ?? 60
      const found = readConnection(env, api, environment)
      return found === undefined ? [] : [[api, { ...found, rateLimit }]]
    }),
  )
  const databaseUrl = readDatabaseUrl(env, connected)
  const sessionSecret = env.secret("SESSION_SECRET", shortestSecret)
  if (sessionSecret === undefined && databaseUrl !== undefined) {
    env.refuse(
      `SESSION_SECRET is missing. With DATABASE_URL every instance needs the same one of at least ${shortestSecret} random characters.`,
    )
  }
  return {
    host: env.text("HOST") ?? "127.0.0.1",
    port: env.integer("PORT", 0, 65_535) ?? 3000,
    environment,
    connections,
    defaultCard: env.text("GIFTCARD_DEFAULT_CARD"),
    dataDir: dataFolder(env.text("DATA_DIR")),
    databaseUrl,
    sync: readSync(env),
    /** The same at every start of this instance, and no other one's. */
    instanceId: readInstanceId(env),
    admin: readAdmin(env),
    /** Origin under which browsers reach Laurel; undefined: loopback names, `host` and `allowedHosts`. */
    publicOrigin: readPublicUrl(env, connected),
    allowedHosts: readAllowedHosts(env),
    /** Hops, or addresses and networks, of proxies whose forwarding headers are believed. */
    trustProxy: readTrustProxy(env),
    sessionSecret,
    sessionMaxDays: env.integer("SESSION_MAX_DAYS", 1, 90) ?? 7,
    logLevel: readLogLevel(env),
    metricsToken: env.secret("METRICS_TOKEN", shortestToken),
    /** The store was restored: jobs are held until a person continues them (docs/operating.md, After a restore). */
    startHeld: readSwitch(env, "START_HELD"),
    jobs: readJobTimes(env),
    /** How long a stop reports itself on `/readyz` before it refuses requests, in seconds. */
    drain: env.integer("DRAIN_SECONDS", 0, 600) ?? 0,
    sandbox: {
      rateLimit: env.integer("SANDBOX_RATE_LIMIT", 0, 100_000),
      members: env.integer("SANDBOX_MEMBERS", 1, 1_000_000),
      seed: env.text("SANDBOX_SEED"),
      /** Whether a new store is seeded with a year of work. */
      history: env.text("SANDBOX_HISTORY") !== "0",
    },
  }
}

/**
 * A file of this environment: the store when there is no PostgreSQL, the restore marker that shows when the store is
 * older than its last use (docs/operating.md, After a restore), or the file whose time is that of the last backup. The
 * sandbox has its own: its work never meets real work.
 */
export function dataFile(
  { dataDir, environment }: Pick<Config, "dataDir" | "environment">,
  name: ".db" | "-copy.db" | "-counter.json" | "-last-backup",
): string {
  return join(dataDir, `${environment === "sandbox" ? "sandbox" : "laurel"}${name}`)
}

/** The folder of the store's file from the value of `DATA_DIR`. */
export function dataFolder(value: string | undefined): string {
  return resolve(value?.trim() || ".data")
}

/** Where the local copy of the services' records is: next to the store, in memory, or nowhere. */
function readSync(env: EnvironmentReader): "store" | "memory" | "off" {
  const [sync, place] = [env.text("SYNC"), env.text("SYNC_STORE")]
  if (sync !== undefined && sync !== "off" && sync !== "on")
    env.refuse(`SYNC is "${sync}". Set it to off, or leave it out.`)
  if (place !== undefined && place !== "memory")
    env.refuse(`SYNC_STORE is "${place}". Set it to memory, or leave it out.`)
  return sync === "off" ? "off" : place === "memory" ? "memory" : "store"
}

function readSwitch(env: EnvironmentReader, name: string): boolean {
  const value = env.text(name)
  if (value === undefined || value === "0") return false
  if (value !== "1") env.refuse(`${name} is "${value}". Set it to 1, or leave it out.`)
  return true
}

function readJobTimes(env: EnvironmentReader): JobTimes {
  const [lease, call] = [env.seconds("JOB_LEASE_SECONDS", 30), env.seconds("JOB_CALL_SECONDS", 12)]
  if (lease < call * 1.5) {
    env.refuse(
      `JOB_LEASE_SECONDS is ${lease}. It has to be at least one and a half times the longest call, JOB_CALL_SECONDS, which is ${call}.`,
    )
  }
  return {
    settleMs: env.seconds("JOB_SETTLE_SECONDS", 120) * 1000,
    recheckMs: env.seconds("JOB_RECHECK_SECONDS", 60) * 1000,
    leaseMs: lease * 1000,
    callMs: call * 1000,
  }
}

function readEnvironment(env: EnvironmentReader, connected: boolean): Environment {
  const value = env.text("ENVIRONMENT")
  if (!connected) {
    if (value !== undefined && value !== "sandbox") {
      env.refuse(
        `ENVIRONMENT is "${value}", but no service is connected. Set PROGRAM_BASE_URL or GIFTCARD_BASE_URL, or leave ENVIRONMENT out to work on the built-in sandbox.`,
      )
    }
    return "sandbox"
  }
  if (value === "staging" || value === "production") return value
  env.refuse(
    value === undefined
      ? "ENVIRONMENT is missing. Set it to staging or production, as a service's address is set."
      : `ENVIRONMENT is "${value}". With a service's address it is staging or production.`,
  )
  return "production"
}

function readConnection(env: EnvironmentReader, api: Api, environment: Environment) {
  const [baseName, keyName] = [`${prefixes[api]}_BASE_URL`, `${prefixes[api]}_API_KEY`]
  const [base, apiKey] = [env.text(baseName), env.text(keyName)]
  const nextApiKey = env.text(`${keyName}_NEXT`)
  if (nextApiKey !== undefined && apiKey === undefined) {
    env.refuse(`${keyName}_NEXT is set, but ${keyName} is not. With a single key set ${keyName} alone.`)
  }
  refuseUnfitKey(env, `${keyName}_NEXT`, nextApiKey)
  if (base === undefined && apiKey === undefined) return undefined
  if (base === undefined) env.refuse(`${keyName} is set, but ${baseName} is not. Set both or neither.`)
  if (apiKey === undefined) env.refuse(`${baseName} is set, but ${keyName} is not. Set both or neither.`)
  refuseUnfitKey(env, keyName, apiKey)
  const baseUrl = base === undefined ? undefined : readBaseUrl(env, api, base, environment)
  if (baseUrl === undefined || apiKey === undefined) return undefined
  return { baseUrl, apiKey, ...(nextApiKey !== undefined && nextApiKey !== apiKey && { nextApiKey }) }
}

function refuseUnfitKey(env: EnvironmentReader, name: string, key: string | undefined): void {
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return
  env.refuse(`${name} has a blank or a character that no header can carry. Copy the key again.`)
}

function readBaseUrl(env: EnvironmentReader, api: Api, value: string, environment: Environment) {
  const [name, ending] = [`${prefixes[api]}_BASE_URL`, endings[api]]
  const url = URL.parse(value)
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    return env.refuse(`${name} is not an address that starts with https://.`)
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return env.refuse(`${name} carries more than an address. Exclude user, password, query and fragment.`)
  }
  if (url.protocol === "http:" && environment !== "staging" && !isLoopback(url.hostname)) {
    env.refuse(
      `${name} starts with http://, which would send the key unprotected. Use https://; http:// is for this machine and for staging.`,
    )
  }
  const path = url.pathname.replace(/\/+$/, "")
  if (path.endsWith(ending)) return `${url.origin}${path}`
  return env.refuse(`${name} is ${value}. It has to end with ${ending}, as the service's document says.`)
}

function isLoopback(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, "")
  return bare === "localhost" || bare === "::1" || bare.startsWith("127.")
}

function readDatabaseUrl(env: EnvironmentReader, connected: boolean): string | undefined {
  const value = env.text("DATABASE_URL")
  if (value === undefined) return undefined
  const protocol = URL.parse(value)?.protocol
  if (protocol !== "postgres:" && protocol !== "postgresql:") {
    env.refuse("DATABASE_URL is not an address that starts with postgres://.")
  }
  if (!connected) {
    env.refuse(
      "DATABASE_URL is set, but no service is connected. The built-in sandbox keeps its work in DATA_DIR; leave DATABASE_URL out or set PROGRAM_BASE_URL.",
    )
  }
  return value
}

function readInstanceId(env: EnvironmentReader): string | undefined {
  const value = env.text("INSTANCE_ID")
  if (value === undefined || /^[\w.-]{1,100}$/.test(value)) return value
  return env.refuse(
    `INSTANCE_ID is "${value}". Give up to 100 letters, digits, dots, dashes and underscores, such as laurel-1.`,
  )
}

function readAdmin(env: EnvironmentReader) {
  const [email, password] = [env.text("ADMIN_EMAIL"), env.exact("ADMIN_PASSWORD")]
  if (email === undefined && password === undefined) return undefined
  if (email === undefined || password === undefined) {
    return env.refuse("ADMIN_EMAIL and ADMIN_PASSWORD belong together. Set both or neither.")
  }
  if (!newEmail.safeParse(email).success) env.refuse(`ADMIN_EMAIL is "${email}", not an e-mail address.`)
  // The password is checked when the account is made: later starts leave it as it is, whatever the rules have become.
  return { email: email.toLowerCase(), password }
}

function readPublicUrl(env: EnvironmentReader, connected: boolean): string | undefined {
  const value = env.text("PUBLIC_URL")
  const url = value === undefined ? null : URL.parse(value)
  const isOrigin = url !== null && ["http:", "https:"].includes(url.protocol) && url.pathname === "/"
  const origin = isOrigin && url.search + url.hash + url.username === "" ? url.origin : undefined
  if (value !== undefined && origin === undefined) {
    return env.refuse("PUBLIC_URL is not an address such as https://desk.example.com, without a path.")
  }
  const mayBePlain = !connected || env.text("ENVIRONMENT") !== "production"
  // Without TLS passwords and session cookies could be read on their way.
  if (!mayBePlain && env.text("ALLOW_PLAIN_HTTP") !== "1" && origin?.startsWith("https://") !== true) {
    const what = origin === undefined ? "PUBLIC_URL is missing" : "PUBLIC_URL starts with http://"
    env.refuse(
      `${what}, and ENVIRONMENT is production. Set PUBLIC_URL to the https:// address under which browsers reach Laurel, or set ALLOW_PLAIN_HTTP=1 to accept that passwords and sessions travel unprotected.`,
    )
  }
  return origin
}

/** Names in lower case, without a port. */
function readAllowedHosts(env: EnvironmentReader): readonly string[] {
  const names = (env.text("ALLOWED_HOSTS") ?? "").split(",").map((name) => name.trim().toLowerCase())
  return names.filter(Boolean).map((name) => {
    const hostname = URL.parse(`http://${name}`)?.hostname
    if (hostname === undefined || hostname !== name) {
      env.refuse(
        `ALLOWED_HOSTS has "${name}". Give host names such as desk.example.com, without a port, separated by commas.`,
      )
    }
    return name
  })
}

function readLogLevel(env: EnvironmentReader): (typeof logLevels)[number] {
  const value = env.text("LOG_LEVEL")
  const level = logLevels.find((one) => one === value)
  if (level === undefined && value !== undefined) {
    env.refuse(`LOG_LEVEL is "${value}". Give one of ${logLevels.join(", ")}.`)
  }
  return level ?? "info"
}

function readTrustProxy(env: EnvironmentReader): number | readonly string[] | false {
  const value = env.text("TRUST_PROXY")
  if (value === undefined || value === "0") return false
  if (/^[1-9]$/.test(value)) return Number(value)
  const parts = value.split(",").map((part) => part.trim())
  if (parts.every((part) => part === "loopback" || isNetwork(part))) return parts
  env.refuse(
    `TRUST_PROXY is "${value}". Give the number of proxies in front (1 to 9), or their addresses or networks, separated by commas.`,
  )
  return false
}

function isNetwork(part: string): boolean {
  const [address = "", bits] = part.split("/")
  const version = isIP(address)
  if (version === 0 || bits === undefined) return version !== 0
  try {
    new BlockList().addSubnet(address, Number(bits), version === 4 ? "ipv4" : "ipv6")
    return /^\d+$/.test(bits)
  } catch {
    return false
  }
}
