import type { JobContext } from "./job-context.ts"

/** Whether the calls of an instance are over. */
export interface Owners {
  /**
   * Whether no call of this instance can still be under way: it is this one (whose calls are known), it ended orderly,
   * or its process is proven dead. A silent heartbeat alone proves nothing: the process may be frozen.
   */
  ended(owner: string | null): Promise<boolean>
  /** Instances that are proven to have ended without saying so. */
  dead(): Promise<string[]>
}

/** The answer about one instance holds so long, in ms; `gone` holds for ever. */
const asksAgainMs = 2000

/** Makes it. */
export function createOwners({
  store,
  processes,
  clock,
  self,
}: Pick<JobContext, "store" | "processes" | "clock" | "self">): Owners {
  const gone = new Set<string>()
  const asked = new Map<string, number>()

  async function isGone(owner: string): Promise<boolean> {
    if (gone.has(owner)) return true
    if (clock.monotonic() - (asked.get(owner) ?? -Infinity) < asksAgainMs) return false
    asked.set(owner, clock.monotonic())
    const record = await store.instances.get(owner)
    if (record === undefined) return false
    const over = record.stoppedAt !== null || (await processes.look(record.process)) === "gone"
    if (over) gone.add(owner)
    return over
  }

  return {
    ended: async (owner) => owner === self || (owner !== null && (await isGone(owner))),
    async dead() {
      const found: string[] = []
      for (const { id } of await store.instances.list()) {
        if (id !== self && (await isGone(id))) found.push(id)
      }
      return found
    },
  }
}
