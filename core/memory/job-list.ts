import type { AuditEntry } from "../../contract/audit.ts"
import { jobNumberOf } from "../job-data/job-number.ts"
import { isHeldOpen, needsPerson } from "../job-data/job-needs.ts"
import type { JobQuery, JobRecord, JobStore } from "../jobs/job-store.ts"
import type { JobTable } from "./job-table.ts"

/** Whole jobs of a memory store. */
export function jobList(
  table: JobTable,
  append: (entry: AuditEntry) => void,
): Pick<JobStore, "get" | "list" | "summary" | "change" | "busy"> {
  return {
    get: async (jobId) => table.get(jobId)?.record(),

    async list(query) {
      const before = query.before === undefined ? Infinity : (jobNumberOf(query.before) ?? 0)
      const found: JobRecord[] = []
      for (const entry of table.newestFirst()) {
        if (found.length > query.perPage) break
        if (entry.number < before && fits(entry.record(), query)) found.push(entry.record())
      }
      return found
    },

    async summary(scope) {
      const jobs = table.entries.map((entry) => entry.record()).filter((job) => isInScope(job, scope))
      return {
        active: jobs.filter(isActive).length,
        attention: jobs.filter(needsPerson).length,
        held: jobs.filter(isHeldOpen).length,
        looking: jobs.filter((job) => isHeldOpen(job) && job.hold?.state === "looking").length,
      }
    },

    async change(jobId, from, set, audit) {
      const entry = table.get(jobId)
      const before = entry?.job()
      if (entry === undefined || before === undefined || !entry.change({ from, set })) return undefined
      const job = entry.record()
      try {
        if (audit !== undefined) append(audit(job, job.total === 1 ? entry.row(1) : undefined))
      } catch (error) {
        entry.set(before)
        throw error
      }
      return job
    },

    busy: async () => table.entries.filter((entry) => entry.isBusy()).map((entry) => entry.record()),
  }
}

function isActive({ state }: JobRecord): boolean {
  return state === "running" || state === "paused" || state === "cancelling"
}

function isInScope(job: JobRecord, scope: JobQuery["scope"]): boolean {
  return scope === undefined || job.createdBy.id === scope.maker || scope.kinds.includes(job.kind)
}

function isInState(job: JobRecord, state: JobQuery["state"]): boolean {
  if (state === undefined) return true
  if (state === "active") return isActive(job)
  return state === "attention" ? needsPerson(job) : job.state === state
}

function fits(job: JobRecord, query: JobQuery): boolean {
  return (
    isInScope(job, query.scope) &&
    isInState(job, query.state) &&
    (query.kind === undefined || job.kind === query.kind) &&
    (query.createdBy === undefined || job.createdBy.id === query.createdBy) &&
    (query.fingerprint === undefined || job.file?.fingerprint === query.fingerprint) &&
    (query.from === undefined || job.createdAt >= query.from) &&
    (query.to === undefined || job.createdAt <= query.to)
  )
}
