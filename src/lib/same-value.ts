/** Whether two JSON-like values are equal; the order of keys and keys that are `undefined` do not matter. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => sameValue(item, b[index]))
    )
  }
  const left = entries(a)
  const right = new Map(entries(b))
  return (
    left.length === right.size &&
    left.every(([key, value]) => right.has(key) && sameValue(value, right.get(key)))
  )
}

function entries(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, inner]) => inner !== undefined)
}
