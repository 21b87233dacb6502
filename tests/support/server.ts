import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Config, type ConnectionConfig, readConfig } from "../../bff/config.ts"
import type { SignInLimits } from "../../bff/auth/sign-in-throttle.ts"
import { createLogger } from "../../bff/log.ts"
import { startApp as start } from "../../bff/start.ts"
import { demoPassword, demoPeople } from "../../sandbox/seed/people.ts"
import type { Api } from "../../contract/response.ts"
import type { Role } from "../../contract/roles.ts"
import { createSandbox, type Sandbox } from "../../sandbox/app.ts"
import { demoKey, type SandboxOptions } from "../../sandbox/config.ts"
import { serveSandbox } from "../../sandbox/serve.ts"
import { type Person, signInAs } from "./person.ts"

/** Options of a test app; all have defaults. */
export interface CoreOptions {
  /** Sandbox options: 200 members and no rate limit by default. */
  readonly sandbox?: Partial<SandboxOptions>
  /** Laurel's rate limit, requests a minute; 100,000 by default. */
  readonly rateLimit?: number
  /** Additional environment variables, such as `METRICS_TOKEN`. */
  readonly env?: Readonly<Record<string, string>>
  /** Connections that replace those to the sandbox. */
  readonly connections?: Partial<Readonly<Record<Api, ConnectionConfig>>>
  /** A second key of both services, which takes over from the first. */
  readonly nextApiKey?: string
  /** Folder of the store; a temporary one by default. */
  readonly dataDir?: string
  /** PostgreSQL URL; SQLite by default. */
  readonly databaseUrl?: string
  readonly signInLimits?: SignInLimits
  /** Folder of the built pages. */
  readonly pages?: string
  /** Receives each log line. */
  readonly onLog?: (line: string) => void
}

/** An app and its sandbox in this process. */
export interface TestApp {
  readonly url: string
  readonly sandbox: Sandbox
  /** Path of the set-up link if there is no administrator. */
  readonly setUpPath: string | undefined
  /** Signs in as the demo user of a role. */
  signIn(role: Role): Promise<Person>
  close(): Promise<void>
}

const builtPages = join(import.meta.dirname, "../../dist/app")

/** Starts an app on a free port, with its own store and sandbox. */
export async function startApp(options: CoreOptions = {}): Promise<TestApp> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "laurel-test-"))
  const sandbox = createSandbox({ members: 200, rateLimit: 0, giftcardRateLimit: 0, ...options.sandbox })
  const services = await serveSandbox(sandbox, { host: "127.0.0.1", port: 0 })
  const rateLimit = options.rateLimit ?? 100_000
  const close = async () => {
    await services.close()
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const keys = { apiKey: demoKey, nextApiKey: options.nextApiKey }
    const logLevel = options.onLog === undefined ? "silent" : "debug"
    // Tests count requests.
    const env = { DATA_DIR: dataDir, LOG_LEVEL: logLevel, SYNC: "off", ...options.env }
    const config = { ...configOf(env), databaseUrl: options.databaseUrl }
    const app = await start({
      config,
      connections: options.connections ?? {
        program: { baseUrl: `${services.url}/v1`, ...keys, rateLimit },
        giftcard: { baseUrl: `${services.url}/api/v1/external`, ...keys, rateLimit },
      },
      version: "0.0.0-test",
      logger: createLogger(config, [demoKey], { write: options.onLog ?? (() => {}) }),
      pages: options.pages ?? builtPages,
      ...(options.signInLimits !== undefined && { signInLimits: options.signInLimits }),
    })
    return {
      url: app.url,
      sandbox,
      setUpPath: app.setUpPath,
      signIn: (role) => {
        const account = demoPeople.find((one) => one.role === role)
        if (account === undefined) throw new Error(`There is no demo account for ${role}.`)
        return signInAs(app.url, account.email, demoPassword)
      },
      close: async () => {
        await app.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

function configOf(env: Readonly<Record<string, string>>): Config {
  const read = readConfig({ PORT: "0", ...env })
  if (!read.ok) throw new Error(read.problems.join("\n"))
  return read.config
}
