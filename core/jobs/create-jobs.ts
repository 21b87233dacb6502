import type { DeskContext } from "../context.ts"
import { createNotifier, type Notifier } from "../runtime.ts"
import { controlJob } from "./control-job.ts"
import { decideRow } from "./decide-row.ts"
import { createEngine } from "./engine.ts"
import { rowEvidence } from "./evidence.ts"
import { createGaps } from "./gaps.ts"
import type { JobContext } from "./job-context.ts"
import type { Jobs } from "./jobs.ts"
import { appendRows, makeJob } from "./make-job.ts"
import { createOwners } from "./owners.ts"
import { findRepeats } from "./repeats.ts"
import { createRestoreGuard } from "./restore-guard.ts"
import { makeReversal, seeReversal } from "./reverse-job.ts"
import { createStoreTime } from "./store-time.ts"

/** What the engine needs of the desk's parts. */
type Parts = Omit<JobContext, "time" | "self" | "jobChanged" | "notifyLater" | "restore"> &
  Pick<DeskContext, "beside">

/** How often at most people are told that a job moved on, ms. */
const tellEveryMs = 250
/** The same about records that a long job changes, ms: whoever has a list of them open reads it again each time. */
const tellLaterMs = 5000

/** Makes the money engine. */
export function createJobs(parts: Parts): Jobs {
  const ended = new AbortController()
  const tellers = new Map<string, Notifier>()
  const later = new Map<string, Notifier>()
  const context: JobContext = {
    ...parts,
    restore: createRestoreGuard(parts),
    time: createStoreTime(parts.store.jobs, parts.clock),
    self: crypto.randomUUID(),
    jobChanged(jobId) {
      let teller = tellers.get(jobId)
      if (teller === undefined) {
        teller = createNotifier(parts.clock, tellEveryMs, ended.signal, () =>
          parts.events.publish({ topic: "job", id: jobId }),
        )
        // Only a few jobs move at a time; those that ended long ago need no teller.
        if (tellers.size > 200) tellers.clear()
        tellers.set(jobId, teller)
      }
      teller.changed()
    },
    notifyLater(topic) {
      const teller =
        later.get(topic) ??
        createNotifier(parts.clock, tellLaterMs, ended.signal, () =>
          parts.events.publish({ topic, id: "all" }),
        )
      later.set(topic, teller)
      teller.changed()
    },
  }
  const owners = createOwners(context)
  const engine = createEngine({ context, owners, gaps: createGaps(parts.clock), searches: new Set() })
  const unsubscribe = parts.events.subscribe((event) => {
    if (event.topic === "job") engine.wake(event.id)
  })
  const control = controlJob(context, (jobId) => engine.wake(jobId))

  return {
    async create(asker, body, key) {
      const made = await makeJob(context, asker, body, key)
      if (made.made) {
        context.jobChanged(made.job.id)
        engine.wake(made.job.id)
      }
      return made
    },
    append: (id, body) => appendRows(context, id, body),
    repeats: (body) => findRepeats(context, body),
    ...control,
    reversal: (asker, id, check) => seeReversal(context, asker, id, check),
    async reverse(asker, id, body, key) {
      const job = await makeReversal(context, asker, id, body, key)
      context.jobChanged(id)
      context.jobChanged(job.id)
      engine.wake(job.id)
      return job
    },
    evidence: (asker, id, row) => rowEvidence(context, owners, asker, id, row),
    async decide(asker, id, row, decision) {
      const decided = await decideRow(context, owners, asker, id, row, decision)
      context.jobChanged(id)
      engine.wake(id)
      return decided
    },
    run: () => engine.run(),
    async stop() {
      unsubscribe()
      await engine.stop()
      ended.abort()
    },
  }
}
