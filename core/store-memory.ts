import * as z from "zod/mini"
import { auditEntry } from "../contract/audit.ts"
import { note, type Note } from "../contract/notes.ts"
import { apis, driftRow, type DriftRow } from "../contract/status.ts"
import { instanceRecord, storeUse } from "./job-data/record-schemas.ts"
import type { InstanceRecord } from "./jobs/job-store.ts"
import { cardRecord } from "./cards/card-schema.ts"
import type { CardRecord } from "./cards/card-store.ts"
import { createMemoryAuditStore } from "./memory/audit-store.ts"
import { createMemoryBudgetStore } from "./memory/budget-store.ts"
import { createMemoryCardStore } from "./memory/card-store.ts"
import { createMemoryDriftStore, driftKey } from "./memory/drift-store.ts"
import { createMemoryInstanceStore } from "./memory/instance-store.ts"
import { jobsSnapshot, restoreJobs, snapshotOfJobs } from "./memory/job-snapshot.ts"
import { createMemoryJobStore } from "./memory/job-store.ts"
import { JobTable } from "./memory/job-table.ts"
import { createMemoryRestoreStore, unusedStore } from "./memory/restore-store.ts"
import { createMemoryUsageStore } from "./memory/usage-store.ts"
import type { Clock, Store, UsageRecord } from "./ports.ts"
import { usageKey } from "./budget/usage.ts"

const usageRecord = z.object({
  api: z.enum(apis),
  minute: z.int(),
  lane: z.enum(["people", "jobs"]),
  who: z.string(),
  requests: z.int(),
  refused: z.int(),
  slow: z.int(),
  trouble: z.int(),
  longestWaitMs: z.number(),
})

const memorySnapshot = z.object({
  audit: z.array(auditEntry),
  notes: z.array(note),
  settings: z.record(z.string(), z.unknown()),
  drift: z.array(driftRow),
  usage: z.array(usageRecord),
  jobs: jobsSnapshot,
  instances: z.array(instanceRecord),
  // A demo that was kept before there was a register has none.
  cards: z._default(z.array(cardRecord), []),
  use: z._default(storeUse, unusedStore),
})
/** Everything in a memory store but the budget's current minute, as plain JSON. */
type MemorySnapshot = z.output<typeof memorySnapshot>

/** A store that lives as long as its process or tab. */
export interface MemoryStore extends Store {
  readonly kind: "memory"
  snapshot(): MemorySnapshot
  /** Takes over what an earlier `snapshot` gave; returns false, changing nothing, for anything else. */
  restore(raw: unknown): boolean
}

/** Makes an empty one, for tests and for the demo. */
export function createMemoryStore(clock: Clock): MemoryStore {
  const audit: MemorySnapshot["audit"] = []
  const notes = new Map<string, Note>()
  const settings = new Map<string, unknown>()
  const drift = new Map<string, DriftRow>()
  const usage = new Map<string, UsageRecord>()
  const jobs = new JobTable(clock)
  const instances = new Map<string, InstanceRecord>()
  const cards = new Map<string, CardRecord>()
  const use = { now: unusedStore() }

  return {
    kind: "memory",
    budget: createMemoryBudgetStore(clock),
    usage: createMemoryUsageStore(usage),
    drift: createMemoryDriftStore(drift),
    audit: createMemoryAuditStore(audit),
    notes: {
      get: async (kind, id) => notes.get(noteKey({ kind, id })),
      async save(saved) {
        const version = notes.get(noteKey(saved))?.version ?? 0
        if (version !== saved.version - 1) return false
        notes.set(noteKey(saved), { ...saved })
        return true
      },
    },
    settings: {
      get: async (name) => structuredClone(settings.get(name)),
      async put(name, value) {
        settings.set(name, structuredClone(value))
      },
    },
    jobs: createMemoryJobStore(jobs, (entry) => audit.push(structuredClone(entry))),
    instances: createMemoryInstanceStore(instances, jobs),
    cards: createMemoryCardStore(cards, jobs),
    restores: createMemoryRestoreStore(use, jobs),
    ping: async () => undefined,
    close: async () => undefined,
    snapshot: () =>
      structuredClone({
        audit,
        notes: [...notes.values()],
        settings: Object.fromEntries(settings),
        drift: [...drift.values()],
        usage: [...usage.values()],
        jobs: snapshotOfJobs(jobs),
        instances: [...instances.values()],
        cards: [...cards.values()],
        use: use.now,
      }),
    restore(raw) {
      const parsed = memorySnapshot.safeParse(structuredClone(raw))
      if (!parsed.success) return false
      const { data } = parsed
      audit.splice(0, audit.length, ...data.audit)
      refill(notes, data.notes, noteKey)
      refill(drift, data.drift, driftKey)
      refill(usage, data.usage, usageKey)
      refill(instances, data.instances, ({ id }) => id)
      refill(cards, data.cards, ({ id }) => id)
      restoreJobs(jobs, data.jobs)
      use.now = data.use
      settings.clear()
      for (const [name, value] of Object.entries(data.settings)) settings.set(name, value)
      return true
    },
  }
}

function noteKey({ kind, id }: Pick<Note, "kind" | "id">): string {
  return `${kind}/${id}`
}

function refill<T>(map: Map<string, T>, values: readonly T[], key: (value: T) => string): void {
  map.clear()
  for (const value of values) map.set(key(value), value)
}
