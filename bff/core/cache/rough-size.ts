const perNode = 24
/** Rows of one list are alike: so many of them tell for all. */
const sampled = 4

/** About how much memory a parsed JSON value takes, in bytes. Cheap rather than exact: it only bounds a cache. */
export function roughSize(value: unknown): number {
  if (typeof value === "string") return perNode + value.length * 2
  if (typeof value !== "object" || value === null) return perNode
  let size = perNode
  if (Array.isArray(value)) {
    let sample = 0
    for (const item of value.slice(0, sampled)) sample += roughSize(item)
    size += value.length > sampled ? (sample * value.length) / sampled : sample
  } else {
    for (const name of Object.keys(value)) size += perNode + roughSize(Reflect.get(value, name))
  }
  return size
}
