const perNode = 24
/** Rows of one list are alike: so many of them tell for all. */
const sampled = 4
/** Levels that a record of either service could have a use for, many times over. */
const deepest = 200

/**
 * About how much memory a parsed JSON value takes, in bytes. Cheap rather than exact: it only bounds a cache.
 * @throws RangeError for a value nested deeper than any record is
 */
export function roughSize(value: unknown, depth = 0): number {
  if (typeof value === "string") return perNode + value.length * 2
  if (typeof value !== "object" || value === null) return perNode
  if (depth > deepest) throw new RangeError("nested too deep")
  let size = perNode
  if (Array.isArray(value)) {
    let sample = 0
    for (const item of value.slice(0, sampled)) sample += roughSize(item, depth + 1)
    size += value.length > sampled ? (sample * value.length) / sampled : sample
  } else {
    for (const name of Object.keys(value)) size += perNode + roughSize(Reflect.get(value, name), depth + 1)
  }
  return size
}
