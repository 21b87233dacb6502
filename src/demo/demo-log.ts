import type { Log } from "../../core/ports.ts"

/** What the core would write into a server's log; in a tab only its faults are worth a line. */
export const demoLog: Log = {
  info() {},
  warn() {},
  // oxlint-disable-next-line no-console -- the console is the demo's log
  error: (fields, text) => console.error(text, fields),
}
