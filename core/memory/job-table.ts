import { jobNumberOf } from "../job-data/job-number.ts"
import type { Claims, Owner } from "../job-data/row-change.ts"
import type { Claim, StartedQuery } from "../jobs/job-store.ts"
import type { Clock } from "../ports.ts"
import type { JobEntry } from "./job-entry.ts"

/** Every job of a memory store, and what holds across jobs. */
export class JobTable implements Claims {
  readonly clock: Clock
  /** Oldest first. */
  readonly entries: JobEntry[] = []
  private readonly byNumber = new Map<number, JobEntry>()
  private readonly claims = new Map<string, Claim & Owner>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  add(entry: JobEntry): void {
    this.entries.push(entry)
    this.byNumber.set(entry.number, entry)
  }

  clear(): void {
    this.entries.length = 0
    this.byNumber.clear()
    this.claims.clear()
  }

  get(jobId: string): JobEntry | undefined {
    const number = jobNumberOf(jobId)
    return number === undefined ? undefined : this.byNumber.get(number)
  }

  /** Newest first. */
  *newestFirst(): Generator<JobEntry> {
    for (let at = this.entries.length - 1; at >= 0; at -= 1) {
      const entry = this.entries[at]
      if (entry !== undefined) yield entry
    }
  }

  /** What a person's started jobs count towards limits, in points or cents. */
  startedAmount(makerId: string, { kinds, from, until = Infinity }: StartedQuery): number {
    let sum = 0
    for (const entry of this.entries) {
      const { createdBy, kind, startedAt } = entry.job()
      if (createdBy.id !== makerId || !kinds.includes(kind) || startedAt === null) continue
      if (startedAt >= from && startedAt < until) sum += entry.startedAmount()
    }
    return sum
  }

  ownerOf(claim: Claim): Owner | undefined {
    return this.claims.get(claimKey(claim))
  }

  take({ scope, key }: Claim, { job, row }: Owner): void {
    this.claims.set(claimKey({ scope, key }), { scope, key, job, row })
  }

  give(claim: Claim): void {
    this.claims.delete(claimKey(claim))
  }

  allClaims(): (Claim & Owner)[] {
    return [...this.claims.values()]
  }
}

function claimKey({ scope, key }: Claim): string {
  return JSON.stringify([scope, key])
}
