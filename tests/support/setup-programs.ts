import { existsSync } from "node:fs"
import { compiledCode } from "./compiled-code.ts"
import { runToEnd } from "./run-to-end.ts"

/**
 * Fills the compile cache before the first test by running Laurel to a refused start: Node writes the cache only when
 * a process exits normally, and tests kill most of theirs.
 */
export async function setup(): Promise<void> {
  if (existsSync(compiledCode.NODE_COMPILE_CACHE)) return
  await runToEnd("bff/main.ts", { PORT: "none" })
}
