import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { basename, join, resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { parseArgs } from "node:util"
import * as z from "zod/mini"
import { dataFile, dataFolder } from "./config.ts"
import { ownerOnly } from "./store/data-folder.ts"
import { reasonOf, StoreRefused } from "./store/engine.ts"
import { sqliteSteps } from "./store/migrations.ts"
import { databaseName } from "./store/open-store.ts"

// `npm run backup`: docs/operating.md, Backups.

const usage =
  "npm run backup [-- --to FILE]: copies the store of DATA_DIR, also while Laurel runs.\nnpm run backup -- verify FILE: checks a copy and says what it holds."

/** Of each table: the word for its rows. */
const counted: Readonly<Record<string, string>> = {
  app_user: "users",
  app_session: "sessions",
  job: "jobs",
  job_row: "rows of jobs",
  card: "cards",
  note: "notes",
  setting: "settings",
  audit: "audit entries",
}
const longestWaitMs = 10_000

function main(): void {
  const { positionals, to } = readCommand()
  const [command, file] = positionals
  if (command === undefined) return backUp(to)
  if (command !== "verify" || file === undefined || positionals.length > 2 || to !== undefined)
    throw new StoreRefused(usage)
  print(...verify(resolve(file)))
}

function readCommand() {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options: { to: { type: "string" } } })
    return { positionals, to: values.to }
  } catch {
    throw new StoreRefused(usage)
  }
}

function backUp(to: string | undefined): void {
  const dataDir = dataFolder(process.env["DATA_DIR"])
  const databaseUrl = process.env["DATABASE_URL"]?.trim()
  if (databaseUrl) {
    const done = dataFile({ dataDir, environment: "production" }, "-last-backup")
    throw new StoreRefused(
      `No backup was made: the store is the database ${databaseName(databaseUrl)}, which its own tool copies.\nRun: pg_dump --format=custom --exclude-schema=copy --file=laurel.dump "$DATABASE_URL" && touch ${done}\nThe second command is for the age of the last backup in the metrics. ${secretNote("SESSION_SECRET")}`,
    )
  }
  const environments = ["production", "sandbox"] as const
  const environment = environments.find((one) => existsSync(dataFile({ dataDir, environment: one }, ".db")))
  if (environment === undefined) {
    throw new StoreRefused(`No backup was made: there is no store in ${dataDir}. Set DATA_DIR to its folder.`)
  }
  const store = dataFile({ dataDir, environment }, ".db")
  const time = new Date().toISOString().slice(0, 19).replaceAll(":", "")
  const name = `${basename(store, ".db")}-${time}Z.db`
  const copy = to === undefined ? join(dataDir, "backups", name) : resolve(to)
  if (existsSync(copy)) {
    throw new StoreRefused(
      `No backup was made: ${copy} is there already, and nothing in it was changed. Name a new file.`,
    )
  }
  const report = copyStore(store, copy)
  const mark = dataFile({ dataDir, environment }, "-last-backup")
  // Replaced instead of written to: one that root made belongs to root.
  rmSync(mark, { force: true })
  writeFileSync(mark, `${copy}\n`, { mode: 0o600 })
  print(
    ...report,
    secretNote(process.env["SESSION_SECRET"] ? "SESSION_SECRET" : join(dataDir, "session-secret")),
  )
}

/** Copies under another name until the copy is complete and checked. Returns what it holds. */
function copyStore(store: string, copy: string): string[] {
  const part = `${copy}.part`
  try {
    const database = new DatabaseSync(store, { readOnly: true, timeout: longestWaitMs })
    try {
      const moved = movedTo(database)
      if (moved !== undefined) throw new Error(`the store was moved to ${moved}. Back up that database`)
      rmSync(part, { force: true })
      ownerOnly(part)
      database.prepare("vacuum into ?").run(part)
    } finally {
      database.close()
    }
    const opened = openSync(part, "r+")
    fsyncSync(opened)
    closeSync(opened)
    const report = inspect(part, copy)
    renameSync(part, copy)
    return report
  } catch (error) {
    if (existsSync(part)) rmSync(part)
    throw new StoreRefused(
      `No backup was made: ${reasonOf(error)}. Nothing is left of it, and ${store} is unchanged.`,
      {
        cause: error,
      },
    )
  }
}

/** Reads a copy from beginning to end and returns what it holds. Throws why it could not be put back. */
function inspect(file: string, name = file): string[] {
  if (!existsSync(file)) throw new Error("there is no such file")
  const database = new DatabaseSync(file, { readOnly: true, timeout: longestWaitMs })
  try {
    const [found, ...more] = textsOf(database, "pragma integrity_check")
    if (found !== "ok") throw new Error(`it is damaged (${[found, ...more].slice(0, 3).join("; ")})`)
    const [broken] = textsOf(database, "pragma foreign_key_check")
    if (broken !== undefined) throw new Error(`it is damaged (${broken} refers to a row that is missing)`)
    return contentsOf(database, name, statSync(file).size)
  } finally {
    database.close()
  }
}

function verify(file: string): string[] {
  try {
    return inspect(file)
  } catch (error) {
    throw new StoreRefused(`${file} cannot be put back as a backup: ${reasonOf(error)}. Nothing was changed.`)
  }
}

const stampRow = z.object({
  environment: z.string(),
  program_base_url: z.nullable(z.string()),
  giftcard_base_url: z.nullable(z.string()),
})

function contentsOf(database: DatabaseSync, name: string, size: number): string[] {
  const tables = new Set(textsOf(database, "select name from sqlite_master where type = 'table'"))
  if (!tables.has("kysely_migration") || !tables.has("stamp")) throw new Error("it holds no store of Laurel")
  const steps = sqliteSteps()
  const taken = textsOf(database, "select name from kysely_migration")
  const newer = taken.filter((step) => !steps.includes(step))
  if (newer.length > 0)
    throw new Error(`a newer Laurel wrote it (${newer.join(", ")}); this one cannot start on it`)
  const older = steps.length - taken.length
  const stamp = z.array(stampRow).parse(database.prepare("select * from stamp").all())[0]
  const counts = Object.entries(counted).flatMap(([table, word]) =>
    tables.has(table) ? `${textsOf(database, `select count(*) from ${table}`)[0]} ${word}` : [],
  )
  const moved = movedTo(database)
  return [
    `${name}: complete, ${(size / 1e6).toFixed(1)} MB. Every page and reference was checked.`,
    stamp === undefined
      ? "Made for: not used yet."
      : `Made for: ${[stamp.environment, stamp.program_base_url, stamp.giftcard_base_url].filter(Boolean).join(", ")}.`,
    older === 0
      ? `Version: as this Laurel (${taken.at(-1)}).`
      : `Version: older than this Laurel by ${older} ${older === 1 ? "step" : "steps"} (${taken.at(-1)}), which the start on it takes.`,
    `Holds: ${counts.join(", ")}.`,
    ...(moved === undefined
      ? []
      : [`It is of a store that was moved to ${moved}: Laurel does not start on it.`]),
  ]
}

function movedTo(database: DatabaseSync): string | undefined {
  const hasMark = textsOf(database, "select name from sqlite_master where name = 'store_move'").length > 0
  return hasMark ? textsOf(database, "select other from store_move")[0] : undefined
}

/** The first column of each row. */
function textsOf(database: DatabaseSync, statement: string): string[] {
  return database
    .prepare(statement)
    .all()
    .map((row) => String(Object.values(row)[0]))
}

function secretNote(secret: string): string {
  return `Not in it: ${secret}, without which the copy opens no session. Keep that apart from it.`
}

function print(...lines: string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`)
}

try {
  main()
} catch (error) {
  if (!(error instanceof StoreRefused)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
