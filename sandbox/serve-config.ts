import { demoKey } from "./options.ts"

/** What `npm run sandbox` reads from the environment. */
export interface ServeConfig {
  readonly host: string
  readonly port: number
  /** The key of both APIs. */
  readonly key: string
  readonly rateLimit: number
  readonly members: number
  readonly seed: string
}

/** A value of the environment that cannot be used; the message is the one sentence to show. */
export class BadSetting extends Error {
  override readonly name = "BadSetting"
}

/** Reads and checks the environment. Throws BadSetting. */
export function readServeConfig(env: Readonly<Record<string, string | undefined>>): ServeConfig {
  return {
    host: hostFrom(env),
    port: wholeFrom(env, "SANDBOX_PORT", 4010, 0, 65_535),
    key: keyFrom(env),
    rateLimit: wholeFrom(env, "SANDBOX_RATE_LIMIT", 60, 0, 1_000_000),
    members: wholeFrom(env, "SANDBOX_MEMBERS", 2000, 0, 500_000),
    seed: env["SANDBOX_SEED"] || "laurel",
  }
}

function wholeFrom(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  fallback: number,
  low: number,
  high: number,
): number {
  const text = env[name]
  if (text === undefined || text === "") return fallback
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= low && value <= high) return value
  throw new BadSetting(`${name} must be a whole number from ${low} to ${high}, not "${text}".`)
}

function hostFrom(env: Readonly<Record<string, string | undefined>>): string {
  const host = env["SANDBOX_HOST"] || "127.0.0.1"
  if (/^[A-Za-z0-9.:-]+$/.test(host)) return host
  throw new BadSetting(`SANDBOX_HOST must be a host name or an address, not "${host}".`)
}

function keyFrom(env: Readonly<Record<string, string | undefined>>): string {
  const key = env["SANDBOX_API_KEY"] || demoKey
  if (/^[\x21-\x7e]{8,200}$/.test(key)) return key
  throw new BadSetting("SANDBOX_API_KEY must have 8 to 200 characters, without spaces or accents.")
}
