/** A copy of plain data that nobody can change. What JSON leaves out is left out. */
export function frozenCopy<T>(value: T): T {
  return frozen(JSON.parse(JSON.stringify(value)) as T)
}

/** The same plain data, from now on unchangeable. */
export function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const held of Object.values(value)) frozen(held)
  }
  return value
}
