import type { JobContext } from "./job-context.ts"
import type { JobRecord } from "./job-store.ts"

/**
 * A row of a form has a minute from the click that wants it sent; the time of a larger job goes on counting from its
 * first start.
 */
export function begunAnew({ time }: JobContext, { lane }: JobRecord): { readonly startedAt?: number } {
  return lane === "people" ? { startedAt: time.now() } : {}
}
