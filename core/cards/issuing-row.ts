import type { RowRecord } from "../jobs/job-store.ts"

/** Whether a row of cards has issued one: it was confirmed, or a person linked the card to it. */
export function hasIssued({ state, upstreamId, decision }: RowRecord): boolean {
  if (upstreamId === null) return false
  return (
    state === "confirmed" ||
    ((state === "absent" || state === "conflict") && decision?.decision === "happened")
  )
}
