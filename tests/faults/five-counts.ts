import type { Effect } from "../../sandbox/store/records.ts"
import type { CountedJob, CountedRow } from "./counted-job.ts"
import { ownersIn, type Owner, type RowEffect } from "./owners.ts"

/** Result of a run (docs/jobs.md, The five counts). */
export interface FiveCounts {
  /** Lost: confirmed by Laurel but not done by the service, or never finished. */
  readonly L: number
  /** Doubled: done more than once. */
  readonly D: number
  /** Phantom: done without a row. */
  readonly P: number
  /** Wrong: failed, planned or absent, but done. */
  readonly W: number
  /** Unresolved: unknown, or absent or conflict without a decision. */
  readonly U: number
  /** A sentence for each counted row or effect. */
  readonly notes: readonly string[]
}

type Letter = Exclude<keyof FiveCounts, "notes">

/** The counts as one line, such as `L=0 D=0 P=0 W=0 U=3`. */
export function countsLine({ L, D, P, W, U }: FiveCounts): string {
  return `L=${L} D=${D} P=${P} W=${W} U=${U}`
}

/**
 * Compares the service's effects with Laurel's rows. Each effect is matched both by the row that claims its id and by
 * its marks, so unclaimed effects are found as well.
 * @param truth the sandbox's own ledger, complete and without lag
 * @param jobs every job of Laurel with all its rows
 * @param foreign ids of effects that others caused
 */
export function fiveCounts(
  truth: readonly Effect[],
  jobs: readonly CountedJob[],
  foreign: ReadonlySet<string> = new Set(),
): FiveCounts {
  const counts: Record<Letter, number> = { L: 0, D: 0, P: 0, W: 0, U: 0 }
  const notes: string[] = []
  const count = (letter: Letter, note: string) => {
    counts[letter] += 1
    notes.push(`${letter}: ${note}`)
  }

  const effects = truth.filter(isRowEffect)
  const byId = new Map(effects.map((effect) => [effect.id, effect]))
  const ownersOf = ownersIn(jobs)
  /** Rows matched to an effect, and claimed effect ids. */
  const served = new Set<CountedRow>()
  const claimed = new Set<string>()

  for (const { job, row } of rowsOf(jobs)) {
    const { upstreamId: id } = row
    if (!isAffirmed(row) || id === undefined) continue
    const effect = byId.get(id)
    const why =
      effect === undefined
        ? "nothing there has this id"
        : foreign.has(id)
          ? "it is somebody else's"
          : claimed.has(id)
            ? "another row has it already"
            : ownersOf(effect).some((owner) => owner.row === row)
              ? undefined
              : "it is another row's, or another amount or member"
    if (why === undefined) {
      served.add(row)
      claimed.add(id)
    } else count("L", `${nameOf({ job, row })} is confirmed with ${id}: ${why}`)
  }

  for (const effect of effects) {
    if (claimed.has(effect.id) || foreign.has(effect.id)) continue
    const owners = ownersOf(effect)
    const owner = owners.filter(({ row }) => !served.has(row)).toSorted(byExpectation)[0]
    const what = `${effect.kind} ${effect.id}`
    if (owners[0] === undefined) count("P", `${what} has no row`)
    else if (owner === undefined) count("D", `${what} was done before for ${nameOf(owners[0])}`)
    else {
      served.add(owner.row)
      if (isDenied(owner.row)) count("W", `${what} was done for ${nameOf(owner)}`)
    }
  }

  for (const { job, row } of rowsOf(jobs)) {
    const confirmedByWord = isAffirmed(row) && row.upstreamId === undefined
    if (confirmedByWord && !served.has(row)) count("L", `${nameOf({ job, row })} is not there`)
    if (neverFinished(job, row)) count("L", `${nameOf({ job, row })} was never finished`)
    if (isUnresolved(row)) count("U", nameOf({ job, row }))
  }
  return { ...counts, notes }
}

function isRowEffect(effect: Effect): effect is RowEffect {
  return (
    effect.kind === "award" ||
    effect.kind === "deduct" ||
    (effect.kind === "member-create" && effect.by === "program")
  )
}

function* rowsOf(jobs: readonly CountedJob[]): Generator<Owner> {
  for (const job of jobs) for (const row of job.rows) yield { job, row }
}

/** Orders rows of the same mark: rows that may have an effect before rows that deny it. */
function byExpectation(a: Owner, b: Owner): number {
  return Number(isDenied(a.row)) - Number(isDenied(b.row))
}

/** Laurel or a person reports the row as done. */
function isAffirmed({ state, decision }: CountedRow): boolean {
  return state === "confirmed" || ((state === "absent" || state === "conflict") && decision === "happened")
}

/** Laurel reports the row as not done. */
function isDenied(row: CountedRow): boolean {
  return row.state === "failed" || row.state === "planned" || (row.state === "absent" && !isAffirmed(row))
}

function neverFinished(job: CountedJob, { state }: CountedRow): boolean {
  const mayStay = job.state === "cancelled" || job.state === "draft"
  return state === "sent" || (state === "planned" && !mayStay)
}

function isUnresolved({ state, decision }: CountedRow): boolean {
  return state === "unknown" || ((state === "absent" || state === "conflict") && decision === undefined)
}

function nameOf({ job, row }: Owner): string {
  const code = row.code === undefined ? "" : `, ${row.code}`
  return `${job.id} row ${row.row} (${row.state}${code})`
}
