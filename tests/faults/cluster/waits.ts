import type { LoggedRequest } from "../../../sandbox/app.ts"
import { quantile } from "../../bench/report.ts"
import { densest } from "../../support/densest.ts"
import type { PageRequest } from "./people.ts"

/** What they took, ms. */
export const timesOf = (made: readonly PageRequest[]) => made.map(({ ms }) => ms)
/** What pages could not show before it came. */
export const awaited = (made: readonly PageRequest[]) => made.filter(({ behind }) => !behind)

/** What each page's requests took, and who waited how long. */
export function pageLines(made: readonly PageRequest[], remembered: number): string[] {
  const shown = awaited(made)
  const waited = shown.filter(({ retries }) => retries > 0)
  const older = shown.filter(({ stale }) => stale).length
  const waits = [...Map.groupBy(waited, ({ page }) => page)].map(
    ([page, some]) => `${page} ${some.length} (longest ${seconds(Math.max(...some.map(({ ms }) => ms)))})`,
  )
  return [
    `  ${made.length} requests of pages: ${shown.length} were waited for, ${older} of them answered with older data;`,
    `    ${made.length - shown.length} updated what was shown: ${spread(timesOf(made.filter(({ behind }) => behind)))}; ${remembered} were not needed`,
    ...[...Map.groupBy(shown, sourceOf)].map(
      ([source, some]) => `    ${source}, ${some.length}: ${spread(timesOf(some))}`,
    ),
    ...[...Map.groupBy(shown, ({ page }) => page)].map(
      ([page, some]) => `    ${page}, ${some.length}: ${spread(timesOf(some))}`,
    ),
    `  ${waited.length} waited for a 503 and were sent again${waits.length === 0 ? "" : `: ${waits.join(", ")}`}`,
  ]
}

/** Whom an answer comes from. */
const sourceOf = ({ ofService }: PageRequest) => (ofService ? "data of the service" : "Laurel’s own data")

/** What people were shown instead of data: how many times, and the first of them. */
export function failuresOf(made: readonly PageRequest[]): string[] {
  const failures = made.flatMap(({ page, failure }) => (failure === undefined ? [] : [`${page}: ${failure}`]))
  return failures.length === 0 ? [] : [`${failures.length} requests failed`, ...failures.slice(0, 20)]
}

/** Median, p95 and longest of times in ms. */
export function spread(ms: readonly number[]): string {
  if (ms.length === 0) return "none"
  return `median ${seconds(quantile(ms, 0.5))}, p95 ${seconds(quantile(ms, 0.95))}, longest ${seconds(Math.max(...ms))}`
}

export const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`

/** The most requests within any minute. */
export function mostInAMinute(requests: readonly LoggedRequest[]): number {
  return densest(
    requests.map(({ at }) => at),
    60_000,
  )
}
