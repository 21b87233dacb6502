import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname } from "node:path"
import type { Beside } from "../../core/ports.ts"

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
