import type { Api } from "../../../contract/desk/status.ts"
import type { JobContext } from "./job-context.ts"
import type { RowRecord } from "./job-store.ts"

/** Further back than the first sending, in ms: clocks are never quite the same. */
const marginMs = 900_000

/**
 * From when on the service's records are read for a row: its first sending on the service's own clock, less a quarter
 * of an hour. Undefined while the service has not said its time: then everything is read.
 */
export function lookFrom({ time }: JobContext, api: Api, row: RowRecord): number | undefined {
  const at = row.firstSentAt === null ? undefined : time.onService(api, row.firstSentAt)
  return at === undefined ? undefined : at - marginMs
}
