/** A value outside React that components can follow with `useSyncExternalStore`. */
export interface ExternalValue<T> {
  readonly get: () => T
  readonly set: (value: T) => void
  /** Calls `listener` after each change; returns what stops it. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Makes one. Setting an equal value tells nobody. */
export function externalValue<T>(initial: T): ExternalValue<T> {
  let current = initial
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return
      current = value
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
