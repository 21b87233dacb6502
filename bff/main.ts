import { randomBytes } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import closeWithGrace from "close-with-grace"
import * as z from "zod/mini"
import type { Log } from "../core/ports.ts"
import { createSandbox, type Sandbox } from "../sandbox/app.ts"
import { openSandboxFile, type SandboxFile } from "../sandbox/persist-file.ts"
import { cardSettings } from "../sandbox/seed/cards.ts"
import { pastYear } from "../sandbox/seed/history.ts"
import { serveSandbox } from "../sandbox/serve.ts"
import { type Config, longestStop, readConfig } from "./config.ts"
import { ListenRefused } from "./http/listen.ts"
import { createLogger, startOutput } from "./log.ts"
import { logOf, startApp, startLines } from "./start.ts"
import { lockFolder, ownerOnly } from "./store/data-folder.ts"
import { type Engine, reasonOf, StoreRefused } from "./store/engine.ts"
import { storeHistory } from "./store/history.ts"

/** Interval of saving the services' changes to their file, in ms: a killed process loses no more. */
const saveEveryMs = 1000

const pages = fileURLToPath(new URL("../dist/app", import.meta.url))
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")))

try {
  await main()
} catch (error) {
  // Errors that an operator can fix; anything else is a bug.
  if (!(error instanceof StoreRefused || error instanceof ListenRefused)) throw error
  refuse(error.message.split("\n"))
}

async function main(): Promise<void> {
  const read = readConfig(process.env)
  if (!read.ok) return refuse(read.problems)
  const { config } = read
  const folder = config.databaseUrl === undefined ? lockFolder(config.dataDir) : undefined
  // For the built-in services: made for this start alone.
  const sandboxKey = randomBytes(24).toString("base64url")
  const logger = createLogger(config, [sandboxKey])
  const sandbox =
    config.environment === "sandbox"
      ? await startBuiltInSandbox(config, sandboxKey, logOf(logger))
      : undefined
  const connections = sandbox?.connections ?? config.connections
  const settings = sandbox && cardSettings
  const fillStore = sandbox?.fillStore
  const alone = folder?.isExclusive === true
  const app = await startApp({ config, connections, version, logger, pages, settings, fillStore, alone })
  const lines = startLines(config, version, app)
  if (!existsSync(pages)) lines.push("The pages are not built yet: run `npm run build`, then start again.")
  process.stdout.write(startOutput(lines, process.stdout.isTTY))
  closeWithGrace({ delay: longestStop(config), logger }, async ({ err }) => {
    if (err !== undefined)
      logger.fatal({ stack: err.stack }, "Laurel is stopping because of an unexpected error.")
    await app.close(err === undefined ? config.drain : 0)
    await sandbox?.close()
    folder?.release()
  })
}

/** Both simulated services in this process, with a key generated for this start. @throws StoreRefused for their file */
async function startBuiltInSandbox(config: Config, apiKey: string, log: Log) {
  const { members, seed, rateLimit = 60 } = config.sandbox
  const sandbox = createSandbox({
    programKey: apiKey,
    giftcardKey: apiKey,
    rateLimit,
    giftcardRateLimit: rateLimit,
    ...(members !== undefined && { members }),
    ...(seed !== undefined && { seed }),
  })
  const file = openFile(join(config.dataDir, "sandbox-services.db"), sandbox)
  const save = () => {
    try {
      file.save()
    } catch (error) {
      log.warn({ err: error }, "The sandbox's work could not be written to its file; it is tried again.")
    }
  }
  save()
  const timer = setInterval(save, saveEveryMs)
  const server = await serveSandbox(sandbox, { host: "127.0.0.1", port: 0 })
  // Laurel counts on some limit: "none" is more than a sandbox is ever asked.
  const connection = { apiKey, rateLimit: rateLimit === 0 ? 100_000 : rateLimit }
  return {
    connections: {
      program: { baseUrl: `${server.url}/v1`, ...connection },
      giftcard: { baseUrl: `${server.url}/api/v1/external`, ...connection },
    },
    fillStore: async (engine: Engine) => {
      if (config.sandbox.history) await storeHistory(engine, () => pastYear(sandbox.store))
    },
    close: async () => {
      clearInterval(timer)
      await server.close()
      file.close()
    },
  }
}

function openFile(path: string, sandbox: Sandbox): SandboxFile {
  try {
    ownerOnly(path)
    return openSandboxFile(path, sandbox)
  } catch (error) {
    throw new StoreRefused(
      `The file of the built-in sandbox, ${path}, cannot be used: ${reasonOf(error)}. Check DATA_DIR and its permissions; deleting the file starts the sandbox afresh.`,
    )
  }
}

function refuse(problems: readonly string[]): never {
  process.stderr.write(`Laurel was not started.\n${problems.map((problem) => `- ${problem}\n`).join("")}`)
  process.exit(1)
}
