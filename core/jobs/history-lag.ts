import type { HistoryLag } from "../../contract/status.ts"
import type { JobStore } from "./job-store.ts"
import { tagForms } from "./correlation-tags.ts"

/** What was watched within this time is told, in ms. */
const recentMs = 7_200_000

/** How long effects of ours took from their answer to the history lately; null while none was watched. */
export async function historyLag(jobs: JobStore): Promise<HistoryLag | null> {
  const now = await jobs.now()
  const watched = await Promise.all(tagForms.map((form) => jobs.controls(form, now - recentMs)))
  const lags = watched.flat().map(({ answeredAt, seenAt }) => ({
    ms: Math.max(0, (seenAt ?? now) - answeredAt),
    seen: seenAt !== null,
  }))
  if (lags.length === 0) return null
  const shown = lags.flatMap(({ ms, seen }) => (seen ? [ms] : [])).toSorted((a, b) => a - b)
  return {
    watched: lags.length,
    usual_ms: shown[Math.floor(shown.length / 2)] ?? null,
    largest_ms: Math.max(...lags.map(({ ms }) => ms)),
    missing: lags.length - shown.length,
  }
}
