import type { InstanceRecord, InstanceStore } from "../jobs/job-store.ts"
import { frozenCopy } from "./frozen.ts"
import type { JobTable } from "./job-table.ts"

/** Who works on a memory store. `instances` is changed in place. */
export function createMemoryInstanceStore(
  instances: Map<string, InstanceRecord>,
  table: JobTable,
): InstanceStore {
  const { clock } = table
  const change = (id: string, set: Partial<InstanceRecord>) => {
    const found = instances.get(id)
    if (found !== undefined) instances.set(id, frozenCopy({ ...found, ...set }))
  }
  return {
    async beat(id, process) {
      const stoppedAt = instances.get(id)?.stoppedAt ?? null
      instances.set(id, frozenCopy({ id, process, beatAt: clock.now(), stoppedAt }))
    },
    async stopped(id) {
      change(id, { stoppedAt: clock.now() })
    },
    get: async (id) => instances.get(id),
    list: async () => [...instances.values()].filter(({ stoppedAt }) => stoppedAt === null),
    async forget(before) {
      const owners = new Set(
        table.entries.flatMap((entry) => [...entry.rowsIn(["sent", "unknown"], 0)].map(({ owner }) => owner)),
      )
      for (const { id, beatAt, stoppedAt } of instances.values()) {
        if ((stoppedAt ?? beatAt) < before && !owners.has(id)) instances.delete(id)
      }
    },
  }
}
