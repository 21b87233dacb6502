import { randomBytes } from "node:crypto"
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { RestoreMarker } from "../../core/ports.ts"
import { reasonOf, StoreRefused } from "./engine.ts"

/**
 * Makes a database's file readable and writable by its owner alone (0600), before anything is written into it and also
 * when an earlier version made it otherwise. The database gives its companion files the same permissions.
 */
export function ownerOnly(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, "a", 0o600))
  for (const one of [file, `${file}-wal`, `${file}-shm`].filter(existsSync)) {
    try {
      chmodSync(one, 0o600)
    } catch (error) {
      // A file of another account that this one may write stays as it is: only its owner may change its rights.
      if (!hasCode(error, "EPERM")) throw error
    }
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code
}

/** Where SQLite keeps the number that `user_version` sets, in the file's header. */
const userVersionAt = 60
const sqliteBusy = 5

/**
 * File systems of Linux whose locks are kept by this machine's kernel alone, by the numbers of statfs(2): ext, XFS,
 * Btrfs, overlay, tmpfs, F2FS, ZFS, bcachefs. A network's may lose a lock while its holder works on.
 */
const localFileSystems = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x794c7630, 0x01021994, 0xf2f52010, 0x2fc12fc1, 0xca451a4e,
])

/** A folder locked by this process. */
interface FolderLock {
  /** Every other process that ever worked in it is over: the lock is one that no living process can lose. */
  readonly isExclusive: boolean
  release(): void
}

/**
 * Takes a folder for this process: two would work on the same files. The lock is the operating system's, so it ends
 * with the process, however that ends; it contains the process id.
 * @throws StoreRefused when another process has it, or it cannot be written to
 */
export function lockFolder(folder: string): FolderLock {
  const path = join(folder, "laurel.lock")
  let lock: DatabaseSync | undefined
  try {
    ownerOnly(path)
    lock = new DatabaseSync(path, { timeout: 0 })
    // Kept beyond the end of the transaction, until the file is closed.
    lock.exec("pragma locking_mode = exclusive")
    lock.exec(`begin exclusive; pragma user_version = ${process.pid}; commit`)
    const locked = lock
    const isExclusive = process.platform === "linux" && localFileSystems.has(statfsSync(folder).type)
    return { isExclusive, release: () => locked.close() }
  } catch (error) {
    lock?.close()
    const isLocked = error instanceof Error && "errcode" in error && error.errcode === sqliteBusy
    throw new StoreRefused(
      isLocked
        ? `Another Laurel works on ${folder} already (process ${holderOf(path)}). Stop that one, or give this one a DATA_DIR of its own. For several instances use DATABASE_URL.`
        : `The folder ${folder} cannot be used: ${reasonOf(error)}. Check DATA_DIR and its permissions.`,
      { cause: error },
    )
  }
}

function holderOf(path: string): string {
  try {
    return String(readFileSync(path).readUInt32BE(userVersionAt))
  } catch {
    return "unknown"
  }
}

/** Shortest valid file, in characters: a shorter one was cut short. */
const shortestSecret = 32

/**
 * The secret that signs session cookies: a file next to the store, never in it, readable by its owner alone. Made at
 * the first start; of two parallel starts the file of the first counts.
 * @throws StoreRefused when the file cannot be made or read, or holds no secret: without one anybody could make sessions
 */
export function fileSessionSecret(dataDir: string): string {
  const file = join(dataDir, "session-secret")
  let secret = ""
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    try {
      writeFileSync(file, randomBytes(48).toString("base64url"), { mode: 0o600, flag: "wx" })
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error
    }
    secret = readFileSync(file, "utf8").trim()
  } catch (error) {
    throw new StoreRefused(
      `The session secret ${file} can’t be created or read: ${reasonOf(error)}. Check DATA_DIR and its permissions, or set SESSION_SECRET.`,
      { cause: error },
    )
  }
  if (secret.length >= shortestSecret) return secret
  throw new StoreRefused(
    `The file ${file} has no session secret. Delete it and start again: a new one is created, and everyone has to sign in again.`,
  )
}

/** A text in a file next to the store. Replaced atomically, so that a crash leaves the old one or the new one. */
export function restoreMarker(file: string): RestoreMarker {
  return {
    async read() {
      try {
        return await readFile(file, "utf8")
      } catch (error) {
        if (hasCode(error, "ENOENT")) return undefined
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
