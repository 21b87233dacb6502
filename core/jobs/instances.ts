import type { CoreDeps } from "../deps.ts"

const recheckInstanceMs = 2000
/** Silence after which no further heartbeat is expected, in ms; they come every 5 s. */
const silentMs = 15_000

export type Instances = ReturnType<typeof createInstances>

/** Tells whether the calls of an instance have ended; `self` is this one. */
export function createInstances(
  { store, processes, clock }: Pick<CoreDeps, "store" | "processes" | "clock">,
  self: string,
) {
  const ended = new Set<string>()
  const checked = new Map<string, { readonly at: number; readonly over: boolean }>()
  /** The last heartbeat of an instance when it was first proven dead; Infinity: a later one disproved it. */
  const proven = new Map<string, number>()

  async function hasEnded(owner: string): Promise<boolean> {
    if (ended.has(owner)) return true
    const before = checked.get(owner)
    if (before !== undefined && clock.monotonic() - before.at < recheckInstanceMs) return before.over
    const over = await check(owner)
    checked.set(owner, { at: clock.monotonic(), over })
    return over
  }

  async function check(owner: string): Promise<boolean> {
    const record = await store.instances.get(owner)
    if (record === undefined) return false
    if (record.stoppedAt !== null) {
      ended.add(owner)
      return true
    }
    const silent = (await store.jobs.now()) - record.beatAt
    if (processes.alone !== true && (await processes.look(record.process, silent)) !== "gone") return false
    const beatAt = proven.get(owner) ?? record.beatAt
    // A newer heartbeat disproves the death.
    const isAlive = record.beatAt > beatAt || beatAt === Infinity
    proven.set(owner, isAlive ? Infinity : beatAt)
    if (!isAlive && silent >= silentMs) ended.add(owner)
    return !isAlive
  }

  return {
    /** Whether its calls have ended. A missing heartbeat proves nothing: the process may be frozen. */
    isOver: async (owner: string | null) => owner === self || (owner !== null && (await hasEnded(owner))),
    async dead() {
      const dead: string[] = []
      for (const { id } of await store.instances.list())
        if (id !== self && (await hasEnded(id))) dead.push(id)
      return dead
    },
  }
}
