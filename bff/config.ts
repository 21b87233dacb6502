import { BlockList, isIP } from "node:net"
import { join, resolve } from "node:path"
import { emailText } from "../contract/program/common.ts"
import { type Environment, newPassword } from "../contract/users.ts"
import { type Api, apis } from "../contract/status.ts"
import { guessablePassword } from "./auth/guessable-password.ts"

/** How one service is reached. */
export interface ConnectionConfig {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Requests a minute. */
  readonly rateLimit: number
}

/** How much is logged, most first. */
const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const
/** How much is logged. */
type LogLevel = (typeof logLevels)[number]

/** Everything the environment says, checked (docs/operating.md, Environment). */
export interface Config {
  readonly host: string
  readonly port: number
  readonly environment: Environment
  /** Only the services that are connected. Empty: the built-in sandbox serves both. */
  readonly connections: Partial<Readonly<Record<Api, ConnectionConfig>>>
  /** Card template used when a form names none. */
  readonly defaultCard: string | undefined
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly admin: { readonly email: string; readonly password: string } | undefined
  /** Origin under which browsers reach the desk; undefined: whatever host they ask for. */
  readonly publicOrigin: string | undefined
  /** Hops, or addresses and networks, of proxies whose forwarding headers are believed. */
  readonly trustProxy: number | readonly string[] | false
  readonly sessionSecret: string | undefined
  /** How long a session lives at most, in days. */
  readonly sessionMaxDays: number
  readonly logLevel: LogLevel
  readonly metricsToken: string | undefined
  /** The store was restored: jobs are held until a person continues them (docs/operating.md, After a restore). */
  readonly startHeld: boolean
  /** Times of the money engine, in seconds (docs/operating.md, Environment). */
  readonly jobs: {
    readonly settle: number
    readonly recheck: number
    readonly lease: number
    readonly call: number
  }
  /** For how long a stop says that it stops before it takes no more requests, in seconds. */
  readonly drain: number
  readonly sandbox: {
    readonly rateLimit: number | undefined
    readonly members: number | undefined
    readonly seed: string | undefined
  }
}

/** What `readConfig` found: a configuration, or a sentence for every mistake. */
export type ConfigResult =
  { readonly ok: true; readonly config: Config } | { readonly ok: false; readonly problems: string[] }

type Env = Readonly<Record<string, string | undefined>>

const prefixes: Readonly<Record<Api, string>> = { program: "PROGRAM", giftcard: "GIFTCARD" }
const endings: Readonly<Record<Api, string>> = { program: "/v1", giftcard: "/api/v1/external" }
const shortestSecret = 32
const shortestToken = 16

/** Reads the environment once, at start. Values of secrets never appear in a sentence. */
export function readConfig(env: Env): ConfigResult {
  const problems: string[] = []
  const text = (name: string): string | undefined => env[name]?.trim() || undefined
  const whole = (name: string, min: number, max: number): number | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    if (/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value)
    problems.push(`${name} is "${value}". Give a whole number from ${min} to ${max}.`)
    return undefined
  }

  const seconds = (name: string, fallback: number): number => {
    const value = text(name)
    if (value === undefined) return fallback
    if (/^\d+(\.\d+)?$/.test(value) && Number(value) >= 0.05 && Number(value) <= 86_400) return Number(value)
    problems.push(`${name} is "${value}". Give seconds from 0.05 to 86400.`)
    return fallback
  }

  const baseNames = apis.map((api) => `${prefixes[api]}_BASE_URL`)
  const connected = baseNames.some((name) => text(name) !== undefined)
  const environment = readEnvironment(text("ENVIRONMENT"), connected, problems)
  const connections: Partial<Record<Api, ConnectionConfig>> = {}
  for (const api of apis) {
    const rateLimit = whole(`${prefixes[api]}_RATE_LIMIT`, 1, 100_000) ?? 60
    const found = readConnection(api, text, environment, problems)
    if (found !== undefined) connections[api] = { ...found, rateLimit }
  }

  const databaseUrl = readDatabaseUrl(text("DATABASE_URL"), connected, problems)
  const sessionSecret = text("SESSION_SECRET")
  if (sessionSecret !== undefined && sessionSecret.length < shortestSecret) {
    problems.push(`SESSION_SECRET is shorter than ${shortestSecret} characters. Give a longer random one.`)
  }
  if (sessionSecret === undefined && text("DATABASE_URL") !== undefined) {
    problems.push(
      `SESSION_SECRET is missing. With DATABASE_URL every instance needs the same one of at least ${shortestSecret} random characters.`,
    )
  }
  const metricsToken = text("METRICS_TOKEN")
  if (metricsToken !== undefined && metricsToken.length < shortestToken) {
    problems.push(`METRICS_TOKEN is shorter than ${shortestToken} characters. Give a longer random one.`)
  }
  const jobs = {
    settle: seconds("JOB_SETTLE_SECONDS", 120),
    recheck: seconds("JOB_RECHECK_SECONDS", 60),
    lease: seconds("JOB_LEASE_SECONDS", 30),
    call: seconds("JOB_CALL_SECONDS", 12),
  }
  if (jobs.lease < jobs.call * 1.5) {
    problems.push(
      `JOB_LEASE_SECONDS is ${jobs.lease}. It has to be at least one and a half times the longest call, JOB_CALL_SECONDS, which is ${jobs.call}.`,
    )
  }
  const publicOrigin = readPublicUrl(text("PUBLIC_URL"), problems)
  if (connected && text("ENVIRONMENT") === "production" && text("ALLOW_PLAIN_HTTP") !== "1") {
    refusePlainHttp(publicOrigin, text("PUBLIC_URL") !== undefined, problems)
  }
  const config: Config = {
    host: text("HOST") ?? "127.0.0.1",
    port: whole("PORT", 0, 65_535) ?? 3000,
    environment,
    connections,
    defaultCard: text("GIFTCARD_DEFAULT_CARD"),
    dataDir: resolve(text("DATA_DIR") ?? ".data"),
    databaseUrl,
    admin: readAdmin(text("ADMIN_EMAIL"), env["ADMIN_PASSWORD"] || undefined, problems),
    publicOrigin,
    trustProxy: readTrustProxy(text("TRUST_PROXY"), problems),
    sessionSecret,
    sessionMaxDays: whole("SESSION_MAX_DAYS", 1, 90) ?? 7,
    logLevel: readLogLevel(text("LOG_LEVEL"), problems),
    metricsToken,
    startHeld: readSwitch("START_HELD", text("START_HELD"), problems),
    jobs,
    drain: whole("DRAIN_SECONDS", 0, 600) ?? 0,
    sandbox: {
      rateLimit: whole("SANDBOX_RATE_LIMIT", 0, 100_000),
      members: whole("SANDBOX_MEMBERS", 1, 1_000_000),
      seed: text("SANDBOX_SEED"),
    },
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config }
}

/** File beside the store that shows when the store is older than its last use (docs/operating.md, After a restore). */
export function counterFile(config: Config): string {
  return join(
    config.dataDir,
    config.environment === "sandbox" ? "sandbox-counter.json" : "laurel-counter.json",
  )
}

/** File of the store when there is no PostgreSQL. The sandbox has its own, so its work never meets real work. */
export function storeFile(config: Config): string {
  return join(config.dataDir, config.environment === "sandbox" ? "sandbox.db" : "laurel.db")
}

function readSwitch(name: string, value: string | undefined, problems: string[]): boolean {
  if (value === undefined || value === "0") return false
  if (value !== "1") problems.push(`${name} is "${value}". Set it to 1, or leave it out.`)
  return true
}

function readEnvironment(value: string | undefined, connected: boolean, problems: string[]): Environment {
  if (!connected) {
    if (value !== undefined && value !== "sandbox") {
      problems.push(
        `ENVIRONMENT is "${value}", but no service is connected. Set PROGRAM_BASE_URL or GIFTCARD_BASE_URL, or leave ENVIRONMENT out to work on the built-in sandbox.`,
      )
    }
    return "sandbox"
  }
  if (value === "staging" || value === "production") return value
  problems.push(
    value === undefined
      ? "ENVIRONMENT is missing. Set it to staging or production, as a service's address is set."
      : `ENVIRONMENT is "${value}". With a service's address it is staging or production.`,
  )
  return "production"
}

function readConnection(
  api: Api,
  text: (name: string) => string | undefined,
  environment: Environment,
  problems: string[],
): { baseUrl: string; apiKey: string } | undefined {
  const [baseName, keyName] = [`${prefixes[api]}_BASE_URL`, `${prefixes[api]}_API_KEY`]
  const [base, apiKey] = [text(baseName), text(keyName)]
  if (base === undefined && apiKey === undefined) return undefined
  if (base === undefined) problems.push(`${keyName} is set, but ${baseName} is not. Set both or neither.`)
  if (apiKey === undefined) problems.push(`${baseName} is set, but ${keyName} is not. Set both or neither.`)
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    problems.push(`${keyName} has a blank or a character that no header can carry. Copy the key again.`)
  }
  const baseUrl = base === undefined ? undefined : readBaseUrl(baseName, base, api, environment, problems)
  return baseUrl === undefined || apiKey === undefined ? undefined : { baseUrl, apiKey }
}

function readBaseUrl(
  name: string,
  value: string,
  api: Api,
  environment: Environment,
  problems: string[],
): string | undefined {
  const url = URL.parse(value)
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    problems.push(`${name} is not an address that starts with https://.`)
    return undefined
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    problems.push(`${name} carries more than an address. Exclude user, password, query and fragment.`)
    return undefined
  }
  if (url.protocol === "http:" && environment !== "staging" && !isLoopback(url.hostname)) {
    problems.push(
      `${name} starts with http://, which would send the key unprotected. Use https://; http:// is for this machine and for staging.`,
    )
  }
  const path = url.pathname.replace(/\/+$/, "")
  if (!path.endsWith(endings[api])) {
    problems.push(`${name} is ${value}. It has to end with ${endings[api]}, as the service's document says.`)
    return undefined
  }
  return `${url.origin}${path}`
}

function isLoopback(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, "")
  return bare === "localhost" || bare === "::1" || bare.startsWith("127.")
}

function readDatabaseUrl(value: string | undefined, connected: boolean, problems: string[]) {
  if (value === undefined) return undefined
  const protocol = URL.parse(value)?.protocol
  if (protocol !== "postgres:" && protocol !== "postgresql:") {
    problems.push("DATABASE_URL is not an address that starts with postgres://.")
  }
  if (!connected) {
    problems.push(
      "DATABASE_URL is set, but no service is connected. The built-in sandbox keeps its work in DATA_DIR; leave DATABASE_URL out or set PROGRAM_BASE_URL.",
    )
  }
  return value
}

function readAdmin(email: string | undefined, password: string | undefined, problems: string[]) {
  if (email === undefined && password === undefined) return undefined
  if (email === undefined || password === undefined) {
    problems.push("ADMIN_EMAIL and ADMIN_PASSWORD belong together. Set both or neither.")
    return undefined
  }
  if (!emailText.safeParse(email).success) problems.push(`ADMIN_EMAIL is "${email}", not an e-mail address.`)
  const checked = newPassword.safeParse(password)
  if (!checked.success) problems.push(`ADMIN_PASSWORD: ${checked.error.issues[0]?.message ?? "not usable."}`)
  const guessable = checked.success ? guessablePassword(password, { email }) : undefined
  if (guessable !== undefined) problems.push(`ADMIN_PASSWORD: ${guessable}`)
  return { email: email.toLowerCase(), password }
}

function readPublicUrl(value: string | undefined, problems: string[]): string | undefined {
  if (value === undefined) return undefined
  const url = URL.parse(value)
  const whole = url !== null && ["http:", "https:"].includes(url.protocol) && url.pathname === "/"
  if (!whole || url.search !== "" || url.hash !== "" || url.username !== "") {
    problems.push(`PUBLIC_URL is not an address such as https://desk.example.com, without a path.`)
    return undefined
  }
  return url.origin
}

/** Without TLS passwords and session cookies could be read on their way. */
function refusePlainHttp(publicOrigin: string | undefined, isSet: boolean, problems: string[]): void {
  if (publicOrigin?.startsWith("https://") === true || (isSet && publicOrigin === undefined)) return
  const what = isSet ? "PUBLIC_URL starts with http://" : "PUBLIC_URL is missing"
  problems.push(
    `${what}, and ENVIRONMENT is production. Set PUBLIC_URL to the https:// address under which browsers reach Laurel, or set ALLOW_PLAIN_HTTP=1 to accept that passwords and sessions travel unprotected.`,
  )
}

function readLogLevel(value: string | undefined, problems: string[]): LogLevel {
  const level = logLevels.find((one) => one === value)
  if (level !== undefined) return level
  if (value !== undefined) problems.push(`LOG_LEVEL is "${value}". Give one of ${logLevels.join(", ")}.`)
  return "info"
}

function readTrustProxy(value: string | undefined, problems: string[]): Config["trustProxy"] {
  if (value === undefined || value === "0") return false
  if (/^[1-9]$/.test(value)) return Number(value)
  const parts = value.split(",").map((part) => part.trim())
  if (parts.every((part) => part === "loopback" || isNetwork(part))) return parts
  problems.push(
    `TRUST_PROXY is "${value}". Give the number of proxies in front (1 to 9), or their addresses or networks, separated by commas.`,
  )
  return false
}

function isNetwork(part: string): boolean {
  const [address = "", bits] = part.split("/")
  const version = isIP(address)
  if (version === 0) return false
  if (bits === undefined) return true
  try {
    new BlockList().addSubnet(address, Number(bits), version === 4 ? "ipv4" : "ipv6")
    return /^\d+$/.test(bits)
  } catch {
    return false
  }
}
