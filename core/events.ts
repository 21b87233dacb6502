import type { DeskEvent } from "../contract/status.ts"
import type { EventBus } from "./ports.ts"

/**
 * A bus within one process. A listener that throws is dropped from this event only: the others still hear it.
 * @param failed hears what a listener threw
 */
export function createEventBus(failed: (error: unknown) => void): EventBus {
  const listeners = new Set<(event: DeskEvent) => void>()
  return {
    publish(event) {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch (error) {
          failed(error)
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
