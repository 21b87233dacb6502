import { useEffect, useSyncExternalStore } from "react"
import { forgetChanged, justChanged } from "../lib/just-changed.ts"

/** How long a row stays tinted, in ms (look, Lists). */
const shown = 2000

/** Whether a row's record was made or changed here a moment ago; so for two seconds from when the row is shown. */
export function useJustChanged(id: string): boolean {
  const changed = useSyncExternalStore(justChanged.subscribe, () => justChanged.get().has(id))
  useEffect(() => {
    if (!changed) return undefined
    const timer = setTimeout(() => forgetChanged(id), shown)
    return () => clearTimeout(timer)
  }, [changed, id])
  return changed
}
