import { formatCount } from "./format.ts"
import { duration } from "./time.ts"

/**
 * What something costs in upstream requests, always in this form: `5 requests, about 5 s`. The team's key
 * allows about one request a second, so the time is the count in seconds.
 */
export function cost(requests: number): string {
  if (requests <= 0) return "No requests"
  const noun = requests === 1 ? "request" : "requests"
  return `${formatCount(requests)} ${noun}, about ${duration(requests * 1000)}`
}
