import type { Job, jobPhases } from "../../../contract/job.ts"
import { isHeld, isHeldOpen } from "../../jobs/records.ts"
import type { JobRecord } from "../../jobs/job-store.ts"

/** A job as it is answered. */
export function jobView(record: JobRecord, pace: Job["pace"]): Job {
  const { counts, createdBy } = record
  return {
    id: record.id,
    kind: record.kind,
    title: record.title,
    state: record.state,
    pause: record.pause,
    phase: phaseOf(record),
    total: record.total,
    counts,
    attention: record.attention,
    batch_code: record.batchCode,
    created_at: isoTime(record.createdAt),
    created_by: { id: createdBy.id, name: createdBy.name },
    started_at: isoTimeOrNull(record.startedAt),
    finished_at: isoTimeOrNull(record.finishedAt),
    mode: record.mode,
    file: record.file,
    points: record.points,
    pace,
    hold: holdOf(record),
    reverses: record.reverses,
    reversed_by: [...record.reversedBy],
  }
}

/**
 * What a job is doing. Calls that were sent are waited for and looked up in every state; only a running job prepares
 * and sends.
 */
export function phaseOf({
  state,
  prepared,
  counts,
  hold,
}: Pick<JobRecord, "state" | "prepared" | "counts" | "hold">): (typeof jobPhases)[number] {
  if (isHeld({ hold })) return counts.sent + counts.unknown > 0 ? "looking" : "idle"
  if (state === "running" && !prepared) return "preparing"
  if (counts.sent > 0 || (state === "running" && counts.planned > 0)) return "sending"
  return counts.unknown > 0 ? "looking" : "idle"
}

function holdOf(record: JobRecord): Job["hold"] {
  const { hold, counts, attention } = record
  if (hold === null || hold.state === "released" || !isHeldOpen(record)) return null
  return {
    state: hold.state,
    sign: hold.sign,
    at: isoTime(hold.at),
    found: counts.confirmed - hold.confirmedBefore,
    looking: counts.sent + counts.unknown,
    to_send: counts.planned,
    undecided: attention,
  }
}

/** ms since 1970 as ISO 8601. */
function isoTime(at: number): string {
  return new Date(at).toISOString()
}

/** The same for a time that may not have come. */
export function isoTimeOrNull(at: number | null): string | null {
  return at === null ? null : isoTime(at)
}
