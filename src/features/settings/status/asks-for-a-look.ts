import type { Connection, DeskStatus } from "../../../../contract/status.ts"
import { driftHandling } from "./drift-handling.ts"

/** Whether somebody should open the status page: a service in trouble, a refused key, an unknown value. */
export function asksForALook({ connections, drift }: DeskStatus): boolean {
  return connections.some(inTrouble) || drift.some((row) => driftHandling(row).tone === "warning")
}

function inTrouble({ state, seen }: Connection): boolean {
  return state === "slow" || state === "not_answering" || seen.read === "refused" || seen.write === "refused"
}
