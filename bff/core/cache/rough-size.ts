const perNode = 24

/** About how much memory a parsed JSON value takes, in bytes. Cheap rather than exact: it only bounds a cache. */
export function roughSize(value: unknown): number {
  if (typeof value === "string") return perNode + value.length * 2
  if (typeof value !== "object" || value === null) return perNode
  let size = perNode
  if (Array.isArray(value)) {
    for (const item of value) size += roughSize(item)
  } else {
    for (const name of Object.keys(value)) size += perNode + roughSize(Reflect.get(value, name))
  }
  return size
}
