import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Environment } from "../../contract/users.ts"
import type { Beside, Log } from "../../core/ports.ts"
import { type Engine, StoreRefused } from "./engine.ts"
import { openPostgres } from "./postgres.ts"
import { ownerOnly } from "./owner-only.ts"
import { openSqlite } from "./sqlite.ts"

/** Where the store is: a database that several instances share, or a file. */
export type StorePlace = { readonly databaseUrl: string } | { readonly file: string }

/**
 * Opens the store.
 * @throws StoreRefused when it cannot be opened or reached
 */
export async function openEngine(place: StorePlace, log: Log): Promise<Engine> {
  try {
    return "file" in place ? openSqlite(place.file, log) : await openPostgres(place.databaseUrl, log)
  } catch (error) {
    const reason = reasonOf(error)
    throw new StoreRefused(
      "file" in place
        ? `The store ${place.file} cannot be opened: ${reason}. Check DATA_DIR and its permissions.`
        : `The database of DATABASE_URL (${hostOf(place.databaseUrl)}) cannot be used: ${reason}. Start the database or correct DATABASE_URL, then start again.`,
      { cause: error },
    )
  }
}

/** Where SQLite keeps the number that `user_version` sets, in the file's header. */
const userVersionAt = 60

/**
 * Takes a folder for this process: two would work on the same files. The lock is the operating system's, so it ends
 * with the process, however that ends. Inside stands who holds it.
 * @returns what gives the folder back
 * @throws StoreRefused when another process has it, or it cannot be written to
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, "laurel.lock")
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    ownerOnly(path)
    const lock = new DatabaseSync(path, { timeout: 0 })
    try {
      // Kept beyond the end of the transaction, until the file is closed.
      lock.exec("pragma locking_mode = exclusive")
      lock.exec(`begin exclusive; pragma user_version = ${process.pid}; commit`)
    } catch (error) {
      lock.close()
      throw error
    }
    return () => lock.close()
  } catch (error) {
    if (isLocked(error)) {
      throw new StoreRefused(
        `Another Laurel works on ${folder} already (process ${holderOf(path)}). Stop that one, or give this one a DATA_DIR of its own. For several instances use DATABASE_URL.`,
        { cause: error },
      )
    }
    throw new StoreRefused(
      `The folder ${folder} cannot be used: ${reasonOf(error)}. Check DATA_DIR and its permissions.`,
      { cause: error },
    )
  }
}

/** SQLITE_BUSY. */
function isLocked(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 5
}

function holderOf(path: string): string {
  try {
    return String(readFileSync(path).readUInt32BE(userVersionAt))
  } catch {
    return "unknown"
  }
}

function hostOf(databaseUrl: string): string {
  return URL.parse(databaseUrl)?.host ?? "unreadable address"
}

/**
 * Does the first work in a store that is open: brings it up to date and makes sure of what it is.
 * @throws StoreRefused when the store fails; whatever else `work` throws that is a refusal already
 */
export async function preparedOrRefused<T>(
  work: Promise<T>,
  isRefusal: (error: unknown) => boolean,
): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isRefusal(error)) throw error
    throw new StoreRefused(
      `The store cannot be brought up to date: ${reasonOf(error)}. Nothing was started. Check that it is not full or read-only, then start again.`,
      { cause: error },
    )
  }
}

/** Several addresses of one name fail together: their reasons stand inside. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ")
  return error instanceof Error ? error.message : String(error)
}

/** What a store is used for. An address that is not connected is null. */
export interface Stamp {
  readonly environment: Environment
  readonly programBaseUrl: string | null
  readonly giftcardBaseUrl: string | null
}

/**
 * Marks the store at its first use with the environment and both base addresses, and compares at every later one.
 * Returns a sentence for each value that disagrees; with none the work may go on. An address that was left out
 * before may be added, and one may be left out; it can never become another one, because what is stored here
 * belongs to that service.
 */
export async function stampStore(engine: Engine, wanted: Stamp): Promise<string[]> {
  return engine.db.transaction().execute(async (within) => {
    const now = await engine.lock(within, "stamp")
    const found = await within.selectFrom("stamp").selectAll().executeTakeFirst()
    const row = {
      environment: wanted.environment,
      program_base_url: wanted.programBaseUrl,
      giftcard_base_url: wanted.giftcardBaseUrl,
    }
    if (found === undefined) {
      await within
        .insertInto("stamp")
        .values({ id: 1, ...row, stamped_at: now })
        .execute()
      return []
    }
    const problems = [
      differs("ENVIRONMENT", found.environment, row.environment),
      differs("PROGRAM_BASE_URL", found.program_base_url, row.program_base_url),
      differs("GIFTCARD_BASE_URL", found.giftcard_base_url, row.giftcard_base_url),
    ].filter((problem) => problem !== undefined)
    if (problems.length > 0) return problems
    await within
      .updateTable("stamp")
      .set({
        program_base_url: found.program_base_url ?? row.program_base_url,
        giftcard_base_url: found.giftcard_base_url ?? row.giftcard_base_url,
      })
      .execute()
    return []
  })
}

function differs(name: string, stored: string | null, now: string | null): string | undefined {
  if (stored === null || now === null || stored === now) return undefined
  return `${name} is ${now}, but this store was first used with ${stored}. Use the store made for ${now} (another DATA_DIR or DATABASE_URL), or set ${name} back.`
}

/** A text in a file beside the store. It is replaced whole, so that a crash leaves the old one or the new one. */
export function besideFile(file: string): Beside {
  return {
    async read() {
      try {
        return await readFile(file, "utf8")
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined
        throw error
      }
    },
    async write(text) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      const next = `${file}.new`
      const opened = openSync(next, "w", 0o600)
      try {
        writeSync(opened, text)
        fsyncSync(opened)
      } finally {
        closeSync(opened)
      }
      renameSync(next, file)
    },
  }
}
