import { randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { StoreRefused } from "../store/engine.ts"

/** Shorter than this and the file was cut short, in characters. */
const shortest = 32

/**
 * The secret that signs session cookies: a file beside the store, never in it, readable by its owner alone. Made at
 * the first start; of two that start at once the file of the first counts.
 * @throws StoreRefused when the file cannot be made or read, or holds no secret: without one anybody could make sessions
 */
export function fileSessionSecret(dataDir: string): string {
  const file = join(dataDir, "session-secret")
  const secret = readOrMake(dataDir, file)
  if (secret.length >= shortest) return secret
  throw new StoreRefused(
    `The file ${file} has no session secret. Delete it and start again: a new one is created, and everyone has to sign in again.`,
  )
}

function readOrMake(dataDir: string, file: string): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    try {
      writeFileSync(file, randomBytes(48).toString("base64url"), { mode: 0o600, flag: "wx" })
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
    }
    return readFileSync(file, "utf8").trim()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StoreRefused(
      `The session secret ${file} can’t be created or read: ${reason}. Check DATA_DIR and its permissions, or set SESSION_SECRET.`,
      { cause: error },
    )
  }
}
