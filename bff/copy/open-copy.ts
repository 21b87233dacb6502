import { rmSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import type { CopyStore } from "../../core/copy/copy-store.ts"
import type { Log } from "../../core/ports.ts"
import { type Config, dataFile } from "../config.ts"
import { ownerOnly } from "../store/data-folder.ts"
import { type Engine, reasonOf, StoreRefused } from "../store/engine.ts"
import { kyselyOver } from "../store/sqlite.ts"
import { openCopyStore } from "./copy-store.ts"

type CopyConfig = Pick<Config, "dataDir" | "environment" | "sync">

/** Opens the local copy next to the store; undefined: SYNC=off. @throws StoreRefused */
export async function openCopy(engine: Engine, config: CopyConfig, log: Log): Promise<CopyStore | undefined> {
  if (config.sync === "off") return undefined
  if (config.sync === "memory") return openFile(":memory:", "memory")
  if (engine.kind === "postgres") return openDatabase(engine)
  const file = dataFile(config, "-copy.db")
  try {
    ownerOnly(file)
    return await openFile(file, "file")
  } catch (error) {
    log.warn(
      { reason: reasonOf(error) },
      "The local copy could not be opened. It is filled again from the service.",
    )
  }
  try {
    for (const one of [file, `${file}-wal`, `${file}-shm`]) rmSync(one, { force: true })
    ownerOnly(file)
    return await openFile(file, "file")
  } catch (error) {
    throw new StoreRefused(
      `The local copy ${file} cannot be opened: ${reasonOf(error)}. Check DATA_DIR and its permissions, or set SYNC=off.`,
      { cause: error },
    )
  }
}

/** A separate connection, so that sync never holds up what the store writes; a power cut may cost its last pages. */
async function openFile(file: string, kind: "file" | "memory"): Promise<CopyStore> {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec("pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = normal")
    database.exec("pragma busy_timeout = 0")
    const db = kyselyOver(database)
    return await openCopyStore({ kind, dialect: "sqlite", db, close: () => db.destroy() })
  } catch (error) {
    if (database.isOpen) database.close()
    throw error
  }
}

async function openDatabase({ db }: Engine): Promise<CopyStore> {
  try {
    return await openCopyStore({ kind: "database", dialect: "postgres", db, close: async () => {} })
  } catch (error) {
    throw new StoreRefused(
      `The schema "copy" of DATABASE_URL cannot be used: ${reasonOf(error)}. Let the database's user create it, or set SYNC=off.`,
      { cause: error },
    )
  }
}
