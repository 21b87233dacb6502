import type { Api } from "../../contract/status.ts"
import type { JobContext } from "./job-context.ts"
import type { RowRecord } from "./job-store.ts"
import { neverSentHere } from "./job-kind.ts"

/** Further back than the first sending, in ms: clocks are never quite the same. */
const marginMs = 900_000

/** While the service's clock is not known yet, it is taken to be wrong by no more than this, in ms. */
const unknownClockMs = 93_600_000

/**
 * From when on the service's records are read for a row: its first sending on the service's own clock, less a quarter
 * of an hour. Undefined while the service has not said its time: then everything is read.
 */
export function lookFrom({ time }: JobContext, api: Api, row: RowRecord): number | undefined {
  // A row that this store has never sent can only have been sent after its job was made.
  const made = neverSentHere(row)?.made
  const since = row.firstSentAt ?? made
  if (since === undefined) return undefined
  const at = time.toServiceTime(api, since)
  if (at !== undefined) return at - marginMs
  return made === undefined ? undefined : made - unknownClockMs
}
