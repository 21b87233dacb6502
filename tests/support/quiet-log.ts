import type { Log } from "../../core/ports.ts"

/** A log that nobody reads. */
export const quietLog: Log = { info: () => {}, warn: () => {}, error: () => {} }
