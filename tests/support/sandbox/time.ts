/** A manually advanced clock. */
export interface TestTime {
  readonly now: () => number
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Advances the clock by `ms` and resolves the waits that are due. */
  readonly advance: (ms: number) => void
}

export function testTime(start = Date.UTC(2026, 10, 21, 2)): TestTime {
  let now = start
  let waits: { at: number; resolve: () => void }[] = []
  return {
    now: () => now,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true })
        waits.push({ at: now + ms, resolve })
      }),
    advance(ms) {
      now += ms
      const over = waits.filter((wait) => wait.at <= now)
      waits = waits.filter((wait) => wait.at > now)
      for (const wait of over) wait.resolve()
    },
  }
}
