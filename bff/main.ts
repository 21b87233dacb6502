import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import closeWithGrace from "close-with-grace"
import * as z from "zod/mini"
import { createSandbox, type Sandbox } from "../sandbox/app.ts"
import { cardSettings } from "../sandbox/seed/cards.ts"
import { openSandboxFile, type SandboxFile } from "../sandbox/persist-file.ts"
import { serveSandbox } from "../sandbox/serve.ts"
import { type Config, readConfig } from "./config.ts"
import type { Log } from "../core/ports.ts"
import { ListenRefused } from "./http/listen.ts"
import { createLogger } from "./log.ts"
import { logOf, startApp, type StartOptions, StartRefused } from "./start.ts"
import { startLines } from "./start-lines.ts"
import { lockFolder } from "./store/open-store.ts"
import { StoreRefused } from "./store/engine.ts"
import { ownerOnly } from "./store/owner-only.ts"

/** Longer than the desk itself waits for what is under way: this much beyond the longest call, in ms. */
const stopMarginMs = 6000
/** How often what was done at the services is written to their file, in ms: a killed process forgets no more. */
const keptEveryMs = 1000

const pages = fileURLToPath(new URL("../dist/app", import.meta.url))
const version = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))).version

try {
  await main()
} catch (error) {
  const problems = expectedProblems(error)
  if (problems === undefined) throw error
  refuse(problems)
}

async function main(): Promise<void> {
  const read = readConfig(process.env)
  if (!read.ok) return refuse(read.problems)
  const { config } = read
  const unlock = config.databaseUrl === undefined ? lockFolder(config.dataDir) : undefined
  // For the built-in services: made for this start alone.
  const sandboxKey = randomBytes(24).toString("base64url")
  const logger = createLogger(config, [sandboxKey])
  const sandbox =
    config.environment === "sandbox"
      ? await startBuiltInSandbox(config, sandboxKey, logOf(logger))
      : undefined
  const connections = sandbox?.connections ?? config.connections
  const desk = await startApp({
    config,
    connections,
    version,
    logger,
    pages,
    ...(sandbox !== undefined && { settings: cardSettings }),
  })
  const lines = startLines({ config, version, url: desk.url, setUpPath: desk.setUpPath })
  process.stdout.write(`${lines.join("\n")}\n`)
  if (!existsSync(pages)) {
    process.stdout.write("The pages are not built yet: run `npm run build`, then start again.\n")
  }
  const delay = (config.drain + config.jobs.call) * 1000 + stopMarginMs
  closeWithGrace({ delay, logger }, async ({ err }) => {
    if (err !== undefined)
      logger.fatal({ stack: err.stack }, "Laurel is stopping because of an unexpected error.")
    await desk.close(err === undefined ? config.drain : 0)
    await sandbox?.close()
    unlock?.()
  })
}

/** The built-in services while they run. */
interface BuiltInSandbox {
  readonly connections: StartOptions["connections"]
  close(): Promise<void>
}

/**
 * Both services, made up, inside this process: reachable only from this machine, with a key made for this start.
 * @throws StartRefused when their file cannot be opened
 */
async function startBuiltInSandbox(config: Config, apiKey: string, log: Log): Promise<BuiltInSandbox> {
  const { members, seed } = config.sandbox
  const rateLimit = config.sandbox.rateLimit ?? 60
  const sandbox = createSandbox({
    programKey: apiKey,
    giftcardKey: apiKey,
    rateLimit,
    giftcardRateLimit: rateLimit,
    ...(members !== undefined && { members }),
    ...(seed !== undefined && { seed }),
  })
  const file = openFile(config.dataDir, sandbox)
  const keep = () => {
    try {
      file.save()
    } catch (error) {
      log.warn({ err: error }, "The sandbox's work could not be written to its file; it is tried again.")
    }
  }
  keep()
  const timer = setInterval(keep, keptEveryMs)
  const server = await serveSandbox(sandbox, { host: "127.0.0.1", port: 0 })
  // The desk counts on some limit: "none" is more than a sandbox is ever asked.
  const counted = rateLimit === 0 ? 100_000 : rateLimit
  return {
    connections: {
      program: { baseUrl: `${server.url}/v1`, apiKey, rateLimit: counted },
      giftcard: { baseUrl: `${server.url}/api/v1/external`, apiKey, rateLimit: counted },
    },
    close: async () => {
      clearInterval(timer)
      await server.close()
      file.close()
    },
  }
}

function openFile(dataDir: string, sandbox: Sandbox): SandboxFile {
  const path = join(dataDir, "sandbox-services.db")
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    ownerOnly(path)
    return openSandboxFile(path, sandbox)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartRefused([
      `The file of the built-in sandbox, ${path}, cannot be used: ${reason}. Check DATA_DIR and its permissions; deleting the file starts the sandbox afresh.`,
    ])
  }
}

/** The sentences of a start that was refused for a reason a person can mend; undefined for a fault of our own. */
function expectedProblems(error: unknown): readonly string[] | undefined {
  if (error instanceof StartRefused) return error.problems
  if (error instanceof ListenRefused || error instanceof StoreRefused) return [error.message]
  return undefined
}

function refuse(problems: readonly string[]): never {
  process.stderr.write(`Laurel was not started.\n${problems.map((problem) => `- ${problem}\n`).join("")}`)
  process.exit(1)
}
