import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Log } from "../../core/ports.ts"
import type { Engine } from "./engine.ts"
import { ownerOnly } from "./owner-only.ts"
import { StoreRefused } from "./store-refused.ts"
import { openPostgres } from "./postgres-engine.ts"
import { openSqlite } from "./sqlite-engine.ts"

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
