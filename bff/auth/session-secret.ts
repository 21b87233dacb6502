import { randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/**
 * The secret that signs session cookies: a file beside the store, never in it, readable by its owner alone. Made at
 * the first start; of two that start at once the file of the first counts.
 */
export function fileSessionSecret(dataDir: string): string {
  const file = join(dataDir, "session-secret")
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(48).toString("base64url"), { mode: 0o600, flag: "wx" })
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
  }
  return readFileSync(file, "utf8").trim()
}
