import { chmodSync, closeSync, existsSync, openSync } from "node:fs"

/**
 * Makes a database's file readable and writable by its owner alone (0600), before anything is written into it and also
 * when an earlier version made it otherwise. The database gives the files beside it the same rights.
 */
export function ownerOnly(file: string): void {
  closeSync(openSync(file, "a", 0o600))
  for (const one of [file, `${file}-wal`, `${file}-shm`]) {
    if (existsSync(one)) chmodIfOurs(one)
  }
}

/** A file of another account that this one may write stays as it is: only its owner may change its rights. */
function chmodIfOurs(file: string): void {
  try {
    chmodSync(file, 0o600)
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) throw error
  }
}
