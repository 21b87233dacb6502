import { fileURLToPath } from "node:url"

/**
 * Where Node keeps what it compiled, for programs that tests start again and again: it halves the work of a start. Node
 * takes nothing from there that another version made or whose source has changed.
 */
export const compiledCode = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../../node_modules/.cache/laurel-compiled", import.meta.url)),
}
