import { fileURLToPath } from "node:url"

/**
 * Node's compile cache for programs that tests start repeatedly; it halves their start-up time. Node ignores entries
 * of other versions or changed sources.
 */
export const compiledCode = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../../node_modules/.cache/laurel-compiled", import.meta.url)),
}
