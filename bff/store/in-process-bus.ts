import type { DeskEvent } from "../../contract/desk/event.ts"
import type { DeskBus } from "./engine.ts"

/** Events within one process: enough for a store in a file, which only one process works on. */
export function inProcessBus(): DeskBus {
  const listeners = new Set<(event: DeskEvent) => void>()
  return {
    publish: (event) => {
      for (const listener of [...listeners]) listener(event)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    // Within one process nothing is ever missed.
    onGap: () => {},
    close: async () => listeners.clear(),
  }
}
