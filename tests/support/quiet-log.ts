import type { Log } from "../../core/ports.ts"

/** A log that discards everything. */
export const quietLog: Log = { info: () => {}, warn: () => {}, error: () => {} }
