import { createEventBus } from "../../core/runtime.ts"
import type { Log } from "../../core/ports.ts"
import type { DeskBus } from "./engine.ts"

/** Events within one process: enough for a store in a file, which only one process works on. */
export function inProcessBus(log: Log): DeskBus {
  const bus = createEventBus((error) => log.error({ reason: String(error) }, "A listener of events failed."))
  return {
    publish: (event) => bus.publish(event),
    subscribe: (listener) => bus.subscribe(listener),
    // Within one process nothing is ever missed.
    onGap: () => {},
    close: async () => {},
  }
}
