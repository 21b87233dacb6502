import { join } from "node:path"
import { parseArgs } from "node:util"
import { dataFolder } from "./config.ts"
import { StoreRefused } from "./store/engine.ts"
import { moveStore } from "./store/move-store.ts"

/** `npm run move-store -- --to postgres://…`: docs/operating.md, Outgrowing one machine. */
const usage =
  "npm run move-store [-- --to postgres://user@host:5432/database]\nCopies the store of DATA_DIR into an empty PostgreSQL database. Without --to the database is DATABASE_URL."

const report = (line: string) => void process.stdout.write(`${line}\n`)
/** Every failure ends the command with its own sentence. */
const silentLog = { info: () => {}, warn: () => {}, error: () => {} }

try {
  await main()
} catch (error) {
  if (!(error instanceof StoreRefused)) throw error
  process.stderr.write(`The store was not moved.\n${error.message.replaceAll(/^/gm, "- ")}\n`)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const databaseUrl = readTarget()
  const dataDir = dataFolder(process.env["DATA_DIR"])
  const file = join(dataDir, "laurel.db")
  await moveStore({ file, databaseUrl, log: silentLog, report })
  report(
    `${file} is marked as moved: Laurel does not start on it any more. Back up the database before you delete it.`,
  )
  report(
    process.env["SESSION_SECRET"]
      ? "Next: start every instance with DATABASE_URL and the same SESSION_SECRET as before."
      : `Next: start every instance with DATABASE_URL, and with SESSION_SECRET set to what ${join(dataDir, "session-secret")} holds; with another one everyone has to sign in again.`,
  )
}

/** The address never appears in a message: it may carry a password. */
function readTarget(): string {
  let to: string | undefined
  try {
    to = parseArgs({ options: { to: { type: "string" } } }).values.to
  } catch {
    throw new StoreRefused(`The command was not understood. Nothing was copied.\n${usage}`)
  }
  const given = to?.trim() || process.env["DATABASE_URL"]?.trim()
  if (!given) throw new StoreRefused(`No database is named. Nothing was copied.\n${usage}`)
  const protocol = URL.parse(given)?.protocol
  if (protocol === "postgres:" || protocol === "postgresql:") return given
  throw new StoreRefused(
    `${to ? "--to" : "DATABASE_URL"} is not an address that starts with postgres://. Nothing was copied.`,
  )
}
