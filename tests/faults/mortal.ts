import type { Clock, Store, Upstream } from "../../core/ports.ts"

/**
 * The life of an in-process app, a gate in front of its dependencies: a killed app never gets another result, a
 * frozen one gets them after the thaw.
 */
export interface Life {
  readonly alive: boolean
  /** Writes to the store and the service so far, each counted before and after. */
  readonly steps: number
  /**
   * The steps at which kills leave different states behind: before each write, and after the last. A write that has
   * begun ends in any case, so a kill after it leaves what a kill before the next one leaves.
   */
  readonly distinctKills: readonly number[]
  kill(): void
  freeze(): void
  thaw(): void
}

/** Dependencies of an app. */
export interface Ground {
  readonly clock: Clock
  readonly store: Store
  readonly upstream: Upstream
}

/** When an app is killed or frozen automatically. */
export interface Fatal {
  /**
   * The step at which it is killed: odd steps come before a write to the store or the service, even ones after it and
   * before its result is returned.
   */
  readonly kill?: number
  /** Number of the write to the service at which it freezes: on the connected socket, before the first byte. */
  readonly freezeAtSend?: number
}

/** Never resolves. A new promise per call: a shared one would retain every process that awaited it. */
const never = () => new Promise<never>(() => undefined)

/** Names of reads; every other store method is a write. */
const reads =
  /^(all|now|get|list|summary|row|rows|rowsIn|causes|due|nextDue|overdue|endedSince|unfoundMembers|mostRowsOfMember|claims|addressed|rowsAbout|awaited|reversedRows|dueCanaries|missingCanaries|canaries|confirmedAfter|busy|pointsReport|state|since|times|ping|take)$/

/** Wraps the dependencies of an app in a life. `trace` receives every step. */
export function giveLife(
  ground: Ground,
  at: Fatal & { readonly trace?: ((line: string) => void) | undefined } = {},
): { life: Life; ground: Ground } {
  let alive = true
  let steps = 0
  const beforeWrites: number[] = []
  let sends = 0
  let ice: { readonly melted: Promise<void>; readonly melt: () => void } | undefined
  const death = new AbortController()

  const life: Life = {
    get alive() {
      return alive
    },
    get steps() {
      return steps
    },
    get distinctKills() {
      return [...beforeWrites, steps]
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

  /** Resolves while the app runs: immediately, after a thaw, or never. */
  async function pass(isStep: boolean): Promise<void> {
    if (isStep && alive) {
      steps += 1
      if (steps === at.kill) life.kill()
    }
    if (!alive) await never()
    await ice?.melted
    if (!alive) await never()
  }

  async function through<T>(isWrite: boolean, run: () => Promise<T>, describe: () => string): Promise<T> {
    if (alive && isWrite) {
      at.trace?.(`${steps + 1} ${describe()}`)
      beforeWrites.push(steps + 1)
    }
    await pass(isWrite)
    const settled = await run().then(
      (value) => ({ ok: true, value }) as const,
      (error: unknown) => ({ ok: false, error }) as const,
    )
    if (alive && isWrite) at.trace?.(`${steps + 1} done: ${JSON.stringify(settled)}`)
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
          through(
            isWrite,
            async () => Reflect.apply(value, from, args) as Promise<unknown>,
            () => `${String(name)} ${JSON.stringify(args)}`,
          )
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
          if (!alive) await never()
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
        restores: guard(store.restores),
      },
      upstream: {
        send: (call) => {
          if (call.method !== "GET") sends += 1
          if (call.method !== "GET" && sends === at.freezeAtSend) life.freeze()
          return through(
            call.method !== "GET",
            () => upstream.send(call),
            () => `${call.method} ${call.path} ${JSON.stringify(call.body)}`,
          )
        },
      },
    },
  }
}
