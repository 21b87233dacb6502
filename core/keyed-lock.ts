/** Lets one piece of work at a time run for each key, in the order in which they came. */
export interface KeyedLock {
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** Makes one; it holds within this process only. */
export function createKeyedLock(): KeyedLock {
  const last = new Map<string, Promise<unknown>>()
  return {
    async run(key, work) {
      const before = last.get(key)
      const own = (before ?? Promise.resolve()).then(work, work)
      last.set(key, own)
      try {
        return await own
      } finally {
        if (last.get(key) === own) last.delete(key)
      }
    },
  }
}
