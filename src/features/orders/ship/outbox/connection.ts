import { externalValue, type ExternalValue } from "../../../../lib/external-value.ts"

/** Whether the desk's server can be reached. */
export interface Connection {
  /** When it was lost, in ms since the epoch; null while it stands. */
  readonly lostAt: ExternalValue<number | null>
  /** No answer came. */
  lost(): void
  /** An answer came. */
  found(): void
}

/** Follows the connection by what the browser says and by what requests met; `stop` ends it. */
export function followConnection(now: () => number = Date.now): Connection & { stop(): void } {
  const lostAt = externalValue<number | null>(null)
  const lost = () => lostAt.set(lostAt.get() ?? now())
  const found = () => {
    if (navigator.onLine) lostAt.set(null)
  }
  if (!navigator.onLine) lost()
  window.addEventListener("offline", lost)
  window.addEventListener("online", found)
  return {
    lostAt,
    lost,
    found,
    stop() {
      window.removeEventListener("offline", lost)
      window.removeEventListener("online", found)
    },
  }
}
