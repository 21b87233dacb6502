/** Saves soon after something changed, and at once when that is asked for. */
export interface Saver {
  /** Something changed that can wait a moment. */
  soon(): void
  /** Saves and resolves when it is kept. */
  now(): Promise<void>
  /** Saves nothing from now on. */
  stop(): void
}

const quietMs = 500

/** Makes one over `save`. Saves run one after the other, so an older state never overwrites a newer one. */
export function createSaver(save: () => Promise<void>): Saver {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = Promise.resolve()
  let stopped = false

  const now = async () => {
    clearTimeout(timer)
    timer = undefined
    running = running.then(() => (stopped ? undefined : save()))
    await running
  }
  return {
    soon() {
      timer ??= setTimeout(() => void now(), quietMs)
    },
    now,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
