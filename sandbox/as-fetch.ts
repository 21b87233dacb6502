import type { Sandbox } from "./app.ts"
import { ConnectionDropped } from "./faults/signals.ts"

/**
 * A `fetch` that reaches the sandbox and nothing else. A dropped connection is the TypeError a real `fetch` rejects
 * with, a hang lasts until the signal of the request aborts.
 */
export function asFetch(
  sandbox: Sandbox,
): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    try {
      return await sandbox.fetch(new Request(input, init))
    } catch (error) {
      throw error instanceof ConnectionDropped ? new TypeError("fetch failed", { cause: error }) : error
    }
  }
}
