import { existsSync } from "node:fs"
import { compiledCode } from "./compiled-code.ts"
import { runToEnd } from "./run-to-end.ts"

/**
 * Runs Laurel once to a refused start, before the first test. Node keeps what it compiled only where a program ends by
 * itself, and most of those that tests start are killed.
 */
export async function setup(): Promise<void> {
  if (existsSync(compiledCode.NODE_COMPILE_CACHE)) return
  await runToEnd("bff/main.ts", { PORT: "none" })
}
