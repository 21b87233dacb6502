import type { CoreDeps, JobTimes } from "../deps.ts"
import type { RowRecord } from "./job-store.ts"
import type { InstanceRecord } from "./process-store.ts"

const recheckInstanceMs = 2000
/** Silence after which no further heartbeat is expected, in ms; they come every 5 s. */
export const silentMs = 15_000
/** How long a start waits for the silence of an earlier process with its INSTANCE_ID, in ms. */
const claimWaitMs = 30_000

export type Instances = ReturnType<typeof createInstances>
type Attempt = Pick<RowRecord, "owner" | "sentAt" | "leaseUntil">

/** Whether it gives signs of life. Absolute, because the store's clock may have been set back since. */
export function isBeating({ beatAt }: Pick<InstanceRecord, "beatAt">, now: number): boolean {
  return Math.abs(now - beatAt) < silentMs
}

/** When an attempt counts as ended whatever became of its instance: long after its lease, which nothing is sent beyond. */
export function endWithoutProof({ leaseUntil, sentAt }: Attempt, settleMs: number): number {
  return (leaseUntil ?? sentAt ?? 0) + Math.max(600_000, 5 * settleMs)
}

/** Tells whether the calls of an instance have ended (docs/jobs.md, Whether a call has ended); `self` is this one. */
export function createInstances(
  {
    store,
    processes,
    clock,
    config,
    log,
  }: Pick<CoreDeps, "store" | "processes" | "clock" | "log"> & {
    readonly config: { readonly jobs: Pick<JobTimes, "leaseMs" | "settleMs"> }
  },
  self: string,
) {
  const checked = new Map<string, { readonly at: number; readonly until: number }>()

  /** The attempts that an instance sent up to this time have ended, ms on the store's clock. */
  async function overUntil(owner: string): Promise<number> {
    const before = checked.get(owner)
    if (before !== undefined && clock.monotonic() - before.at < recheckInstanceMs) return before.until
    const until = await check(owner)
    checked.set(owner, { at: clock.monotonic(), until })
    return until
  }

  async function check(owner: string): Promise<number> {
    const record = await store.instances.get(owner)
    if (record === undefined) return -Infinity
    // Stated or taken over while it was only frozen: what it sends afterwards has not ended.
    if (record.stoppedAt !== null) return record.stoppedAt
    if (processes.alone === true) return Infinity
    // A heartbeat disproves a death: a copy of this machine has the same processes.
    const isSilent = !isBeating(record, await store.jobs.now())
    return isSilent && processes.hasEnded(record.process) ? Infinity : -Infinity
  }

  return {
    /** Whether an attempt's call has ended. A missing heartbeat proves nothing: the process may be frozen. */
    async isOver(attempt: Attempt, now: number): Promise<boolean> {
      const { owner, sentAt } = attempt
      if (owner === null || sentAt === null) return false
      if (owner === self || now >= endWithoutProof(attempt, config.jobs.settleMs)) return true
      return sentAt <= (await overUntil(owner))
    },
    /** Instances that are over, with leases that can still be running. */
    async dead() {
      const dead: string[] = []
      const since = (await store.jobs.now()) - config.jobs.leaseMs
      for (const { id, stoppedAt } of await store.instances.list())
        if (id !== self && (stoppedAt ?? (await overUntil(id))) >= since) dead.push(id)
      return dead
    },
    /**
     * Takes the place of earlier processes with this one's INSTANCE_ID, which ends them. Returns the one that still
     * has a heartbeat after the wait: then this one must not run.
     */
    async claim(): Promise<InstanceRecord | undefined> {
      const silence = processes.alone === true ? 0 : silentMs
      for (let waitedMs = 0; ; waitedMs += 1000) {
        const living = await store.instances.claim(self, processes.self, silence)
        if (living === undefined || waitedMs > claimWaitMs) return living
        if (waitedMs === 0)
          log.info(
            { running: living.process },
            "waiting for the end of the process that has this INSTANCE_ID",
          )
        await clock.sleep(1000)
      }
    },
  }
}
