import type { Clock, Store, Upstream } from "../../bff/core/ports.ts"

/**
 * The life of a made-up process: what it asks of the world passes here. A killed one never hears another answer, a
 * frozen one hears them when it goes on.
 */
export interface Life {
  readonly alive: boolean
  /** Writes to the store and to the service so far, each counted before and after. */
  readonly steps: number
  kill(): void
  freeze(): void
  thaw(): void
}

/** What a process stands on. */
export interface Ground {
  readonly clock: Clock
  readonly store: Store
  readonly upstream: Upstream
}

const never = new Promise<never>(() => undefined)

/** Reads by their names; everything else a store does is a write. */
const reads = /^(now|get|list|summary|row|rows|rowsIn|due|nextDue|overdue|endedSince|claims|reversedRows|dueControls|controls|confirmedAfter|busy|pointsReport|state|since|ping|take)$/

/**
 * Puts a life between a process and its ground. `killAt` ends it at that step: odd steps come before a write is made,
 * even ones after it was made and before its answer is heard. `frozenAt` stops its time there instead.
 */
export function giveLife(
  ground: Ground,
  at: { readonly kill?: number; readonly freeze?: number } = {},
): { life: Life; ground: Ground } {
  let alive = true
  let steps = 0
  let ice: { readonly melted: Promise<void>; readonly melt: () => void } | undefined
  const death = new AbortController()

  const life: Life = {
    get alive() {
      return alive
    },
    get steps() {
      return steps
    },
    kill() {
      alive = false
      death.abort()
    },
    freeze() {
      let melt = () => {}
      const melted = new Promise<void>((resolve) => (melt = resolve))
      ice ??= { melted, melt }
    },
    thaw() {
      ice?.melt()
      ice = undefined
    },
  }

  /** Resolves while the process runs: at once, after a thaw, or never. */
  async function pass(isStep: boolean): Promise<void> {
    if (isStep && alive) {
      steps += 1
      if (steps === at.kill) life.kill()
      if (steps === at.freeze) life.freeze()
    }
    if (!alive) await never
    while (ice !== undefined) await ice.melted
    if (!alive) await never
  }

  async function through<T>(isWrite: boolean, run: () => Promise<T>): Promise<T> {
    await pass(isWrite)
    const settled = await run().then(
      (value) => ({ ok: true, value }) as const,
      (error: unknown) => ({ ok: false, error }) as const,
    )
    await pass(isWrite)
    if (settled.ok) return settled.value
    throw settled.error
  }

  const guard = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(from, name) {
        const value: unknown = Reflect.get(from, name)
        if (typeof value !== "function") return value
        const isWrite = !reads.test(String(name))
        return (...args: unknown[]) =>
          through(isWrite, async () => Reflect.apply(value, from, args) as Promise<unknown>)
      },
    })

  const { clock, store, upstream } = ground
  return {
    life,
    ground: {
      clock: {
        now: () => clock.now(),
        monotonic: () => clock.monotonic(),
        async sleep(ms, signal) {
          if (!alive) await never
          const both = signal === undefined ? death.signal : AbortSignal.any([signal, death.signal])
          const ended = await clock.sleep(ms, both).then(
            () => undefined,
            (error: unknown) => ({ error }),
          )
          await pass(false)
          if (ended !== undefined) throw ended.error
        },
      },
      store: {
        ...store,
        audit: guard(store.audit),
        jobs: guard(store.jobs),
        instances: guard(store.instances),
      },
      upstream: {
        send: (call) => through(call.method !== "GET", () => upstream.send(call)),
      },
    },
  }
}
