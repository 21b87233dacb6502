import type { Effect } from "../../sandbox/store/records.ts"
import type { CountedJob, CountedRow } from "./counted-job.ts"

/** An effect that a row can have. */
export type RowEffect = Extract<Effect, { kind: "award" | "deduct" | "member-create" }>

/** A row with its job. */
export interface Owner {
  readonly job: CountedJob
  readonly row: CountedRow
}

/** Finds the rows that an effect can belong to, by its marks; none for a foreign effect. */
export type OwnersOf = (effect: RowEffect) => readonly Owner[]

/**
 * Reads the marks of effects independently of the engine (docs/jobs.md, Correlation tags): the row's reference,
 * its metadata entry, or member, points and the code in the reason; for a truncated reason, member, points and the
 * rest of the reason.
 */
export function ownersIn(jobs: readonly CountedJob[]): OwnersOf {
  const byCode = new Map(jobs.map((job) => [job.batchCode, job]))
  const byWhom = new Map<string, Owner[]>()
  for (const job of jobs) {
    for (const row of job.rows) {
      const key =
        job.kind === "member-create" ? `new ${row.email}` : `${job.kind} ${row.memberId} ${row.points}`
      const same = byWhom.get(key)
      if (same === undefined) byWhom.set(key, [{ job, row }])
      else same.push({ job, row })
    }
  }

  function byReference(reference: unknown): Owner | undefined {
    const [, code = "", number] =
      typeof reference === "string" ? (/^(\w+)\.(\d+)$/.exec(reference) ?? []) : []
    const job = byCode.get(code)
    const row = job?.rows[Number(number) - 1]
    return job === undefined || row === undefined ? undefined : { job, row }
  }

  return (effect) => {
    if (effect.kind === "member-create") return byWhom.get(`new ${effect.email.toLowerCase()}`) ?? []
    const exact =
      effect.kind === "award"
        ? (byReference(effect.reference) ?? byReference(effect.metadata?.["laurel"]))
        : undefined
    if (exact !== undefined) return [exact]
    const same = byWhom.get(`${effect.kind} ${effect.memberId} ${effect.points}`) ?? []
    const mark = markIn(effect.reason, byCode)
    if (mark !== undefined) {
      return same.filter(
        ({ job, row }) => job.batchCode === mark.code && (row.ordinal ?? mark.ordinal) === mark.ordinal,
      )
    }
    return same.filter(({ row }) => isRestOf(effect.reason, row.reason ?? ""))
  }
}

/** The last known job code in a text, with its ordinal: `7K2QX-2`. */
function markIn(
  text: string,
  known: ReadonlyMap<string, unknown>,
): { code: string; ordinal: number } | undefined {
  const marks = [...text.matchAll(/([0-9A-Z]{4,8})(?:-(\d+))?/g)]
  const mark = marks.findLast(([, code = ""]) => known.has(code))
  return mark === undefined ? undefined : { code: mark[1] ?? "", ordinal: Number(mark[2] ?? 1) }
}

/** Whether a text is a row's reason, truncated or with a partial mark appended. */
function isRestOf(text: string, reason: string): boolean {
  return reason.startsWith(text) || text.startsWith(reason)
}
