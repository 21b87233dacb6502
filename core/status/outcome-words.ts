import type { UpstreamOutcome } from "../ports.ts"

/** Longer than this and a call counts as slow, in ms. */
export const slowMs = 2000

/** HTTP status of an outcome, readable or not; undefined when nothing came. */
export function statusOf(outcome: UpstreamOutcome): number | undefined {
  return outcome.kind === "answer" || outcome.kind === "unreadable" ? outcome.status : undefined
}

/** Whether the service asked to wait: the request was not carried out. */
export function isLimited(outcome: UpstreamOutcome): boolean {
  return statusOf(outcome) === 429
}

/** Whether an outcome says that something is wrong with the service or the key, in a few words; else undefined. */
export function troubleIn(outcome: UpstreamOutcome): string | undefined {
  switch (outcome.kind) {
    case "not_sent":
      return `couldn’t be reached: ${outcome.what}`
    case "no_answer":
      return `didn’t respond: ${outcome.what}`
    case "unreadable":
      return isLimited(outcome) ? undefined : `sent an unreadable response: ${outcome.what}`
    case "answer":
      if (outcome.status === 401 || outcome.status === 403) return `refused the key (${outcome.status})`
      return outcome.status >= 500 ? `had an error (${outcome.status})` : undefined
    default:
      return outcome satisfies never
  }
}

/** A short label of an outcome for counting. */
export function labelOf(outcome: UpstreamOutcome): string {
  if (isLimited(outcome)) return "limited"
  if (outcome.kind !== "answer") return outcome.kind
  if (outcome.status >= 500) return "fault"
  return outcome.status >= 400 ? "refused" : "ok"
}
